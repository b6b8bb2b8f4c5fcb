import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Concept = string;

/** What documents say in each language, a concept a line with its alternatives: written from what such documents look like, not from the rules' words. */
const tables = new Map<string, ReadonlyMap<string, readonly string[]>>();

/** All ways in which a language says it. */
export function waysToSay(language: string, concept: Concept): readonly string[] {
  if (!tables.has(language)) tables.set(language, readVocabulary(language));
  const found = tables.get(language)!.get(concept);
  if (!found) throw new Error(`There is no "${concept}" in "${language}".`);
  return found;
}

function readVocabulary(language: string): Map<string, string[]> {
  const lines = readFileSync(join(import.meta.dirname, "vocabulary", `${language}.txt`), "utf8")
    .trimEnd()
    .split("\n");
  return new Map(
    lines.map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1).split("|")];
    }),
  );
}
