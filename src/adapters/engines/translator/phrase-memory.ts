import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Hop } from "./translate-sentence.ts";

/** Short sentences whose translation people agree on. A small net gets greetings and thanks wrong that every phrase book has right. */
export type PhraseMemory = (sentence: string, hop: Hop) => string | undefined;

/** Longer sentences are in none of the files. */
const mostLetters = 80;

/** `phrase-book.tsv` is written by hand and comes first; `phrases.tsv.gz` was chosen from pairs of people by
 *  training/translator/phrases.mjs. A language is read when it is first asked for. */
export function openPhraseMemory(folder: string): PhraseMemory {
  const pairs = readPairs(folder);
  const tables = new Map<string, Map<string, string>>();
  return (sentence, { source, target }) => {
    if (sentence.length > mostLetters) return undefined;
    const direction = `${source}>${target}`;
    let table = tables.get(direction);
    if (!table) {
      table = makeTable(pairs.get(source === "en" ? target : source) ?? [], source === "en");
      tables.set(direction, table);
    }
    const known = table.get(keyOf(sentence));
    return known && inStyleOf(sentence, known, target);
  };
}

type Pair = readonly [english: string, foreign: string];

function readPairs(folder: string): Map<string, Pair[]> {
  const pairs = new Map<string, Pair[]>();
  const add = (language: string, pair: Pair) => {
    const known = pairs.get(language);
    if (known) known.push(pair);
    else pairs.set(language, [pair]);
  };
  const [head, ...rows] = readLines(join(folder, "phrase-book.tsv"));
  const [, ...languages] = head?.split("\t") ?? [];
  for (const row of rows) {
    const [english, ...foreign] = row.split("\t");
    for (const [place, language] of languages.entries()) add(language, [english!, foreign[place]!]);
  }
  for (const line of readLines(join(folder, "phrases.tsv.gz"))) {
    const [language, english, foreign] = line.split("\t");
    add(language!, [english!, foreign!]);
  }
  return pairs;
}

function readLines(path: string): string[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text.split("\n").filter((line) => line !== "");
}

function makeTable(pairs: readonly Pair[], isFromEnglish: boolean): Map<string, string> {
  const table = new Map<string, string>();
  for (const [english, foreign] of pairs) {
    const key = keyOf(isFromEnglish ? english : foreign);
    if (!table.has(key)) table.set(key, isFromEnglish ? foreign : english);
  }
  return table;
}

/** Case, the mark at the end and the writing of apostrophes are forgiven; a question stays one. */
function keyOf(sentence: string): string {
  const plain = sentence.normalize("NFC").trim().toLowerCase().replace(/[’ʼ]/g, "'").replace(/\s+/g, " ");
  const isQuestion = /[?？؟]\s*$/.test(plain);
  return plain.replace(/^[¿¡"“«]+\s*|[\s.!?？؟।۔…"”»]+$/gu, "") + (isQuestion ? "?" : "");
}

const ends: Record<string, string> = { hi: "।", bn: "।", pa: "।", ur: "۔" };

/** With the mark at the end that the source has, and none where it has none. */
function inStyleOf(source: string, known: string, target: string): string {
  const plain = known.replace(/^¡/, "").replace(/\s*[.!।۔]+$/u, "");
  const isShouted = /\p{Lu}{2}/u.test(source) && !/\p{Ll}/u.test(source);
  const written = isShouted ? plain.toUpperCase() : plain;
  if (/!\s*$/.test(source)) return target === "es" ? `¡${written}!` : `${written}${target === "fr" ? " !" : "!"}`;
  if (/[.।۔]\s*$/u.test(source)) return `${written}${ends[target] ?? "."}`;
  return written;
}
