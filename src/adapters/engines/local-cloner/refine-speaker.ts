import { likeness } from "../../../ports/voice-printer.ts";

export interface Refining {
  /** The print of the whole clip, and those of its two halves. */
  readonly whole: Float32Array;
  readonly halves: readonly [Float32Array, Float32Array];
  readonly rounds: number;
  toSpeaker(print: ArrayLike<number>): Float32Array;
  /** Speaks with a speaker and prints it. */
  listen(speaker: Float32Array): Promise<Float32Array>;
}

/** How far what is missing is made up for in one step. */
const STEP = 0.4;
/** What speaking the same thing twice can differ by. */
const LEAST_GAIN = 0.02;

/**
 * Asks for more of what the voice lacks, step by step. A print of a few seconds is a noisy one, and following it to the end makes
 * a voice that fits this clip and nobody: so each half of the clip proposes a step, and the other half, which knows nothing of it,
 * judges. Only what both agree on is taken.
 */
export async function refineSpeaker({ whole, halves, rounds, toSpeaker, listen }: Refining): Promise<Float32Array> {
  let asked: Float32Array = whole;
  let heard = rounds > 0 ? await listen(toSpeaker(asked)) : whole;
  for (let round = 0; round < rounds; round++) {
    let gain = 0;
    for (const [index, half] of halves.entries()) {
      const judge = halves[1 - index]!;
      const proposed = await listen(toSpeaker(step(asked, half, heard)));
      gain += (likeness(judge, proposed) - likeness(judge, heard)) / 2;
    }
    if (gain < LEAST_GAIN) break;
    asked = step(asked, whole, heard);
    heard = await listen(toSpeaker(asked));
  }
  return toSpeaker(asked);
}

function step(asked: Float32Array, wanted: Float32Array, heard: Float32Array): Float32Array {
  return asked.map((value, i) => value + STEP * (wanted[i]! - heard[i]!));
}
