import { readFileSync } from "node:fs";
import { join } from "node:path";
import { joinSamples, toPcm16 } from "../../src/audio/pcm.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav, wavHeader } from "../../src/audio/wav.ts";
import { call, form } from "../../tests/support/call.ts";
import { countWordErrors, toWords } from "../../tests/support/listener.ts";
import { cpuSeconds } from "../support/cpu.ts";
import { startBenchServer } from "../support/start-bench-server.ts";
import { chrf } from "../translation/chrf.ts";
import { createVoiceActivity } from "./speech-starts.ts";

// Dubs speech into another language and hears the dub again. Needs PARLANCE_DATA (speech/, mt/).
//   npm run bench -- dub/run [clips per recording] [recordings]
const RATE_HZ = 16_000;
const data = process.env.PARLANCE_DATA;
if (!data) throw new Error("Set PARLANCE_DATA to a folder with speech/ and mt/.");
const perRecording = Number(process.argv[2] ?? 4);
const recordings = Number(process.argv[3] ?? 2);
const server = await startBenchServer({ SVC_EDGE_UPLOAD_LIMIT: "25MB" });
const starts = createVoiceActivity();

interface Recording {
  name: string;
  source: string;
  target: string;
  samples: Float32Array;
  /** The right translation, where it is known. */
  reference?: string;
}

/** Clips of people one after the other with pauses, as a talk would be. */
function humanRecordings(language: string, source: string, target: string): Recording[] {
  const rows = readFileSync(join(data!, "speech", "manifest.tsv"), "utf8")
    .trim()
    .split("\n")
    .map((row) => row.split("\t"));
  const own = rows.filter(
    ([path, code, , seconds]) => code === language && Number(seconds) < 20 && !/cards|mfa/.test(path!),
  );
  return Array.from({ length: recordings }, (_, index) => {
    const files = own.slice(index * perRecording, (index + 1) * perRecording);
    const parts = files.flatMap(([path]) => [
      readWav(readFileSync(join(data!, "speech", path!)))!.samples,
      new Float32Array(RATE_HZ),
    ]);
    return { name: `people, ${source} to ${target}`, source, target, samples: joinSamples(parts) };
  }).filter(({ samples }) => samples.length > 0);
}

/** Sentences whose translation is known, spoken by a voice of ours. */
async function spokenRecording(source: string, target: string, voice: string): Promise<Recording> {
  const read = (code: string) =>
    readFileSync(join(data!, "mt", `flores-${code.split("-")[0]}.txt`), "utf8")
      .split("\n")
      .slice(40, 40 + perRecording);
  const parts: Float32Array[] = [];
  for (const text of read(source)) {
    const reply = await fetch(`${server.url}/v1/speech`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify({ text, language: source, voice }),
    });
    const { samples, sampleRateHz } = readWav(new Uint8Array(await reply.arrayBuffer()))!;
    parts.push(resample(samples, sampleRateHz, RATE_HZ), new Float32Array(RATE_HZ));
  }
  return {
    name: `FLORES, ${source} to ${target}`,
    source,
    target,
    samples: joinSamples(parts),
    reference: read(target).join(" "),
  };
}

async function dub(recording: Recording, fields: Record<string, string>) {
  const pcm = toPcm16(recording.samples);
  const file = new Blob([Buffer.concat([wavHeader({ sampleRateHz: RATE_HZ }, pcm.length), pcm])]);
  const wanted = { target_language: recording.target, source_language: recording.source, timing: "true", ...fields };
  const [cpu, began] = [cpuSeconds(), performance.now()];
  const { status, json, text } = await call(`${server.url}/v1/dub`, {
    key: server.key,
    body: form({ file, ...wanted }),
  });
  if (status !== 200) throw new Error(text);
  const minutes = recording.samples.length / RATE_HZ / 60;
  const cost = { cpu: (cpuSeconds() - cpu) / minutes, seconds: (performance.now() - began) / 1000 / minutes };
  return { json, ...cost };
}

/** Of every segment of every recording: four of one recording have no 95th percentile. */
const allErrors: number[] = [];

function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(0.95 * (sorted.length - 1))] ?? Number.NaN;
}

async function judge(recording: Recording, fields: Record<string, string>): Promise<void> {
  const { json, cpu, seconds } = await dub(recording, fields);
  const heard = await call(`${server.url}/v1/transcribe`, {
    key: server.key,
    body: form({ file: new Blob([Buffer.from(json.audio, "base64")]), language: recording.target }),
  });
  const { samples, sampleRateHz } = readWav(Buffer.from(json.audio, "base64"))!;
  const onsets = await starts.find(resample(samples, sampleRateHz, RATE_HZ));
  const sourceOnsets = await starts.find(recording.samples);
  type Segment = { sourceStartMs: number; startMs: number; stretch: number };
  const segments = json.segments as Segment[];
  const nearest = (all: readonly number[], at: number) =>
    all.reduce((best, one) => (Math.abs(one - at) < Math.abs(best - at) ? one : best), Number.POSITIVE_INFINITY);
  // From where the source is heard to begin to where the dub is heard to begin; a sentence that follows another without a pause has no such place.
  const errors = segments
    .map(({ sourceStartMs }) => ({ from: nearest(sourceOnsets, sourceStartMs), at: sourceStartMs }))
    .filter(({ from, at }) => Math.abs(from - at) < 250)
    .map(({ from }) => Math.abs(nearest(onsets, from) - from));
  allErrors.push(...errors);
  const words = toWords(json.translation).length;
  const drift = Math.abs(json.durationMs / ((recording.samples.length * 1000) / RATE_HZ) - 1);
  const figures = {
    segments: segments.length,
    speakers: json.speakers,
    "words kept %": 100 - (100 * countWordErrors(json.translation, heard.json.text)) / words,
    "start error p95 ms": p95(errors),
    "drift %": 100 * drift,
    "faster than 1.3 %": (100 * segments.filter(({ stretch }) => stretch > 1.3).length) / segments.length,
    ...(recording.reference ? { chrF: chrf([json.translation], [recording.reference]) } : {}),
    "CPU s per minute": cpu,
    "s per minute": seconds,
  };
  const shown = Object.entries(figures).map(([key, value]) => `${key} ${Number(value).toFixed(1)}`);
  console.log(`${recording.name} ${JSON.stringify(fields)}: ${shown.join(", ")}`);
}

const all = [
  ...humanRecordings("es", "es", "en-us"),
  ...humanRecordings("en", "en-us", "es"),
  await spokenRecording("es", "en-us", "ef_dora"),
  await spokenRecording("en-us", "es", "en_nora"),
];
for (const recording of all) await judge(recording, recording.target === "en-us" ? { voice: "en_nora" } : {});
await judge(all[0]!, { preserve_voice: "true" });
console.log(
  `start error over all ${allErrors.length} segments: p95 ${p95(allErrors)} ms, most ${Math.max(...allErrors)} ms`,
);
await starts.close();
await server.close();
// The engines are shared with servers that come later, and here none does.
process.exit(0);
