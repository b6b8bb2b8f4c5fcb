// Where the time between the end of speech and its final text goes: each part by itself, in CPU time where something is computed,
// so that a busy machine measures the same. Recognisers have one thread here; live answers get two where nobody else waits for one.
//   npm run bench -- hearing/answer-time [language, default en]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MoonshineModel } from "../../src/adapters/engines/moonshine/model.ts";
import { MOONSHINE_MODELS } from "../../src/adapters/engines/moonshine/moonshine.ts";
import { WhisperModel } from "../../src/adapters/engines/whisper/model.ts";
import { WHISPER_MODELS } from "../../src/adapters/engines/whisper/whisper.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { toPcm16 } from "../../src/audio/pcm.ts";
import { resample } from "../../src/audio/resample.ts";
import { readWav } from "../../src/audio/wav.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { readClips } from "./setup.ts";
import { findSpeechBounds } from "./speech-bounds.ts";

const frameMs = 32;
const language = process.argv[2] ?? "en";
const signal = new AbortController().signal;
const { folder, clips } = readClips();
const recordings = clips
  .filter((clip) => clip.language === language && clip.seconds >= 2 && clip.seconds <= 12)
  .map(({ path }) => {
    const { samples, sampleRateHz } = readWav(readFileSync(join(folder, path)))!;
    return resample(samples, sampleRateHz, 16_000);
  });
const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
const recogniser = language === "en" || language === "es" ? await openMoonshine(language) : await openWhisper();
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
  const decode = await recogniser(utterance);
  const encoded = cpuMs();
  const text = await decode();
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

/** Encodes an utterance; what it gives decodes it. */
type Recogniser = (samples: Float32Array) => Promise<() => Promise<string>>;

async function openMoonshine(spoken: "en" | "es"): Promise<Recogniser> {
  const model = await MoonshineModel.load(models.folder(MOONSHINE_MODELS[spoken]));
  return async (samples) => {
    const speech = await model.encode(samples);
    return async () => (await model.decode(speech, { mostTokens: 80, signal })).text;
  };
}

async function openWhisper(): Promise<Recogniser> {
  const model = await WhisperModel.load(models.folder(WHISPER_MODELS.small), 1);
  const room = model.takeRoom();
  return async (samples) => {
    const speech = await model.listen(samples, "quick", room, signal);
    return async () => {
      const identified = await model.identify(speech);
      return (await model.write(speech, { language, task: "transcribe", identified, mostTokens: 80, signal })).text;
    };
  };
}

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
