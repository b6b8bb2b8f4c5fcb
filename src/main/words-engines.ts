import { availableParallelism } from "node:os";
import { createApertium } from "../adapters/engines/apertium/apertium.ts";
import { BGE_MODEL, createBge, createOnnxEmbeddings } from "../adapters/engines/bge/bge.ts";
import { openOnnxEmbeddings } from "../adapters/engines/bge/own-onnx.ts";
import { createLanguageId } from "../adapters/engines/language-id/language-id.ts";
import { createLlamaChat, createOwnChat } from "../adapters/engines/llama/llama-chat.ts";
import { CHAT_MODEL } from "../adapters/engines/llama/model-file.ts";
import { createOwnEmbeddings } from "../adapters/engines/llama/own-embeddings.ts";
import { openGguf } from "../adapters/engines/llama/own-gguf.ts";
import { createOpenAiChat } from "../adapters/engines/openai-chat/openai-chat.ts";
import { type OpenAiServer, parseServer } from "../adapters/engines/openai-chat/openai-server.ts";
import { createOpenAiEmbeddings } from "../adapters/engines/openai-embeddings/openai-embeddings.ts";
import { parseOwnAddress } from "../adapters/engines/own-weights/parse-address.ts";
import { bestWay, type NamedEngine } from "../adapters/engines/translation-router/best-way.ts";
import { createChatTranslation } from "../adapters/engines/translation-router/chat-translation.ts";
import { readDirections } from "../adapters/engines/translation-router/directions.ts";
import { embedThroughEnglish, quickestFirst } from "../adapters/engines/translation-router/embed-through-english.ts";
import { createTranslator, TRANSLATOR_MODEL } from "../adapters/engines/translator/translator.ts";
import {
  spreadChat,
  spreadDetector,
  spreadEmbeddings,
  spreadTranslation,
} from "../adapters/workers/spread/spread-words.ts";
import type { EngineGroup } from "../platform/settings/engine-settings.ts";
import { SettingError } from "../platform/settings/settings.ts";
import type { ChatEngine } from "../ports/chat-engine.ts";
import type { EmbeddingEngine } from "../ports/embedding-engine.ts";
import type { EngineHost } from "../ports/engine-host.ts";
import type { LanguageDetector } from "../ports/language-detector.ts";
import type { RerankingEngine } from "../ports/reranking-engine.ts";
import type { TranslationEngine } from "../ports/translation-engine.ts";
import { type EngineContext, quietUnless, runsHere } from "./engine-context.ts";
import { createReranking } from "./reranking-engine.ts";
import { showRemote } from "./show-remote.ts";

export interface WordsParts {
  readonly chat: ChatEngine;
  readonly embeddings: EmbeddingEngine;
  /** The embedding model itself, without the way through English. */
  readonly plainEmbeddings: EmbeddingEngine;
  readonly reranking: RerankingEngine;
  readonly translation: TranslationEngine;
  /** The same, where the quickest way will do. */
  readonly quickTranslation: TranslationEngine;
  readonly detector: LanguageDetector;
}

export interface WordsEngines {
  readonly parts: WordsParts;
  close(): Promise<void>;
}

/** Languages whose texts find their English twin more often after translation (bench/words/measure-pivot.ts). */
const pivotLanguages = "ar bn ca de es fr gu hi it kn ml mr nl pa pt-br ta te ur".split(" ");

