import { readFileSync } from "node:fs";
import { join } from "node:path";
import { joinSamples, toPcm16 } from "../../src/audio/pcm.ts";
import { readWav, wavHeader } from "../../src/audio/wav.ts";
import { call, form } from "../../tests/support/call.ts";
import { startServer } from "../../tests/support/start-server.ts";

// How long a line of speech takes beside a dub of five minutes, against the same line alone, in one run. Goal: at most a second more.
//   npm run bench -- dub/beside [minutes of the dub, default 5]
const RATE_HZ = 16_000;
const data = process.env.PARLANCE_DATA;
if (!data) throw new Error("Set PARLANCE_DATA to a folder with speech/.");
const wantedSamples = Number(process.argv[2] ?? 5) * 60 * RATE_HZ;
const server = await startServer({ SVC_EDGE_UPLOAD_LIMIT: "25MB", SVC_RATE_PER_MINUTE: "1000" });
const pcm = toPcm16(longRecording().slice(0, wantedSamples));
const file = new Blob([Buffer.concat([wavHeader({ sampleRateHz: RATE_HZ }, pcm.length), pcm])]);

/** From asking to the whole of the sound. */
async function sayLine(): Promise<number> {
  const began = performance.now();
  const { status, text } = await call(`${server.url}/v1/speech`, {
    key: server.key,
    json: { text: "Your taxi is waiting at the door.", language: "en-us", voice: "af_heart" },
  });
  if (status !== 200) throw new Error(text);
  return performance.now() - began;
}

await sayLine();
const alone: number[] = [];
for (let turn = 0; turn < 8; turn++) alone.push(await sayLine());

let isDone = false;
const began = performance.now();
const dubbing = call(`${server.url}/v1/dub`, {
  key: server.key,
  body: form({ file, target_language: "en-us", source_language: "es", timing: "true" }),
}).finally(() => {
  isDone = true;
});
const beside: number[] = [];
while (!isDone) {
  beside.push(await sayLine());
  await new Promise((resolve) => setTimeout(resolve, 1500));
}
const { status, text } = await dubbing;
if (status !== 200) throw new Error(text);
console.log(
  `the dub of ${(pcm.length / 2 / RATE_HZ / 60).toFixed(1)} minutes took ${seconds(performance.now() - began)}`,
);
for (const [name, times] of Object.entries({ alone, beside }))
  console.log(`a line ${name}: p50 ${seconds(at(times, 0.5))}, most ${seconds(at(times, 1))}, of ${times.length}`);
console.log(
  `longer beside the dub: p50 ${seconds(at(beside, 0.5) - at(alone, 0.5))}, most ${seconds(at(beside, 1) - at(alone, 0.5))} (goal: at most 1 s)`,
);
await server.close();
process.exit(0);

/** Clips of people one after the other, and again until it is long enough. */
function longRecording(): Float32Array {
  const own = readFileSync(join(data!, "speech", "manifest.tsv"), "utf8")
    .trim()
    .split("\n")
    .map((row) => row.split("\t"))
    .filter(([, language]) => language === "es")
    .map(([path]) => readWav(readFileSync(join(data!, "speech", path!)))!.samples);
  const parts: Float32Array[] = [];
  for (let length = 0, index = 0; length < wantedSamples; index++) {
    parts.push(own[index % own.length]!, new Float32Array(RATE_HZ / 2));
    length += own[index % own.length]!.length + RATE_HZ / 2;
  }
  return joinSamples(parts);
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
