import { Problem } from "../../../platform/errors.ts";
import type { TranslationEngine } from "../../../ports/translation-engine.ts";

/** An engine made of engines: the first that offers a direction translates it, and the next one when it is unavailable. */
export function firstThatCan(engines: readonly TranslationEngine[]): TranslationEngine {
  const first = engines[0]!;
  if (engines.length === 1) return first;
  const offers = (engine: TranslationEngine, source: string, target: string) =>
    engine.takesAnyDirection === true ||
    engine.directions().some((one) => one.source === source && one.target === target);
  return {
    ...(first.remoteModel ? { remoteModel: first.remoteModel } : {}),
    takesAnyDirection: engines.some((engine) => engine.takesAnyDirection === true),
    directions() {
      const known = new Map(
        engines
          .flatMap((engine) => [...engine.directions()])
          .reverse()
          .map((direction) => [`${direction.source} ${direction.target}`, direction]),
      );
      return [...known.values()];
    },
    missing: () => engines.map((engine) => engine.missing?.()).find((reason) => reason !== undefined),
    async translate(request, signal) {
      const able = engines.filter((engine) => offers(engine, request.source, request.target));
      for (const [index, engine] of able.entries()) {
        try {
          return await engine.translate(request, signal);
        } catch (error) {
          const isPassing =
            error instanceof Problem && (error.kind === "engine_unavailable" || error.kind === "engine_busy");
          if (signal.aborted || !isPassing || index === able.length - 1) throw error;
        }
      }
      throw new Problem("invalid_request", `No engine translates from ${request.source} to ${request.target}.`);
    },
  };
}
