/** A line that has been spoken, and when its source was said. */
export interface SpokenLine {
  readonly startMs: number;
  readonly endMs: number;
  readonly spokenMs: number;
}

/** Lines that are laid down as one, from the first one's source time on. */
export interface Placement {
  readonly lines: readonly number[];
  readonly startMs: number;
  readonly lengthMs: number;
  /** How much faster than it was spoken. */
  readonly stretch: number;
}

/** The limits of the contract. */
export const SLOWEST = 0.7;
export const FASTEST = 1.6;
/** Speech that is shorter than its source is drawn out this much at most: slower sounds unwell, and a pause does not. */
const DRAWN_OUT = 0.9;
/** Speech that is longer than its source is hurried this much to leave a pause behind it. */
const HURRIED = 1.15;
/** Kept free before the next line. */
const GAP_MS = 60;
/** Between two lines that are laid down as one. */
export const JOINED_PAUSE_MS = 150;
/** How much longer than its source the whole may be. */
const DRIFT = 0.02;

/** Where each line goes so that it begins when its source did, without overlap. A line that does not fit before the next one even at
 *  its fastest shares the time with its neighbour. */
export function planTiming(lines: readonly SpokenLine[], totalMs: number): Placement[] {
  let groups = lines.map((_, index) => [index]);
  for (;;) {
    const tight = groups.findIndex((_, index) => neededStretch(index) > FASTEST);
    if (tight < 0 || groups.length === 1) break;
    // Whichever neighbour has more room to give.
    const before = tight > 0 ? neededStretch(tight - 1) : Number.POSITIVE_INFINITY;
    const after = tight < groups.length - 1 ? neededStretch(tight + 1) : Number.POSITIVE_INFINITY;
    const first = before < after ? tight - 1 : tight;
    groups = [...groups.slice(0, first), [...groups[first]!, ...groups[first + 1]!], ...groups.slice(first + 2)];
  }
  return groups.map((group, index) => {
    const spoken = spokenMs(group);
    const said = lines[group.at(-1)!]!.endMs - lines[group[0]!]!.startMs;
    const wish = spoken < said ? Math.max(DRAWN_OUT, spoken / said) : Math.min(HURRIED, spoken / said);
    const stretch = Math.min(FASTEST, Math.max(SLOWEST, wish, neededStretch(index)));
    return { lines: group, startMs: lines[group[0]!]!.startMs, lengthMs: spoken / stretch, stretch };
  });

  function neededStretch(index: number): number {
    const group = groups[index]!;
    const start = lines[group[0]!]!.startMs;
    const next = groups[index + 1];
    const room = next ? lines[next[0]!]!.startMs - start - GAP_MS : totalMs * (1 + DRIFT) - start;
    return room <= 0 ? Number.POSITIVE_INFINITY : spokenMs(group) / room;
  }

  function spokenMs(group: readonly number[]): number {
    return group.reduce((sum, line) => sum + lines[line]!.spokenMs, JOINED_PAUSE_MS * (group.length - 1));
  }
}
