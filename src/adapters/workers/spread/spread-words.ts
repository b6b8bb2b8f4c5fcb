import type { ChatEngine } from "../../../ports/chat-engine.ts";
import type { EmbeddingEngine } from "../../../ports/embedding-engine.ts";
import type { LanguageDetector } from "../../../ports/language-detector.ts";
import type { RerankingEngine } from "../../../ports/reranking-engine.ts";
import type { Direction, TranslationEngine } from "../../../ports/translation-engine.ts";
import { ANY } from "../protocol.ts";
import type { Spread } from "./spread.ts";

export function spreadChat(spread: Spread, local: ChatEngine | undefined): ChatEngine {
  const lane = { engine: "chat", model: ANY, language: ANY } as const;
  return {
    ...(local?.modelName === undefined ? {} : { modelName: local.modelName }),
    ...(local?.contextTokens === undefined ? {} : { contextTokens: local.contextTokens }),
    ...(local?.callsTools === undefined ? {} : { callsTools: local.callsTools }),
    answer: (request, signal) =>
      spread.stream(
        { lane, operation: "chat.answer", input: request, signal },
        local && (() => local.answer(request, signal)),
      ),
    forget(flow) {
      local?.forget?.(flow);
      // Whoever answered in this conversation is not remembered, so everybody is told.
      spread.tellAll("chat.forget", flow);
    },
  };
}

export function spreadEmbeddings(spread: Spread, local: EmbeddingEngine | undefined): EmbeddingEngine {
  const lane = { engine: "embeddings", model: ANY, language: ANY } as const;
  return {
    ...(local?.modelName === undefined ? {} : { modelName: local.modelName }),
    embed: (request, signal) =>
      spread.ask(
        { lane, operation: "embeddings.embed", input: request, signal },
        local && (() => local.embed(request, signal)),
      ),
  };
}

/** A reranker of one's own; the shipped one is made of embeddings, which are spread themselves. */
export function spreadReranking(spread: Spread, local: RerankingEngine, isHere: boolean): RerankingEngine {
  const lane = { engine: "reranking", model: ANY, language: ANY } as const;
  return {
    ...(local.modelName === undefined ? {} : { modelName: local.modelName }),
    score: (request, signal) =>
      spread.ask(
        { lane, operation: "reranking.score", input: request, signal },
        isHere ? () => local.score(request, signal) : undefined,
      ),
  };
}

/** Translation by this machine, where it has an engine, and by workers. `operation` tells apart engines that weigh speed and
 *  quality differently. */
export function spreadTranslation(
  spread: Spread,
  local: TranslationEngine | undefined,
  operation: "translation.translate" | "translation.quick",
): TranslationEngine {
  const elsewhere = () => spread.catalogs().flatMap(({ translation }) => translation ?? []);
  const serves = (directions: readonly Direction[], source: string, target: string) =>
    directions.some((one) => one.source === source && one.target === target);
  const missing = () => (elsewhere().length > 0 ? undefined : local?.missing?.());
  return {
    ...(local?.modelName === undefined ? {} : { modelName: local.modelName }),
    directions() {
      const all = new Map<string, Direction>();
      const remote = elsewhere().flatMap(({ directions }) => directions);
      for (const one of [...remote, ...(local?.directions() ?? [])]) all.set(`${one.source} ${one.target}`, one);
      return [...all.values()];
    },
    get takesAnyDirection() {
      return (local?.takesAnyDirection ?? false) || elsewhere().some(({ takesAnyDirection }) => takesAnyDirection);
    },
    missing,
    translate(request, signal) {
      const { source, target } = request;
      const isListed = elsewhere().some(({ directions }) => serves(directions, source, target));
      const isHere = local && (local.takesAnyDirection || serves(local.directions(), source, target));
      const here = local && (isHere || !isListed) ? () => local.translate(request, signal) : undefined;
      const lane = { engine: "translation", model: ANY, language: isListed ? `${source}_${target}` : ANY } as const;
      return spread.ask({ lane, operation, input: request, signal }, here);
    },
  };
}

export function spreadDetector(spread: Spread, local: LanguageDetector | undefined): LanguageDetector {
  const lane = { engine: "language", model: ANY, language: ANY } as const;
  return {
    detect: (text, turn, signal) =>
      spread.ask(
        { lane, operation: "language.detect", input: { text, turn }, signal },
        local && (() => local.detect(text, turn, signal)),
      ),
  };
}
