import { readFileSync } from "node:fs";
import { join } from "node:path";
import { joinSamples, toPcm16 } from "../../src/audio/pcm.ts";
import { readWav, wavHeader } from "../../src/audio/wav.ts";
import { call, form } from "../../tests/support/call.ts";
import { clips, readClip } from "../../tests/support/speech-clips.ts";
import { startBenchServer } from "../support/start-bench-server.ts";

// How long a line of speech and a short recording take beside a dub of five minutes, against the same alone, in one run, by the stage
// that the dub was in. Goal: at most a second more.
//   npm run bench -- dub/beside [minutes of the dub, default 5]
const RATE_HZ = 16_000;
const data = process.env.PARLANCE_DATA;
if (!data) throw new Error("Set PARLANCE_DATA to a folder with speech/.");
const wantedSamples = Number(process.argv[2] ?? 5) * 60 * RATE_HZ;
const server = await startBenchServer({ SVC_EDGE_UPLOAD_LIMIT: "25MB", SVC_RATE_PER_MINUTE: "1000" });
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

/** From sending it to its words. */
async function hearClip(): Promise<number> {
  const began = performance.now();
  const { status, text } = await call(`${server.url}/v1/transcribe`, {
    key: server.key,
    body: form({ file: new Blob([readClip(clips.english)]), language: "en-us" }),
  });
  if (status !== 200) throw new Error(text);
  return performance.now() - began;
}

const asked = { "a line": sayLine, "a short recording": hearClip };
type Asked = keyof typeof asked;
const times = new Map<string, number[]>();

async function measure(name: Asked, stage: () => string): Promise<void> {
  const began = stage();
  const ms = await asked[name]();
  const ended = stage();
  const key = `${name}, ${began === ended ? began : `${began} to ${ended}`}`;
  times.set(key, [...(times.get(key) ?? []), ms]);
}

for (const name of Object.keys(asked) as Asked[]) {
  await asked[name]();
  for (let turn = 0; turn < 6; turn++) await measure(name, () => "alone");
}

let stage = "decoding";
let isDone = false;
const began = performance.now();
const dubbing = dub((now) => {
  stage = now;
}).finally(() => {
  isDone = true;
});
while (!isDone) {
  for (const name of Object.keys(asked) as Asked[]) {
    if (isDone) break;
    await measure(name, () => stage);
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}
await dubbing;
console.log(
  `the dub of ${(pcm.length / 2 / RATE_HZ / 60).toFixed(1)} minutes took ${seconds(performance.now() - began)}`,
);
for (const name of Object.keys(asked)) {
  const alone = at(times.get(`${name}, alone`)!, 0.5);
  const beside = [...times].filter(([key]) => key.startsWith(name) && key !== `${name}, alone`);
  for (const [key, values] of [[`${name}, alone`, times.get(`${name}, alone`)!] as const, ...beside])
    console.log(`${key}: p50 ${seconds(at(values, 0.5))}, most ${seconds(at(values, 1))}, of ${values.length}`);
  const all = beside.flatMap(([, values]) => values);
  console.log(
    `${name} beside the dub takes longer by: p50 ${seconds(at(all, 0.5) - alone)}, p95 ${seconds(at(all, 0.95) - alone)}, most ${seconds(at(all, 1) - alone)}, of ${all.length} (goal: at most 1 s)`,
  );
}
await server.close();
process.exit(0);

/** The dub, telling each stage that it comes to. */
async function dub(onStage: (stage: string) => void): Promise<void> {
  const response = await fetch(`${server.url}/v1/dub`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.key}`, accept: "text/event-stream" },
    body: form({ file, target_language: "en-us", source_language: "es", timing: "true" }),
  });
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true });
    const last = text.lastIndexOf('"stage":"');
    if (last >= 0) onStage(/"stage":"(\w+)/.exec(text.slice(last))?.[1] ?? "between");
  }
  if (!text.includes('"type":"result"')) throw new Error(text.slice(0, 1000));
}

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
