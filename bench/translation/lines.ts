import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolder, readFlores } from "../words/data.ts";

export type LineSet = "flores" | "dev";

/** Codes of the catalog and what the sets call them. */
export const ownCode = (code: string): string => code.split("-")[0]!;

/** The same sentences in two languages; undefined where a set does not have both. */
export function readPair(
  set: LineSet,
  source: string,
  target: string,
  most: number,
): { from: string[]; to: string[] } | undefined {
  const [from, to] = [ownCode(source), ownCode(target)];
  const sides = set === "flores" ? [readFlores(from), readFlores(to)] : readDev(from, to);
  if (!sides?.[0] || !sides[1]) return undefined;
  return { from: sides[0].slice(0, most), to: sides[1].slice(0, most) };
}

/** Sentences of one language, the shorter ones, to show what comes out of them. */
export function readSamples(source: string): string[] {
  const code = ownCode(source);
  const lines = readFlores(code) ?? readDev(code, "en")?.[0] ?? [];
  return lines.filter((line) => line.length > 25 && line.length < 90).slice(0, 3);
}

/** The development lines pair each language with English only. */
function readDev(from: string, to: string): [string[], string[]] | undefined {
  const other = from === "en" ? to : from;
  if (from !== "en" && to !== "en") return undefined;
  const path = join(dataFolder("mt-train"), "dev", `${other}.tsv`);
  if (!existsSync(path)) return undefined;
  const rows = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  const [english, foreign] = [rows.map((row) => row[0]!), rows.map((row) => row[1]!)];
  return from === "en" ? [english, foreign] : [foreign, english];
}
