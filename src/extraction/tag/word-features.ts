import { crc32 } from "node:zlib";

/** How the net's tables are laid out; training/tagger/features.py says the same. */
export const mostGrams = 20;
const gramRows = 16_384;
const wordRows = 16_384;
const shapeRows = 1_024;

/** What the letters of a word say of it. */
export interface WordFeatures {
  readonly grams: readonly number[];
  readonly word: number;
  readonly shape: number;
  readonly numbers: readonly number[];
  /** Folded, without the signs around it, its digits alike. */
  readonly core: string;
}

export function coreOf(text: string): string {
  const folded = text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/[0-9]/g, "0");
  return folded.replace(/^[.,:;()[\]#*-]+|[.,:;()[\]#*-]+$/g, "");
}

/** Row 0 is for nothing. */
const hashed = (text: string, rows: number): number => (crc32(text) % (rows - 1)) + 1;

function shapeOf(letters: readonly string[]): string {
  const kinds = letters.map((letter) => {
    if (letter >= "0" && letter <= "9") return "0";
    if (isUpper(letter)) return "A";
    return /\p{L}/u.test(letter) ? "a" : letter;
  });
  return kinds.join("").replace(/(.)\1{2,}/gu, "$1$1");
}

const isUpper = (text: string): boolean => /\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text);

export function featuresOfWord(text: string): WordFeatures {
  const letters = [...text];
  const core = coreOf(text);
  const padded = ["^", ...[...core].slice(0, 24), "$"];
  const grams: number[] = [];
  for (const length of [2, 3, 4])
    for (let at = 0; at + length <= padded.length && grams.length < mostGrams; at++)
      grams.push(hashed(padded.slice(at, at + length).join(""), gramRows));
  const digits = letters.filter((letter) => letter >= "0" && letter <= "9").length;
  const numbers = [
    Math.min(letters.length, 20) / 20,
    digits / Math.max(1, letters.length),
    Number(text.endsWith(":")),
    Number(/[0-9][.,][0-9][0-9]$/.test(text)),
    Number(isUpper(letters[0] ?? "")),
    Number(isUpper(text)),
  ];
  return { grams, word: hashed(core, wordRows), shape: hashed(shapeOf(letters), shapeRows), numbers, core };
}
