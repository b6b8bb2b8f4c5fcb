import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { packageRoot } from "../../src/platform/package-root.ts";
import { dataFolder } from "../words/data.ts";

/** A sentence with every translation that people gave for it. */
export interface Everyday {
  readonly text: string;
  readonly references: readonly string[];
}

export interface EverydaySet {
  readonly fromEnglish: readonly Everyday[];
  readonly intoEnglish: readonly Everyday[];
  /** Sentences that the first two rounds of training have seen with this or another translation. */
  readonly seen: number;
}

interface Row {
  readonly english: string;
  readonly foreign: string;
  readonly keys: { readonly english: string; readonly foreign: string };
  /** The same sentences are chosen whatever order they come in. */
  readonly order: number;
  readonly rank: number;
  readonly isDev: boolean;
}

/** What people say to each other, best first. Pairs that meet through a third language are too loose to measure by; of Gujarati and Punjabi
 *  there is nothing spoken but in stories for children. The Kannada of `eng-kannada-rahs` was written by a machine. */
const sources = [
  ["tatoeba", "tatoeba-b", "tatoeba-c", "chat", "dialog-nc", "refugee-phrasebook"],
  ["eng-kannada-rahs", "kaggle-en-ur"],
  ["pratham-stories", "storybooks-bangladesh"],
];
const SENTENCES = 200;
const [fewestWords, mostWords] = [2, 15];

/** Two hundred sentences of a language: development lines first, those before others of which neither side was trained on in another pair;
 *  then lines of the text for training, which must leave them out from now on (at most every second one of what there is). What stands in the phrase book is not counted. */
export function readEveryday(language: string): EverydaySet {
  const rows = readRows(language);
  const known = new Set(readPhraseBook().map(keyOf));
  const trained = new Set(rows.flatMap(({ keys, isDev }) => (isDev ? [] : Object.values(keys))));
  const isSeen = ({ keys }: Row) => trained.has(keys.english) || trained.has(keys.foreign);
  const place = (row: Row) => (row.isDev ? 0 : 2 * sources.length) + (isSeen(row) ? sources.length : 0) + row.rank;
  const chosen = new Map<string, Row>();
  for (const row of [...rows].sort((one, other) => place(one) - place(other) || one.order - other.order)) {
    if (chosen.size === SENTENCES) break;
    const [key, words] = [row.keys.english, row.english.split(/\s+/).length];
    if (words < fewestWords || words > mostWords || known.has(key) || chosen.has(key)) continue;
    if (row.isDev || row.order % 2 === 0) chosen.set(key, row);
  }
  const toForeign = gather(rows, "english", "foreign");
  const toEnglish = gather(rows, "foreign", "english");
  const found = [...chosen.values()];
  return {
    fromEnglish: found.map(({ english, keys }) => ({ text: english, references: toForeign.get(keys.english)! })),
    intoEnglish: found.map(({ foreign, keys }) => ({ text: foreign, references: toEnglish.get(keys.foreign)! })),
    seen: found.filter(isSeen).length,
  };
}

/** How a sentence stands in training/translator/held-out.txt. */
export function markOf(sentence: string, language: string): string {
  return `${language} ${crc32(keyOf(sentence)).toString(16).padStart(8, "0")}`;
}

/** The words without capitals and marks; training/translator/held_out.py says the same. */
function keyOf(sentence: string): string {
  const plain = sentence.normalize("NFKC").toLowerCase().replaceAll("’", "'");
  return plain
    .replace(/[.,!?;:"«»“”„()¿¡।॥؟،؛۔…]/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
}

function readRows(language: string): Row[] {
  const folder = dataFolder("mt-train");
  const packed = execFileSync("xzcat", [join(folder, `${language}.tsv.xz`)], { maxBuffer: 1 << 30, encoding: "utf8" });
  const dev = readFileSync(join(folder, "dev", `${language}.tsv`), "utf8");
  return [...parse(dev, true), ...parse(packed, false)];
}

function parse(text: string, isDev: boolean): Row[] {
  return text.split("\n").flatMap((line) => {
    const [english, foreign, source] = line.split("\t");
    const rank = sources.findIndex((names) => names.includes(source ?? ""));
    if (rank < 0) return [];
    const keys = { english: keyOf(english!), foreign: keyOf(foreign!) };
    return [{ english: english!, foreign: foreign!, keys, order: crc32(keys.english), rank, isDev }];
  });
}

function gather(rows: readonly Row[], from: "english" | "foreign", to: "english" | "foreign"): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const key = row.keys[from];
    const known = found.get(key);
    if (!known) found.set(key, [row[to]]);
    else if (!known.includes(row[to])) known.push(row[to]);
  }
  return found;
}

function readPhraseBook(): string[] {
  const book = readFileSync(join(packageRoot(), "models", "translator", "phrase-book.tsv"), "utf8");
  return book.split("\n").map((row) => row.split("\t")[0]!);
}
