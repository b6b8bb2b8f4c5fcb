import type { SoundBlock } from "./sound-block.ts";

/** More than the last frame of any codec, filled up with silence: a file that goes on for longer states its length wrongly. */
const MOST_FILLING_SECONDS = 0.1;

/** Leaves out what an encoder put before a recording (priming) and after it (to fill its last frame), so that the length is that of
 *  the recording. */
export async function* trimSound(
  blocks: AsyncIterable<SoundBlock>,
  { skipSeconds, declaredSeconds }: { skipSeconds(block: SoundBlock): number; declaredSeconds: number | undefined },
): AsyncGenerator<SoundBlock> {
  let toSkip: number | undefined;
  let given = 0;
  let held: SoundBlock[] = [];
  let heldSamples = 0;
  for await (const block of blocks) {
    toSkip ??= Math.round(skipSeconds(block) * block.sampleRateHz);
    const skipped = Math.min(toSkip, lengthOf(block));
    toSkip -= skipped;
    const rest = cut(block, skipped, lengthOf(block));
    const most =
      declaredSeconds === undefined ? Number.POSITIVE_INFINITY : Math.round(declaredSeconds * block.sampleRateHz);
    const within = Math.max(0, Math.min(lengthOf(rest), most - given));
    given += within;
    if (within > 0) yield cut(rest, 0, within);
    const beyond = cut(rest, within, lengthOf(rest));
    if (lengthOf(beyond) === 0) continue;
    held.push(beyond);
    heldSamples += lengthOf(beyond);
    if (heldSamples <= MOST_FILLING_SECONDS * block.sampleRateHz) continue;
    // It is no filling: what was stated is not believed any more.
    yield* held;
    held = [];
    given = Number.NEGATIVE_INFINITY;
  }
}

function lengthOf({ channels }: SoundBlock): number {
  return channels[0]?.length ?? 0;
}

function cut({ channels, sampleRateHz }: SoundBlock, start: number, end: number): SoundBlock {
  return { channels: channels.map((plane) => plane.subarray(start, end)), sampleRateHz };
}
