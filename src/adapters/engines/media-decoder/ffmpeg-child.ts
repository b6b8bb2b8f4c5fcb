import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LONGEST_AUDIO_SECONDS } from "../../../ports/media-decoder.ts";
import { serveChild } from "../host/serve-child.ts";
import type { SoundBlock } from "./sound-block.ts";
import { toHearingRate } from "./to-hearing-rate.ts";
import { unreadable } from "./unreadable.ts";

/** Memory that looks like a folder. Uploads never touch a disk, and ffmpeg must be able to seek. */
const memoryFolder = "/dev/shm";

serveChild({
  async load({ ffmpeg }: { ffmpeg: string }) {
    if (!existsSync(ffmpeg)) throw new Error(`SVC_FFMPEG: there is no file "${ffmpeg}"`);
    return ffmpeg;
  },
  tasks: {
    async *decode({ bytes }: { bytes: Uint8Array }, ffmpeg: string, signal) {
      yield new Int16Array(0);
      if (!existsSync(memoryFolder)) throw new Error("SVC_FFMPEG needs /dev/shm");
      const folder = await mkdtemp(join(memoryFolder, "parlance-"));
      try {
        const file = join(folder, "upload");
        await writeFile(file, bytes, { mode: 0o600 });
        let hasSound = false;
        for await (const chunk of toHearingRate(runFfmpeg(ffmpeg, file, signal))) {
          hasSound = true;
          yield chunk;
        }
        if (!hasSound) throw unreadable("no decodable audio");
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
});

async function* runFfmpeg(ffmpeg: string, file: string, signal: AbortSignal): AsyncGenerator<SoundBlock> {
  const options = [
    "-nostdin",
    "-v",
    "error",
    "-protocol_whitelist",
    "file,pipe",
    "-t",
    String(LONGEST_AUDIO_SECONDS + 1),
  ];
  const output = ["-map", "0:a:0", "-ac", "1", "-ar", "16000", "-f", "f32le", "pipe:1"];
  const child = spawn(ffmpeg, [...options, "-i", file, ...output], { stdio: ["ignore", "pipe", "ignore"], signal });
  child.once("error", () => {});
  let rest = Buffer.alloc(0);
  for await (const part of child.stdout as AsyncIterable<Buffer>) {
    const joined = Buffer.concat([rest, part]);
    const whole = joined.length - (joined.length % 4);
    rest = joined.subarray(whole);
    const samples = new Float32Array(joined.buffer.slice(joined.byteOffset, joined.byteOffset + whole));
    yield { channels: [samples], sampleRateHz: 16_000 };
  }
}
