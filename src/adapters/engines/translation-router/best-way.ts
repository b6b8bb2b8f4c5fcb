import { isPassing, Problem } from "../../../platform/errors.ts";
import type { Direction, TranslationEngine } from "../../../ports/translation-engine.ts";
import { isOffered, type MeasuredDirection, qualityOf } from "./directions.ts";

/** An engine under the name that the table of directions has for it. */
export interface NamedEngine {
  /** `translator`, `apertium`, or `openai:model`. */
  readonly id: string;
  readonly engine: TranslationEngine;
}

interface Candidate {
  readonly named: NamedEngine;
  readonly quality: Direction["quality"];
  readonly chrf?: number | null;
}

/** An engine made of engines: each direction goes to the one that was measured to be best at it, and to the next best when that
 *  one is not there. A server that was never measured stands where the settings put it: before the others or after them. */
export function bestWay(engines: readonly NamedEngine[], known: readonly MeasuredDirection[]): TranslationEngine {
  const rows = new Map(known.map((row) => [nameOf(row), row]));
  const firstLocal = engines.findIndex(({ engine }) => !engine.takesAnyDirection);

  return {
    takesAnyDirection: engines.some(({ engine }) => engine.takesAnyDirection === true),
    directions() {
      const here = lookAround();
      return known.flatMap(({ source, target }) => {
        const first = measured(source, target, here)[0];
        return first ? [{ source, target, quality: first.quality, chrf: first.chrf ?? null }] : [];
      });
    },
    missing: () => engines.map(({ engine }) => engine.missing?.()).find((reason) => reason !== undefined),
    async translate(request, signal) {
      const able = candidates(request.source, request.target);
      for (const [index, { named, quality }] of able.entries()) {
        try {
          const done = await named.engine.translate(request, signal);
          // An engine that doubts its own words is believed.
          return { ...done, engine: named.engine.modelName ?? named.id, quality: done.quality ?? quality };
        } catch (error) {
          if (signal.aborted || !isPassing(error) || index === able.length - 1) throw error;
        }
      }
      throw new Problem("invalid_request", `No engine translates from ${request.source} to ${request.target}.`);
    },
  };

  /** Who can do it now, best first. */
  function candidates(source: string, target: string): Candidate[] {
    const known = measured(source, target, lookAround());
    const unmeasured = engines.filter(
      ({ id, engine }) => engine.takesAnyDirection === true && !known.some(({ named }) => named.id === id),
    );
    const isFirst = (named: NamedEngine) => engines.indexOf(named) < firstLocal;
    const toCandidate = (named: NamedEngine): Candidate => ({ named, quality: "good" });
    return [
      ...unmeasured.filter(isFirst).map(toCandidate),
      ...known,
      ...unmeasured.filter((named) => !isFirst(named)).map(toCandidate),
    ];
  }

  function measured(source: string, target: string, here: ReadonlyMap<string, ReadonlySet<string>>): Candidate[] {
    const name = nameOf({ source, target });
    return (rows.get(name)?.ways ?? []).flatMap((way): Candidate[] => {
      const named = engines.find(({ id }) => id === way.engine);
      const isHere = named && isOffered(way) && (named.engine.takesAnyDirection || here.get(named.id)?.has(name));
      return isHere ? [{ named, quality: qualityOf(way), chrf: way.dev ?? way.flores }] : [];
    });
  }

  /** What each engine can do at this moment: models may arrive and packages be installed while we run. */
  function lookAround(): Map<string, Set<string>> {
    return new Map(engines.map(({ id, engine }) => [id, new Set(engine.directions().map(nameOf))]));
  }
}

function nameOf({ source, target }: { source: string; target: string }): string {
  return `${source} ${target}`;
}
