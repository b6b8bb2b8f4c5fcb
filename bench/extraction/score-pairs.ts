import type { Pair } from "../../src/extraction/fields/form/pairs.ts";
import { similarity } from "../../src/extraction/reading/normalize.ts";

interface TruthPair {
  key: string;
  value: string;
  value_box: unknown[];
}

const plain = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9$%#]/g, "");

/** Pairs with one answer; a pair counts when key and value are each at least 0.8 alike. Table-like pairs are neither wanted nor wrong. */
export function scorePairs(
  truth: readonly TruthPair[],
  found: readonly Pair[],
): { hits: number; found: number; wanted: number } {
  const wanted = truth.filter((pair) => pair.value_box.length === 1 && pair.value.trim() !== "");
  const others = truth.filter((pair) => pair.value_box.length > 1);
  const isSame = (want: TruthPair, got: Pair): boolean =>
    similarity(plain(want.key), plain(got.key)) >= 0.8 && similarity(plain(want.value), plain(got.value)) >= 0.8;
  const open = [...found];
  let hits = 0;
  for (const want of wanted) {
    const at = open.findIndex((got) => isSame(want, got));
    if (at < 0) continue;
    hits++;
    open.splice(at, 1);
  }
  const ignored = open.filter((got) =>
    others.some((want) => similarity(plain(want.key), plain(got.key)) >= 0.8),
  ).length;
  return { hits, found: found.length - ignored, wanted: wanted.length };
}
