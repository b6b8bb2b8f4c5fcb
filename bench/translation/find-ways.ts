import type { MeasuredDirection, Way } from "../../src/adapters/engines/translation-router/directions.ts";
import { apertiumCodes, findChains } from "./chains.ts";
import { createGuess } from "./guess.ts";
import { ownCode } from "./lines.ts";
import type { Results } from "./results.ts";

/** Every direction that some engine knows, with its ways, the best first. */
export function findWays(results: Results): MeasuredDirection[] {
  const guess = createGuess(results);
  const codes = new Set(apertiumCodes);
  for (const name of Object.keys(results.scores)) for (const code of name.split(" ").slice(1, 3)) codes.add(code);
  return [...codes]
    .flatMap((source) => [...codes].map((target) => ({ source, target })))
    .filter(({ source, target }) => ownCode(source) !== ownCode(target))
    .map(({ source, target }) => ({ source, target, ways: waysOf(source, target) }))
    .filter(({ ways }) => ways.length > 0)
    .sort((a, b) => compare(a.source, b.source) || compare(a.target, b.target));

  function waysOf(source: string, target: string): Way[] {
    return [translatorWay(source, target), apertiumWay(source, target)]
      .filter((way) => way !== undefined)
      .sort(betterFirst);
  }

  /** The net knows one Portuguese. */
  function translatorWay(source: string, target: string): Way | undefined {
    const [from, to] = [source, target].map((code) => (code === "pt-pt" ? "pt-br" : code)) as [string, string];
    const [flores, dev] = figures("translator", from, to);
    const isHalf = from === "en-us" || to === "en-us";
    const chrf = dev ?? flores ?? (isHalf ? null : guess(from, to));
    return chrf === null ? undefined : { engine: "translator", chrf, flores, dev };
  }

  /** Where there was nothing to measure with, only a direct mode is trusted, and shown as a preview. */
  function apertiumWay(source: string, target: string): Way | undefined {
    const [flores, dev] = figures("apertium", source, target);
    const measured = results.scores[`apertium ${source} ${target} flores`];
    const chain = measured?.chain ?? findChains(source, target).find((one) => one.length === 1);
    return chain && { engine: "apertium", chain: [...chain], chrf: dev ?? flores, flores, dev };
  }

  function figures(engine: string, source: string, target: string): [number | null, number | null] {
    const chrf = (set: string) => results.scores[`${engine} ${source} ${target} ${set}`]?.chrf ?? null;
    return [chrf("flores"), chrf("dev")];
  }
}

/** By the FLORES lines, which nobody was trained for; else by what both were measured on. A direct way between neighbours goes
 *  before a guess. */
function betterFirst(a: Way, b: Way): number {
  // Less than a point is chance.
  const isClear =
    a.flores !== null && b.flores !== null && (Math.abs(a.flores - b.flores) >= 1 || (a.dev ?? b.dev) === null);
  if (isClear) return b.flores! - a.flores!;
  if (a.dev !== null && b.dev !== null) return b.dev - a.dev;
  const rank = ({ chrf, flores, dev }: Way) => ((flores ?? dev) !== null ? 2 : chrf === null ? 1 : 0);
  return rank(b) - rank(a);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
