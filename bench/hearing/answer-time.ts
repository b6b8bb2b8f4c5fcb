// Where the time between the end of speech and its final text goes: each part by itself, in CPU time where something is computed,
// so that a busy machine measures the same.   npm run bench -- hearing/answer-time [language, default en]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MoonshineModel } from "../../src/adapters/engines/moonshine/model.ts";
import { MOONSHINE_MODELS } from "../../src/adapters/engines/moonshine/moonshine.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { toPcm16 } from "../../src/audio/pcm.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav } from "../../src/audio/wav.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { readClips } from "./setup.ts";
import { findSpeechBounds } from "./speech-bounds.ts";

const frameMs = 32;
const language = process.argv[2] === "es" ? "es" : "en";
const { folder, clips } = readClips();
const recordings = clips
  .filter((clip) => clip.language === language && clip.seconds >= 2 && clip.seconds <= 12)
  .map(({ path }) => {
    const { samples, sampleRateHz } = readWav(readFileSync(join(folder, path)))!;
    return resample(samples, sampleRateHz, 16_000);
  });
const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
const model = await MoonshineModel.load(models.folder(MOONSHINE_MODELS[language]));
const bounds = await findSpeechBounds(recordings.map((samples) => toPcm16(withSilence(samples))));
const parts: Record<string, number[]> = {
  "length of speech": [],
  "until voice activity lets go of it": [],
  "until it hears silence": [],
  encoder: [],
  decoder: [],
};
const sums: number[] = [];

for (const [index, samples] of recordings.entries()) {
  const { start, end, fadingMs, silentMs } = bounds[index]!;
  const utterance = withSilence(samples).slice(Math.max(0, start - 320) * 16, fadingMs * 16);
  const before = cpuMs();
  const speech = await model.encode(utterance);
  const encoded = cpuMs();
  const { text } = await model.decode(speech, { mostTokens: 80, signal: new AbortController().signal });
  const decoded = cpuMs();
  add("length of speech", end - start);
  add("until voice activity lets go of it", fadingMs - end);
  add("until it hears silence", silentMs - end);
  add("encoder", encoded - before);
  add("decoder", decoded - encoded);
  const silenceMs = /[^.][.?!]$/.test(text) ? 160 : 288;
  const overMs = silentMs - frameMs + silenceMs;
  sums.push(Math.max(overMs, fadingMs + decoded - before) - end);
}

for (const [part, values] of Object.entries(parts)) console.log(`${part}: ${describe(values)}`);
console.log(`final after the end of speech, were a core free: ${describe(sums)}`);
process.exit(0);

function add(part: string, ms: number): void {
  parts[part]!.push(ms);
}

function describe(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Clips end with their last word; a microphone goes on. */
function withSilence(samples: Float32Array): Float32Array {
  const longer = new Float32Array(samples.length + 16_000);
  longer.set(samples);
  return longer;
}
