import { Problem } from "../../../platform/errors.ts";
import { serveChild } from "../host/serve-child.ts";
import { decodeTrack, isPlainSamples } from "./decode-track.ts";
import { mendTruncated } from "./mend.ts";
import { type OpenTrack, openTrack } from "./open-track.ts";
import type { SoundBlock } from "./sound-block.ts";
import { toHearingRate } from "./to-hearing-rate.ts";
import { unreadable } from "./unreadable.ts";

serveChild({
  async load({ longestSeconds }: { longestSeconds: number }) {
    return longestSeconds;
  },
  tasks: {
    async *decode({ bytes }: { bytes: Uint8Array }, longestSeconds: number) {
      // Waiting for this process does not count as decoding; from here on it does.
      yield new Int16Array(0);
      await new Promise((resolve) => setImmediate(resolve));
      let hasSound = false;
      let isPlain = false;
      try {
        const mended = mendTruncated(bytes);
        const opened = await openTrack(mended, longestSeconds);
        isPlain = isPlainSamples(opened.codec);
        for await (const chunk of toHearingRate(readBlocks(opened, mended), longestSeconds)) {
          hasSound = true;
          yield chunk;
        }
      } catch (error) {
        if (error instanceof Problem) throw error;
        throw unreadable("it is damaged", error);
      }
      // Samples that need no decoder cannot be undecodable: where there are none, the recording is empty.
      if (!hasSound && !isPlain) throw unreadable("no decodable audio");
    },
  },
});

/** The blocks of a file; where it breaks off, the part before stands. */
async function* readBlocks(opened: OpenTrack, bytes: Uint8Array): AsyncGenerator<SoundBlock> {
  let hasSound = false;
  try {
    for await (const block of decodeTrack(opened, bytes)) {
      hasSound ||= (block.channels[0]?.length ?? 0) > 0;
      yield block;
    }
  } catch (error) {
    if (!hasSound || error instanceof Problem) throw error;
  }
}
