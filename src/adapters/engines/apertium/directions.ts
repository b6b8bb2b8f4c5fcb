import type { Direction } from "../../../ports/translation-engine.ts";
import { directionsOf, type MeasuredDirection, readDirections } from "../translation-router/directions.ts";

/** A direction with the chain of modes that was measured to be best. */
export interface Chain extends Direction {
  readonly chain: readonly string[];
}

/** Those of the table that Apertium is good enough for. */
export function readChains(known: readonly MeasuredDirection[] = readDirections()): Chain[] {
  return directionsOf("apertium", known).flatMap(({ source, target, quality, way }) =>
    way.chain ? [{ source, target, quality, chain: way.chain }] : [],
  );
}
