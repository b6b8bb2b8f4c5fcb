import { median } from "../words/data.ts";
import type { Results } from "./results.ts";

/** Guesses chrF of a way through English from its halves, for pairs of languages without common lines: the second half's,
 *  lowered by what the first half loses, in the proportion seen where the whole way was measured, and never above either half. */
export function createGuess({ scores }: Results): (source: string, target: string) => number | null {
  const half = (source: string, target: string) =>
    (scores[`translator ${source} ${target} flores`] ?? scores[`translator ${source} ${target} dev`])?.chrf;
  const product = (source: string, target: string) => {
    const [first, second] = [half(source, "en-us"), half("en-us", target)];
    return first === undefined || second === undefined ? undefined : (first * second) / 100;
  };
  const seen = Object.entries(scores).flatMap(([name, { chrf }]) => {
    const [engine, source, target] = name.split(" ") as [string, string, string];
    if (engine !== "translator" || source === "en-us" || target === "en-us") return [];
    const expected = product(source, target);
    return expected ? [chrf / expected] : [];
  });
  return (source, target) => {
    const expected = product(source, target);
    if (expected === undefined || seen.length === 0) return null;
    const most = Math.min(half(source, "en-us")!, half("en-us", target)!);
    return Math.round(10 * Math.min(most, expected * median(seen))) / 10;
  };
}