/** Chat, translation and embeddings, each on this machine or on the server that its setting names. */
export function createWordsEngines(context: EngineContext): WordsEngines {
  const { settings, models, log, spread } = context;
  const ggufSettings = {
    modelsDir: settings.storage.modelsDir,
    contextTokens: settings.engines.chatContext,
    gpu: { use: settings.engines.gpu, layers: settings.engines.gpuLayers },
  };
  const hosts: EngineHost[] = [];
  type Shown = EngineGroup | "language" | "reranking";
  /** Helpers run where the group runs that needs them. */
  const groupOf = (shown: Shown) =>
    shown === "language" ? "translation" : shown === "reranking" ? "embeddings" : shown;
  const show = (host: EngineHost, capability: Shown, model: string, modelIds: readonly string[]) => {
    hosts.push(host);
    quietUnless(context, groupOf(capability)).board.add({
      capability,
      model,
      modelIds,
      status: () => host.status(),
    });
  };

  const ownDetector = createLanguageId({ log });
  show(ownDetector.host, "language", "svc-translate-1", []);
  const directions = readDirections();
  const translators = createTranslators();
  const translates = runsHere(context, "translation");
  const translateBy = (way: typeof directions, operation: Parameters<typeof spreadTranslation>[2]) => {
    const own = bestWay(translators, way);
    return spread ? spreadTranslation(spread, translates ? own : undefined, operation) : own;
  };
  const translation = translateBy(directions, "translation.translate");
  const quickTranslation = translateBy(quickestFirst(directions), "translation.quick");
  const detector = spread ? spreadDetector(spread, translates ? ownDetector : undefined) : ownDetector;
  const ownEmbeddings = createEmbeddings();
  const plainEmbeddings = spread
    ? spreadEmbeddings(spread, runsHere(context, "embeddings") ? ownEmbeddings : undefined)
    : ownEmbeddings;
  const reranking = createReranking({ context, gguf: ggufSettings, embeddings: plainEmbeddings, show });
  const ownChat = createChat();
  const chat = spread ? spreadChat(spread, runsHere(context, "chat") ? ownChat : undefined) : ownChat;
  // A server's model may well know more languages than ours.
  const embeddings = plainEmbeddings.modelName
    ? plainEmbeddings
    : embedThroughEnglish({
        embeddings: plainEmbeddings,
        translation: quickTranslation,
        detector,
        languages: pivotLanguages,
      });
  return {
    parts: { chat, embeddings, plainEmbeddings, reranking, translation, quickTranslation, detector },
    async close() {
      await Promise.all(hosts.map((host) => host.close()));
    },
  };

  function createChat(): ChatEngine {
    const own = parseOwnAddress(settings.engines.chat, ["gguf"]);
    if (own) {
      const gguf = openGguf("SVC_CHAT_ENGINE", own, "chat", ggufSettings);
      const chat = createOwnChat({ ...gguf, log, threads: settings.engines.threads });
      show(chat.host, "chat", `svc-chat-1/${gguf.name}`, []);
      return chat;
    }
    const remote = readAddress(context, "SVC_CHAT_ENGINE", settings.engines.chat);
    if (remote) {
      showRemote(context, "chat", "svc-chat-1", remote);
      return createOpenAiChat(remote);
    }
    const llama = createLlamaChat({ models, log, threads: settings.engines.threads });
    show(llama.host, "chat", "svc-chat-1", [CHAT_MODEL]);
    return llama;
  }

  /** Several may be named, separated by commas; each direction goes to the one that was measured to be best at it. */
  function createTranslators(): NamedEngine[] {
    return settings.engines.translation.split(",").flatMap((address): NamedEngine[] => {
      const remote = readAddress(context, "SVC_TRANSLATION_ENGINE", address);
      if (remote) {
        showRemote(context, "translation", "svc-translate-1", remote);
        return [{ id: `openai:${remote.model}`, engine: createChatTranslation(createOpenAiChat(remote)) }];
      }
      const children = settings.engines.threads || Math.ceil(Math.min(4, availableParallelism() / 2));
      const translator = createTranslator({ models, log, directions, children });
      show(translator.host, "translation", "svc-translate-1/translator", [TRANSLATOR_MODEL]);
      const apertium = createApertium({ log });
      show(apertium.host, "translation", "svc-translate-1/apertium", []);
      return [
        { id: "translator", engine: translator },
        { id: "apertium", engine: apertium },
      ];
    });
  }

  function createEmbeddings(): EmbeddingEngine {
    const { embeddings: address, threads } = settings.engines;
    const own = parseOwnAddress(address, ["gguf", "onnx"]);
    if (own?.scheme === "gguf") {
      const gguf = openGguf("SVC_EMBEDDINGS_ENGINE", own, "embeddings", ggufSettings);
      const engine = createOwnEmbeddings({ ...gguf, log, threads });
      show(engine.host, "embeddings", `svc-embed-1/${gguf.name}`, []);
      return engine;
    }
    if (own) {
      const weights = openOnnxEmbeddings("SVC_EMBEDDINGS_ENGINE", own, settings.storage.modelsDir);
      const engine = createOnnxEmbeddings({ weights, log, lanes: threads || Math.min(4, availableParallelism()) });
      show(engine.host, "embeddings", `svc-embed-1/${weights.name}`, []);
      return engine;
    }
    const remote = readAddress(context, "SVC_EMBEDDINGS_ENGINE", address);
    if (remote) {
      showRemote(context, "embeddings", "svc-embed-1", remote);
      return createOpenAiEmbeddings(remote);
    }
    const bge = createBge({ models, log, lanes: threads || Math.min(4, availableParallelism()) });
    show(bge.host, "embeddings", "svc-embed-1", [BGE_MODEL]);
    return bge;
  }
}

const choices: Readonly<Record<string, string>> = {
  SVC_CHAT_ENGINE: "local, gguf:PATH, gguf:NAME or openai:http://host/v1#model",
  SVC_EMBEDDINGS_ENGINE: "local, gguf:PATH, onnx:PATH or openai:http://host/v1#model",
  SVC_TRANSLATION_ENGINE: "local or openai:http://host/v1#model",
};

/** Undefined for `local`. */
function readAddress({ settings }: EngineContext, name: string, address: string): OpenAiServer | undefined {
  if (address.trim() === "local") return undefined;
  const server = parseServer(address);
  if (!server) throw new SettingError(`${name} is "${address}" but must be ${choices[name]}.`);
  return { ...server, apiKey: settings.engines.apiKey };
}
