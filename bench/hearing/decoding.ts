// CPU of decoding uploads, against native ffmpeg on the same files.   npm run bench -- hearing/decoding
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeTrack } from "../../src/adapters/engines/media-decoder/decode-track.ts";
import { openTrack } from "../../src/adapters/engines/media-decoder/open-track.ts";
import { toHearingRate } from "../../src/adapters/engines/media-decoder/to-hearing-rate.ts";
import { LONGEST_AUDIO_SECONDS } from "../../src/ports/media-decoder.ts";

const ffmpeg = process.env.SVC_FFMPEG ?? "ffmpeg";
if (spawnSync(ffmpeg, ["-version"]).status !== 0) {
  console.error("There is no ffmpeg to compare with. Install it, or set SVC_FFMPEG to its path.");
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "parlance-decoding-"));
const source = "aevalsrc=0.4*sin(2*PI*440*t)*(1+sin(2*PI*3*t))/2|0.3*sin(2*PI*(300+5*t)*t):s=44100:d=120";
const kinds: [name: string, ...options: string[]][] = [
  ["wav", "-c:a", "pcm_s16le"],
  ["mp3", "-c:a", "libmp3lame", "-b:a", "64k"],
  ["m4a", "-c:a", "aac", "-b:a", "64k"],
  ["webm", "-c:a", "libopus", "-b:a", "32k"],
  ["ogg", "-c:a", "libvorbis"],
  ["flac", "-c:a", "flac"],
];

for (const [name, ...options] of kinds) {
  const file = join(folder, `sound.${name}`);
  spawnSync(ffmpeg, ["-v", "error", "-y", "-f", "lavfi", "-i", source, ...options, file]);
  const bytes = readFileSync(file);
  await decode(bytes);
  const before = process.cpuUsage();
  const seconds = await decode(bytes);
  const { user, system } = process.cpuUsage(before);
  const ours = (user + system) / 1e6;
  const native = nativeCpu(file);
  console.log(
    `${name}: ${(seconds / ours).toFixed(0)} times real time, ${(ours / native).toFixed(1)} times the CPU of ffmpeg (${ours.toFixed(2)} s and ${native.toFixed(2)} s for ${seconds.toFixed(0)} s)`,
  );
}
rmSync(folder, { recursive: true });

async function decode(bytes: Uint8Array): Promise<number> {
  let samples = 0;
  const opened = await openTrack(bytes, LONGEST_AUDIO_SECONDS);
  for await (const chunk of toHearingRate(decodeTrack(opened, bytes), LONGEST_AUDIO_SECONDS)) samples += chunk.length;
  return samples / 16_000;
}

/** CPU seconds of ffmpeg for the same work, one thread, without starting up. */
function nativeCpu(file: string): number {
  const output = ["-map", "0:a:0", "-ac", "1", "-ar", "16000", "-f", "s16le", "-"];
  const options = ["-benchmark", "-threads", "1", "-i", file, ...output];
  const { stderr } = spawnSync(ffmpeg, options, { maxBuffer: 1e9, encoding: "utf8" });
  const [, user, system] = /utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
  return Number(user) + Number(system);
}
