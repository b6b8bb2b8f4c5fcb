import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { packageRoot } from "../../../platform/package-root.ts";

const table = z.strictObject({
  /** What the figures were measured on. */
  measuredOn: z.string(),
  directions: z.array(
    z.strictObject({
      source: z.string(),
      target: z.string(),
      /** Apertium's modes, one after the other. */
      chain: z.array(z.string()).min(1),
      /** Null where there was no text to measure with. */
      chrf: z.number().nullable(),
    }),
  ),
});

export type DirectionTable = z.infer<typeof table>;
export type MeasuredDirection = DirectionTable["directions"][number];

/** Below this a translation misleads more than it helps. */
export const LEAST_CHRF = 25;
/** Below this it is good for the gist only. */
export const GOOD_CHRF = 40;

export const directionsFile = join(packageRoot(), "models", "translation-directions.json");

/** Directions with the best chain of each and how good it is; `bench/words` measures them and writes the file. */
export function readDirections(path = directionsFile): MeasuredDirection[] {
  return table.parse(JSON.parse(readFileSync(path, "utf8"))).directions;
}
