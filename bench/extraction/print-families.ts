import { measureCalibration } from "./calibration.ts";
import { f1, type Outcome, percent } from "./outcome.ts";
import type { Score } from "./unseen/score-entry.ts";

/** A table of families, and the same by field. */
export function printFamilies(families: ReadonlyMap<string, readonly Score[]>): void {
  console.log(
    "\n| family | documents | type right | fields right | lines F1 | at 0.9 and more |\n|---|---|---|---|---|---|",
  );
  for (const [family, scores] of families) console.log(`| ${family} | ${row(scores)} |`);
  const all = [...families.values()].flat();
  console.log(`| **all** | ${row(all)} |`);
  const outcomes = all.flatMap((score) => score.outcomes);
  console.log(`\nCalibration error ${measureCalibration(outcomes).error.toFixed(3)}.`);
  const names = new Map<string, Outcome[]>();
  for (const outcome of outcomes) names.set(outcome.field, [...(names.get(outcome.field) ?? []), outcome]);
  console.log(
    [...names]
      .map(([name, list]) => `${name} ${percent(list.filter(({ isRight }) => isRight).length, list.length)}`)
      .join(", "),
  );
}

function row(scores: readonly Score[]): string {
  const outcomes = scores.flatMap((score) => score.outcomes);
  const sum = (part: "hits" | "found" | "wanted"): number =>
    scores.reduce((total, { lines }) => total + lines[part], 0);
  const { sure } = measureCalibration(outcomes);
  return [
    scores.length,
    percent(scores.filter(({ isTyped }) => isTyped).length, scores.length),
    percent(outcomes.filter(({ isRight }) => isRight).length, outcomes.length),
    sum("wanted") > 0 ? (100 * f1(sum("hits"), sum("found"), sum("wanted"))).toFixed(1) : "-",
    sure.all > 0 ? `${percent(sure.right, sure.all)} of ${sure.all}` : "-",
  ].join(" | ");
}
