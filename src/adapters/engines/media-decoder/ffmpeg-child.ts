import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serveChild } from "../host/serve-child.ts";
import { memoryFolder } from "./memory-folder.ts";
import type { SoundBlock } from "./sound-block.ts";
import { toHearingRate } from "./to-hearing-rate.ts";
import { unreadable } from "./unreadable.ts";

interface FfmpegChildSettings {
  readonly ffmpeg: string;
  readonly longestSeconds: number;
}

serveChild({
  async load(settings: FfmpegChildSettings) {
    if (!existsSync(settings.ffmpeg)) throw new Error(`SVC_FFMPEG: there is no file "${settings.ffmpeg}"`);
    return settings;
  },
  tasks: {
    async *decode({ bytes }: { bytes: Uint8Array }, settings: FfmpegChildSettings, signal) {
      yield new Int16Array(0);
      if (!existsSync(memoryFolder)) throw new Error("SVC_FFMPEG needs /dev/shm");
      const folder = await mkdtemp(join(memoryFolder, "parlance-"));
      try {
        const file = join(folder, "upload");
        await writeFile(file, bytes, { mode: 0o600 });
        let hasSound = false;
        for await (const chunk of toHearingRate(runFfmpeg(settings, file, signal), settings.longestSeconds)) {
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

async function* runFfmpeg(
  { ffmpeg, longestSeconds }: FfmpegChildSettings,
  file: string,
  signal: AbortSignal,
): AsyncGenerator<SoundBlock> {
  const options = ["-nostdin", "-v", "error", "-protocol_whitelist", "file,pipe", "-t", String(longestSeconds + 1)];
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
