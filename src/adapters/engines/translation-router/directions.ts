import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { packageRoot } from "../../../platform/package-root.ts";
import type { Direction } from "../../../ports/translation-engine.ts";

const figure = z.number().nullable();

const way = z.strictObject({
  /** `translator`, `apertium`, or `openai:model` for a server that was measured. */
  engine: z.string(),
  /** Apertium's modes, one after the other. */
  chain: z.array(z.string()).min(1).optional(),
  /** chrF that decides whether it is offered: on the development lines, else on the FLORES lines, else guessed from the two
   *  halves of the way through English; null where there was nothing to go by. */
  chrf: figure,
  /** On the FLORES lines and on the development lines, where there are any. */
  flores: figure,
  dev: figure,
});

const table = z.strictObject({
  measuredOn: z.string(),
  /** Ways of one direction stand best first. */
  directions: z.array(z.strictObject({ source: z.string(), target: z.string(), ways: z.array(way).min(1) })),
});

export type DirectionTable = z.infer<typeof table>;
export type MeasuredDirection = DirectionTable["directions"][number];
export type Way = MeasuredDirection["ways"][number];

/** Below this a translation misleads more than it helps. */
const LEAST_CHRF = 25;
/** Below this it is good for the gist only. */
const GOOD_CHRF = 40;

export const directionsFile = join(packageRoot(), "models", "translation-directions.json");

/** Every direction with its ways and how good they are; `bench/translation` measures them and writes the file. */
export function readDirections(path = directionsFile): MeasuredDirection[] {
  return table.parse(JSON.parse(readFileSync(path, "utf8"))).directions;
}

export function isOffered({ chrf }: Way): boolean {
  return chrf === null || chrf >= LEAST_CHRF;
}

/** Good where every set it was measured on says so; a guess is never good. */
export function qualityOf({ flores, dev }: Way): Direction["quality"] {
  const measured = [flores, dev].filter((one) => one !== null);
  return measured.length > 0 && Math.min(...measured) >= GOOD_CHRF ? "good" : "preview";
}

/** The directions that one engine is good enough for. */
export function directionsOf(engine: string, known: readonly MeasuredDirection[]): (Direction & { way: Way })[] {
  return known.flatMap(({ source, target, ways }) => {
    const own = ways.find((one) => one.engine === engine);
    return own && isOffered(own) ? [{ source, target, quality: qualityOf(own), way: own }] : [];
  });
}
