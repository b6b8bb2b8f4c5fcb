import type { Catalog, EngineName } from "../adapters/workers/catalog.ts";
import type { Operation } from "../adapters/workers/serve-work.ts";
import { once } from "../adapters/workers/spread/spread.ts";
import type { HostedTask } from "../adapters/workers/spread/spread-extraction.ts";
import type { EngineGroup } from "../platform/settings/engine-settings.ts";
import { statusesOf } from "./engine-loads.ts";
import type { Engines } from "./engines.ts";
import type { StatusBoard } from "./status-board.ts";

// biome-ignore lint/suspicious/noExplicitAny: each operation is typed by the port that it calls, and called with what that port took
type Input = any;

/** What others may ask of this process's engines: the methods of their ports, by name. */
export function workerOperations(engines: Engines): Record<string, Operation> {
  const { plainSpeech, hearing, cloning, words, reader, understanding } = engines;
  const stream = (
    engine: EngineName,
    run: (input: Input, signal: AbortSignal) => AsyncIterable<unknown>,
  ): Operation => ({
    engine,
    run,
  });
  const ask = (engine: EngineName, run: (input: Input, signal: AbortSignal) => Promise<unknown>): Operation => ({
    engine,
    run: (input, signal) => once(run(input, signal)),
  });
  return {
    "speech.speak": stream("speech", (request, signal) => plainSpeech.speak(request, signal)),
    "transcription.hear": ask("transcription", (request, signal) => hearing.transcription.hear(request, signal)),
    "media.decode": stream("media", (request, signal) => hearing.decoder.decode(request, signal)),
    "activity.detect": ask("activity", (request, signal) => hearing.activity.detect(request, signal)),
    "cloning.clone": ask("cloning", (request, signal) => cloning.cloner.clone(request, signal)),
    "cloning.speak": stream("cloning", ({ request, voice }, signal) => cloning.cloner.speak(request, voice, signal)),
    "prints.print": ask("prints", (request, signal) => cloning.printer.print(request, signal)),
    "translation.translate": ask("translation", (request, signal) => words.translation.translate(request, signal)),
    "translation.quick": ask("translation", (request, signal) => words.quickTranslation.translate(request, signal)),
    "language.detect": ask("language", ({ text, turn }, signal) => words.detector.detect(text, turn, signal)),
    "chat.answer": stream("chat", (request, signal) => words.chat.answer(request, signal)),
    "chat.forget": ask("chat", async (flow) => words.chat.forget?.(flow)),
    "embeddings.embed": ask("embeddings", (request, signal) => words.plainEmbeddings.embed(request, signal)),
    "reranking.score": ask("reranking", (request, signal) => words.reranking.score(request, signal)),
    "reader.read": ask("reader", (request, signal) => reader.read(request, signal)),
    "understanding.run": stream("understanding", ({ task, input, job }: HostedTask, signal) =>
      understanding.run(task, input, { ...job, signal }),
    ),
  };
}

/** What this process can do now for others. Grows when a model arrives. */
export function workerCatalog(engines: Engines, board: StatusBoard, own: readonly EngineGroup[]): Catalog {
  const { plainSpeech, hearing, cloning, words } = engines;
  const { transcription } = hearing;
  const { translation } = words;
  const isHere = (engine: EngineName) =>
    statusesOf(board, engine).some(({ state }) => state !== "missing" && state !== "failed");
  const spoken = plainSpeech.languages();
  const heard = transcription.languages();
  return {
    ...(own.includes("speech") && spoken.length > 0
      ? { speech: { languages: spoken.map((one) => ({ ...one, sampleRateHz: plainSpeech.sampleRateHz(one.code) })) } }
      : {}),
    ...(own.includes("transcription")
      ? {
          ...(isHere("transcription")
            ? {
                transcription: {
                  languages: [...heard],
                  ratings: Object.fromEntries(
                    heard.flatMap((code) => {
                      const rating = transcription.rate?.(code);
                      return rating ? [[code, rating]] : [];
                    }),
                  ),
                  takesAnyLanguage: transcription.takesAnyLanguage ?? false,
                  translates: transcription.translates ?? false,
                },
              }
            : {}),
          media: {},
          ...(isHere("activity") ? { activity: {} } : {}),
        }
      : {}),
    ...(own.includes("cloning") && cloning.cloner.missing() === undefined
      ? {
          cloning: {
            name: cloning.cloner.name,
            matches: Object.fromEntries(spoken.map(({ code }) => [code, cloning.cloner.match(code)])),
          },
        }
      : {}),
    ...(own.includes("cloning") && cloning.printer.missing() === undefined ? { prints: {} } : {}),
    ...(own.includes("translation")
      ? {
          translation: {
            directions: [...translation.directions()],
            takesAnyDirection: translation.takesAnyDirection ?? false,
          },
          language: {},
        }
      : {}),
    ...(own.includes("chat") && isHere("chat") ? { chat: {} } : {}),
    ...(own.includes("embeddings") && isHere("embeddings") ? { embeddings: {} } : {}),
    ...(own.includes("embeddings") && isHere("reranking") ? { reranking: {} } : {}),
    ...(own.includes("extraction") ? { reader: {}, understanding: {} } : {}),
  };
}
