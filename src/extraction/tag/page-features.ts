import type { Box } from "../../ports/document-reader.ts";
import type { Lexicon } from "./lexicon.ts";
import { featuresOfWord, mostGrams } from "./word-features.ts";

export interface PageWord {
  readonly text: string;
  /** In widths of the page, downwards as well. */
  readonly box: Box;
  readonly isBold: boolean;
  /** How sure the reader was of its characters. */
  readonly certainty: number;
}

/** The net's inputs, one row a word. */
export interface PageFeatures {
  readonly count: number;
  readonly grams: BigInt64Array;
  readonly words: BigInt64Array;
  readonly shapes: BigInt64Array;
  readonly meanings: BigInt64Array;
  readonly numbers: Float32Array;
  readonly boxes: Float32Array;
}

export const numbersPerWord = 11;
export const meaningsPerWord = 4;

export function featuresOfPage(words: readonly PageWord[], lexicon: Lexicon): PageFeatures {
  const count = words.length;
  const known = words.map(({ text }) => featuresOfWord(text));
  const boxes = words.map(({ box }) => box);
  const heights = boxes.map(([, top, , bottom]) => bottom - top);
  const usual = Math.max(medianOf(heights), 1e-4);
  const lowest = Math.max(...boxes.map(([, , , bottom]) => bottom));
  const features: PageFeatures = {
    count,
    grams: new BigInt64Array(count * mostGrams),
    words: BigInt64Array.from(known, ({ word }) => BigInt(word)),
    shapes: BigInt64Array.from(known, ({ shape }) => BigInt(shape)),
    meanings: meaningsOf(
      known.map(({ core }) => core),
      boxes,
      lexicon,
    ),
    numbers: new Float32Array(count * numbersPerWord),
    boxes: Float32Array.from(boxes.flat()),
  };
  for (const [index, { grams, numbers }] of known.entries()) {
    for (const [at, gram] of grams.entries()) features.grams[index * mostGrams + at] = BigInt(gram);
    const { isBold, certainty } = words[index]!;
    const height = Math.min(heights[index]! / usual, 4) / 4;
    features.numbers.set([...numbers, height, Number(isBold), certainty, usual * 40, lowest], index * numbersPerWord);
  }
  return features;
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}

/** Words side by side, from top to bottom and left to right. */
function rowsOf(boxes: readonly Box[]): number[][] {
  const center = (index: number): number => boxes[index]![1] + boxes[index]![3];
  const order = boxes.map((_, index) => index).sort((left, right) => center(left) - center(right));
  const rows: number[][] = [];
  let middle = 0;
  let height = 0;
  for (const index of order) {
    const at = center(index) / 2;
    const high = boxes[index]![3] - boxes[index]![1];
    const row = rows.at(-1);
    if (row && at - middle < 0.5 * Math.min(high, height)) {
      row.push(index);
      middle += (at - middle) / row.length;
      height = Math.min(height, high);
    } else {
      rows.push([index]);
      middle = at;
      height = high;
    }
  }
  for (const row of rows) row.sort((left, right) => boxes[left]![0] - boxes[right]![0]);
  return rows;
}

interface Named {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly meaning: number;
}

/** Phrases that are remembered for what stands under them. */
const mostAbove = 80;

/** For each word the one or two meanings of the phrase it is part of, that of the nearest phrase left of it, and of the nearest above. */
function meaningsOf(cores: readonly string[], boxes: readonly Box[], lexicon: Lexicon): BigInt64Array {
  const found = new BigInt64Array(cores.length * meaningsPerWord);
  let above: Named[] = [];
  for (const row of rowsOf(boxes)) {
    const named: Named[] = [];
    let left = 0;
    for (let at = 0; at < row.length; ) {
      const phrase = longestPhraseAt(row, at, cores, boxes, lexicon);
      const members = row.slice(at, at + Math.max(1, phrase?.length ?? 0));
      for (const member of members) {
        const meanings = phrase?.meanings ?? [];
        const places = [meanings[0] ?? 0, meanings[1] ?? 0, left, meaningAbove(boxes[member]!, above)];
        for (const [place, meaning] of places.entries()) found[member * meaningsPerWord + place] = BigInt(meaning);
      }
      if (phrase) {
        left = phrase.meanings[0]!;
        const own = members.map((member) => boxes[member]!);
        const bottom = Math.max(...own.map((box) => box[3]));
        named.push({ left: own[0]![0], right: own.at(-1)![2], bottom, meaning: left });
      }
      at += members.length;
    }
    above = [...above, ...named].slice(-mostAbove);
  }
  return found;
}

function longestPhraseAt(
  row: readonly number[],
  at: number,
  cores: readonly string[],
  boxes: readonly Box[],
  { phrases, longest }: Lexicon,
): { length: number; meanings: readonly number[] } | undefined {
  const first = row[at]!;
  const most = longest.get(cores[first]!) ?? 0;
  const height = boxes[first]![3] - boxes[first]![1];
  const tokens: string[] = [];
  let found: { length: number; meanings: readonly number[] } | undefined;
  for (let next = at; next < row.length && tokens.length < most; next++) {
    if (next > at && boxes[row[next]!]![0] - boxes[row[next - 1]!]![2] > 1.2 * height) break;
    const core = cores[row[next]!]!;
    if (core !== "") tokens.push(core);
    const meanings = phrases.get(tokens.join(" "));
    if (meanings) found = { length: next - at + 1, meanings };
  }
  return found;
}

function meaningAbove(box: Box, above: readonly Named[]): number {
  const height = box[3] - box[1];
  for (let at = above.length - 1; at >= 0; at--) {
    const { left, right, bottom, meaning } = above[at]!;
    if (box[1] - bottom > 8 * height) return 0;
    if (left < box[2] && box[0] < right && bottom <= box[1] + 0.5 * height) return meaning;
  }
  return 0;
}
