import { toSemitones } from "../../audio/pitch.ts";
import { likeness } from "../../ports/voice-printer.ts";

/** A stretch of speech as it is told apart. */
export interface PrintedStretch {
  readonly print: Float32Array;
  readonly seconds: number;
  /** Undefined where the voice hums too little to tell. */
  readonly medianHz: number | undefined;
}

export interface GroupOptions {
  readonly mostSpeakers?: number;
  /** From how much likeness on two are one. */
  readonly samePerson?: number;
}

/** Two groups are of one person when their stretches are on average this much alike. Measured on human clips of 2.5 s: the same
 *  person above 0.45 in 19 of 20 pairs, different ones below 0.40 in as many (docs/dubbing.md). */
const SAME_PERSON = 0.4;
/** The print hears little of the pitch. One person's sentences differ by some semitones; each beyond them counts this much. */
const USUAL_SEMITONES = 2;
const SEMITONE_WORTH = 0.05;
/** Who speaks less than this in all is not a person of their own: short stretches look like anybody. */
const SHORTEST_SECONDS = 2.5;

/** Which of the speakers each stretch belongs to, numbered in the order in which they first speak. */
export function groupVoices(stretches: readonly PrintedStretch[], options: GroupOptions = {}): number[] {
  const { mostSpeakers = 4, samePerson = SAME_PERSON } = options;
  let groups = stretches.map((_, index) => [index]);
  const alike = stretches.map((one) => stretches.map((other) => compare(one, other)));
  while (groups.length > 1) {
    const best = closestPair(groups, alike);
    if (best.likeness < samePerson && groups.length <= mostSpeakers) break;
    groups = join(groups, best.first, best.second);
  }
  for (;;) {
    const small = groups.findIndex(
      (group) => group.reduce((sum, index) => sum + stretches[index]!.seconds, 0) < SHORTEST_SECONDS,
    );
    if (small < 0 || groups.length === 1) break;
    const nearest = groups
      .map((group, index) => ({ index, likeness: index === small ? -2 : average(groups[small]!, group, alike) }))
      .sort((a, b) => b.likeness - a.likeness)[0]!.index;
    groups = join(groups, small, nearest);
  }
  const inOrder = groups.sort((a, b) => Math.min(...a) - Math.min(...b));
  return stretches.map((_, index) => inOrder.findIndex((group) => group.includes(index)));
}

function compare(a: PrintedStretch, b: PrintedStretch): number {
  const apart = a.medianHz && b.medianHz ? Math.abs(toSemitones(a.medianHz / b.medianHz)) : 0;
  return likeness(a.print, b.print) - SEMITONE_WORTH * Math.max(0, apart - USUAL_SEMITONES);
}

function closestPair(groups: readonly number[][], alike: readonly number[][]) {
  let best = { first: 0, second: 1, likeness: -2 };
  for (let first = 0; first < groups.length; first++) {
    for (let second = first + 1; second < groups.length; second++) {
      const found = average(groups[first]!, groups[second]!, alike);
      if (found > best.likeness) best = { first, second, likeness: found };
    }
  }
  return best;
}

function average(a: readonly number[], b: readonly number[], alike: readonly number[][]): number {
  let sum = 0;
  for (const i of a) for (const j of b) sum += alike[i]![j]!;
  return sum / (a.length * b.length);
}

function join(groups: readonly number[][], first: number, second: number): number[][] {
  const joined = [...groups[first]!, ...groups[second]!];
  return [...groups.filter((_, index) => index !== first && index !== second), joined];
}
