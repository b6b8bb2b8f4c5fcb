/** One conversation's place in the model's memory. */
export interface SlotState {
  /** What is in it, as the model read and wrote it. */
  readonly tokens: readonly number[];
  /** Whose conversation that was. */
  readonly owner: string;
  readonly isBusy: boolean;
  readonly lastUsed: number;
}

export interface SlotChoice {
  readonly index: number;
  /** Tokens at the beginning of the prompt that need not be read again. */
  readonly reusable: number;
}

/** The free slot that already holds most of the prompt, else one beside a busy slot (neighbours are computed together), else the
 *  one unused for longest. What another key wrote is never reused, or the count of cached tokens would tell what others talk
 *  about. */
export function chooseSlot(
  slots: readonly SlotState[],
  prompt: readonly number[],
  owner: string,
): SlotChoice | undefined {
  let best: (SlotChoice & Candidate) | undefined;
  for (const [index, slot] of slots.entries()) {
    if (slot.isBusy) continue;
    const common = slot.owner === owner ? countCommon(slot.tokens, prompt) : 0;
    // The last token must be read anew, because reading it is what gives the first word of the answer.
    const reusable = Math.min(common, prompt.length - 1);
    const isBeside = Boolean(slots[index - 1]?.isBusy || slots[index + 1]?.isBusy);
    const candidate = { index, reusable, isBeside, lastUsed: slot.lastUsed };
    if (!best || isBetter(candidate, best)) best = candidate;
  }
  return best && { index: best.index, reusable: best.reusable };
}

interface Candidate {
  readonly reusable: number;
  readonly isBeside: boolean;
  readonly lastUsed: number;
}

function isBetter(one: Candidate, other: Candidate): boolean {
  if (one.reusable !== other.reusable) return one.reusable > other.reusable;
  if (one.isBeside !== other.isBeside) return one.isBeside;
  return one.lastUsed < other.lastUsed;
}

function countCommon(a: readonly number[], b: readonly number[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}
