import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readModels } from "../../adapters/models/catalog.ts";
import { createModelStore } from "../../adapters/models/model-folder.ts";
import { joinSamples } from "../../audio/pcm.ts";
import { resample } from "../../audio/resample.ts";
import { readWav } from "../../audio/wav.ts";
import { createLog } from "../../platform/log.ts";
import { packageRoot } from "../../platform/package-root.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { HEARING_RATE_HZ } from "../../ports/voice-activity.ts";
import { createEngines, type Engines } from "../engines.ts";
import { createStatusBoard, type StatusBoard } from "../status-board.ts";
import { wordErrors } from "./word-errors.ts";

export interface EngineCheck {
  readonly check: string;
  readonly engine: string;
  /** What went wrong, as a share in percent; empty where nothing is compared. */
  readonly wrong: string;
  readonly speed: string;
  readonly memoryMb: number;
  readonly answer: string;
}

/** What the platform's own voices said, as the suite hears it, and says it again. */
const sentences = [
  { clip: "english.wav", language: "en-us", text: "He could wait no longer." },
  {
    clip: "spanish.wav",
    language: "es",
    text: "Es esencial que cuente con calzado de suelas apropiadas, porque los zapatos de verano resbalan mucho en el hielo y la nieve.",
  },
  {
    clip: "german.wav",
    language: "de",
    text: "Der alte Mann ging jeden Morgen durch den Wald und sprach mit den Vögeln.",
  },
  {
    clip: "french.wav",
    language: "fr",
    text: "Le petit train traverse la vallée tous les matins, et les enfants lui font signe depuis la fenêtre.",
  },
];

const question = { text: "What is the capital of France?", answer: /paris/i };
/** The first two mean the same. */
const meanings = ["The invoice is due on Friday.", "Payment is expected this Friday.", "A cat sleeps in the sun."];
const turn = { key: "doctor", flow: "doctor" };

/** Runs the engines that the settings name on a few sentences, so that a person sees what a change of models brought. */
export async function* checkEngines(settings: Settings): AsyncGenerator<EngineCheck> {
  const { modelsDir } = settings.storage;
  const models = createModelStore(modelsDir, readModels(modelsDir));
  const board = createStatusBoard(models);
  const engines = createEngines({ settings, models, board, log: createLog({ ...settings.log, level: "silent" }) });
  const signal = AbortSignal.timeout(15 * 60_000);
  try {
    for (const sentence of sentences) yield* checkHearing(engines, board, sentence, signal);
    for (const sentence of sentences) yield* checkSpeech(engines, board, sentence, signal);
    yield await checkChat(engines, board, signal);
    yield await checkEmbeddings(engines, board, signal);
    if (engines.words.reranking.modelName) yield await checkReranking(engines, board, signal);
  } finally {
    await engines.close();
  }
}

type Sentence = (typeof sentences)[number];

async function* checkHearing(engines: Engines, board: StatusBoard, sentence: Sentence, signal: AbortSignal) {
  const path = join(packageRoot(), "tests", "fixtures", "speech", sentence.clip);
  const { transcription } = engines.hearing;
  if (!existsSync(path) || !transcription.languages().includes(sentence.language)) return;
  const { samples, sampleRateHz } = readWav(readFileSync(path))!;
  yield await attempt(`hear ${sentence.language}`, board, "transcription", async () =>
    hear(engines, resample(samples, sampleRateHz, HEARING_RATE_HZ), sentence, signal),
  );
}

async function hear(engines: Engines, samples: Float32Array, { language, text }: Sentence, signal: AbortSignal) {
  const seconds = samples.length / HEARING_RATE_HZ;
  const request = { samples, speechMs: seconds * 1000, language, isInterim: false, ...turn };
  // The first answer loads the model.
  await engines.hearing.transcription.hear(request, signal);
  const startedMs = performance.now();
  const heard = await engines.hearing.transcription.hear(request, signal);
  const speed = `${((seconds * 1000) / (performance.now() - startedMs)).toFixed(1)} x real time`;
  return { wrong: percent(wordErrors(text, heard.text)), speed, answer: heard.text };
}

