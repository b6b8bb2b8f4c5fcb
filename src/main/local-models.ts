import { CHAT_WINDOW_TOKENS } from "../adapters/engines/llama/llama-chat.ts";
import type { ChatEngine } from "../ports/chat-engine.ts";
import type { EmbeddingEngine } from "../ports/embedding-engine.ts";
import type {
  LocalChatModel,
  LocalEmbeddingModel,
  LocalModel,
  LocalModels,
  LocalRerankModel,
  LocalTranscript,
  LocalTranscriptionModel,
} from "../ports/local-models.ts";
import type { RerankingEngine } from "../ports/reranking-engine.ts";
import { type HearingParts, type Transcript, transcribe } from "../voice/transcription/transcribe.ts";
import type { TranslatingParts } from "../voice/translation/translate.ts";
import { translateSpeech } from "../voice/translation/translate-speech.ts";
import type { Engines } from "./engines.ts";
import { nameOf } from "./local-model-name.ts";
import { speechModel } from "./local-speech-model.ts";

/** The engines of this process as the gateway offers them. */
export function createLocalModels({ speech, hearing, words }: Engines): LocalModels {
  const models: LocalModel[] = [
    chatModel(words.chat),
    embeddingModel(words.plainEmbeddings),
    speechModel(speech),
    transcriptionModel(hearing, words),
    rerankModel(words.reranking),
  ];
  return { list: () => models };
}

function chatModel(engine: ChatEngine): LocalChatModel {
  return {
    type: "language",
    id: nameOf(engine.modelName, "tinyllama-1.1b-chat"),
    name: engine.modelName ?? "TinyLlama 1.1B chat",
    description: "The chat engine of this server.",
    contextTokens: engine.contextTokens ?? CHAT_WINDOW_TOKENS,
    maxOutputTokens: Math.floor((engine.contextTokens ?? CHAT_WINDOW_TOKENS) / 2),
    callsTools: engine.callsTools === true,
    async *chat(request, signal) {
      for await (const event of engine.answer(request, signal)) {
        if (event.type === "delta") yield { type: "text", text: event.text };
        else {
          const { inputTokens, outputTokens } = event.usage;
          const toolCalls = event.toolCalls ?? [];
          yield { type: "end", reason: event.finishReason, inputTokens, outputTokens, toolCalls };
        }
      }
    },
  };
}

function embeddingModel(engine: EmbeddingEngine): LocalEmbeddingModel {
  return {
    type: "embedding",
    id: nameOf(engine.modelName, "bge-small-en-v1.5"),
    name: engine.modelName ?? "BGE small, English",
    description: "The embedding engine of this server.",
    dimensions: engine.modelName ? undefined : 384,
    async embed(request, signal) {
      const { vectors, inputTokens } = await engine.embed(request, signal);
      return { vectors, tokens: inputTokens };
    },
  };
}

function rerankModel(engine: RerankingEngine): LocalRerankModel {
  const description = engine.modelName
    ? "The reranker of this server."
    : "BM25 and the cosine of this server's embeddings, weighed together.";
  return {
    type: "reranking",
    id: nameOf(engine.modelName, "bge-bm25-rerank"),
    name: engine.modelName ?? "Parlance rerank",
    description,
    score: (request, signal) => engine.score(request, signal),
  };
}

function transcriptionModel(parts: HearingParts, words: TranslatingParts): LocalTranscriptionModel {
  return {
    type: "transcription",
    id: nameOf(parts.transcription.modelName, "moonshine-base"),
    name: "Parlance transcription",
    description: "The recogniser of this server's own voice platform.",
    async transcribe({ audio, language, key }, signal) {
      return toLocal(await transcribe(parts, { bytes: audio, language }, { turn: key }, signal));
    },
    async translate({ audio, key }, signal) {
      const heard = toLocal(await translateSpeech(parts, words, audio, { turn: key }, signal));
      return { ...heard, language: "en" };
    },
  };
}

function toLocal({ text, language, durationMs, segments }: Transcript): LocalTranscript {
  return {
    text,
    language,
    seconds: durationMs / 1000,
    segments: segments.map((segment) => ({
      text: segment.text,
      start: segment.startMs / 1000,
      end: segment.endMs / 1000,
      confidence: segment.confidence,
      words: segment.words.map(({ word, startMs, endMs }) => ({ word, start: startMs / 1000, end: endMs / 1000 })),
    })),
  };
}
