import { Problem } from "../../../platform/errors.ts";
import { serveChild } from "../host/serve-child.ts";
import { decodeTrack, type SoundBlock } from "./decode-track.ts";
import { mendTruncated } from "./mend.ts";
import { openTrack } from "./open-track.ts";
import { toHearingRate } from "./to-hearing-rate.ts";
import { unreadable } from "./unreadable.ts";

serveChild({
  async load() {},
  tasks: {
    async *decode({ bytes }: { bytes: Uint8Array }) {
      // Waiting for this process does not count as decoding; from here on it does.
      yield new Int16Array(0);
      await new Promise((resolve) => setImmediate(resolve));
      let hasSound = false;
      try {
        for await (const chunk of toHearingRate(readBlocks(bytes))) {
          hasSound = true;
          yield chunk;
        }
      } catch (error) {
        if (error instanceof Problem) throw error;
        throw unreadable("it is damaged", error);
      }
      if (!hasSound) throw unreadable("no decodable audio");
    },
  },
});

/** The blocks of a file; where it breaks off, the part before stands. */
async function* readBlocks(upload: Uint8Array): AsyncGenerator<SoundBlock> {
  const bytes = mendTruncated(upload);
  let hasSound = false;
  try {
    for await (const block of decodeTrack(await openTrack(bytes), bytes)) {
      hasSound ||= (block.channels[0]?.length ?? 0) > 0;
      yield block;
    }
  } catch (error) {
    if (!hasSound || error instanceof Problem) throw error;
  }
}