async function* checkSpeech(engines: Engines, board: StatusBoard, sentence: Sentence, signal: AbortSignal) {
  const spoken = engines.speech.languages().find(({ code }) => code === sentence.language);
  const voice = spoken?.voices[0];
  if (!voice) return;
  yield await attempt(`speak ${sentence.language} (${voice.id})`, board, "speech", async () => {
    const request = { text: sentence.text, language: sentence.language, voice: voice.id, speed: 1, ...turn };
    const say = async () => {
      const parts: Float32Array[] = [];
      for await (const { samples } of engines.plainSpeech.speak(request, signal)) parts.push(samples);
      return joinSamples(parts);
    };
    await say();
    const startedMs = performance.now();
    const samples = await say();
    const tookMs = performance.now() - startedMs;
    const rate = engines.speech.sampleRateHz(sentence.language);
    const speed = `${(((samples.length / rate) * 1000) / tookMs).toFixed(1)} x real time`;
    if (!engines.hearing.transcription.languages().includes(sentence.language)) return { wrong: "", speed, answer: "" };
    const back = await hear(engines, resample(samples, rate, HEARING_RATE_HZ), sentence, signal);
    return { wrong: back.wrong, speed, answer: `heard back: ${back.answer}` };
  });
}

function checkChat(engines: Engines, board: StatusBoard, signal: AbortSignal): Promise<EngineCheck> {
  return attempt("chat", board, "chat", async () => {
    const messages = [{ role: "user" as const, content: question.text }];
    const request = { messages, temperature: 0, maxTokens: 48, ...turn };
    for await (const _ of engines.words.chat.answer({ ...request, maxTokens: 1 }, signal));
    let [text, tokens] = ["", 0];
    const startedMs = performance.now();
    for await (const event of engines.words.chat.answer(request, signal)) {
      if (event.type === "delta") text += event.text;
      else tokens = event.usage.outputTokens;
    }
    const speed = `${((tokens * 1000) / (performance.now() - startedMs)).toFixed(1)} tokens/s`;
    return { wrong: percent(question.answer.test(text) ? 0 : 1), speed, answer: text };
  });
}

function checkEmbeddings(engines: Engines, board: StatusBoard, signal: AbortSignal): Promise<EngineCheck> {
  return attempt("embed", board, "embeddings", async () => {
    const embed = () => engines.words.plainEmbeddings.embed({ texts: meanings, ...turn }, signal);
    await embed();
    const startedMs = performance.now();
    const { vectors } = await embed();
    const speed = `${((performance.now() - startedMs) / meanings.length).toFixed(0)} ms a text`;
    const [first, same, other] = vectors as [Float32Array, Float32Array, Float32Array];
    const [near, far] = [cosine(first, same), cosine(first, other)];
    return { wrong: percent(near > far ? 0 : 1), speed, answer: `alike ${near.toFixed(2)}, unlike ${far.toFixed(2)}` };
  });
}

/** Only a reranker of one's own: the shipped one is made of embeddings. */
function checkReranking(engines: Engines, board: StatusBoard, signal: AbortSignal): Promise<EngineCheck> {
  return attempt("rerank", board, "reranking", async () => {
    const [query, ...documents] = meanings;
    const rank = () => engines.words.reranking.score({ query: query!, documents, ...turn }, signal);
    await rank();
    const startedMs = performance.now();
    const { scores } = await rank();
    const speed = `${((performance.now() - startedMs) / documents.length).toFixed(0)} ms a document`;
    const [near, far] = scores as [number, number];
    return { wrong: percent(near > far ? 0 : 1), speed, answer: `alike ${near.toFixed(2)}, unlike ${far.toFixed(2)}` };
  });
}

type Outcome = Pick<EngineCheck, "wrong" | "speed" | "answer">;

/** What fails is a line of the table, not the end of it. */
async function attempt(
  check: string,
  board: StatusBoard,
  capability: string,
  run: () => Promise<Outcome>,
): Promise<EngineCheck> {
  const outcome = await run().catch((error: unknown): Outcome => {
    return { wrong: "", speed: "", answer: error instanceof Error ? error.message : String(error) };
  });
  const running = await measured(board, capability);
  const engine = running.map(({ name }) => name).join(", ");
  const bytes = running.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
  return { check, engine, memoryMb: Math.round(bytes / 1e6), ...outcome };
}

/** The engines of a capability that run. They tell their size when they are next asked, every few seconds. */
async function measured(board: StatusBoard, capability: string) {
  const look = () =>
    board
      .entries()
      .filter((entry) => entry.capability === capability)
      .map((entry) => entry.status())
      .filter(({ state }) => state === "ready");
  for (let tries = 0; tries < 40 && look().some(({ rssBytes }) => rssBytes === 0); tries++) await sleep(200);
  return look();
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}
