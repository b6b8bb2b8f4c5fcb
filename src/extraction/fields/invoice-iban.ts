import { findIbans } from "../reading/checks.ts";
import { boxOfSpan, type Segment } from "../reading/layout.ts";
import { type Found, valuesNear } from "./candidates.ts";
import type { Context } from "./context.ts";
import { type Finding, findingIn } from "./finding.ts";

export function findIban(context: Context): Finding<string> | undefined {
  const all = context.layout.segments.flatMap((segment) => findIbans(segment.text).map((code) => ({ segment, code })));
  const ranked = all
    .map((entry) => ({
      ...entry,
      points: (entry.code.isValid ? 1 : 0.4) + (hasIbanLabel(context, entry.segment) ? 0.5 : 0),
    }))
    .sort((left, right) => right.points - left.points);
  const winner = ranked[0];
  if (!winner) return findOddIban(context);
  return findingIn(winner.code.value, winner.segment, boxOfSpan(winner.segment, winner.code.from, winner.code.to), {
    fit: Math.min(1, winner.points),
    isLabelled: hasIbanLabel(context, winner.segment),
    isChecked: winner.code.isValid,
    margin: ranked.some((other) => other.code.value !== winner.code.value && other.points === winner.points) ? 0.2 : 1,
  });
}

/** What stands behind the word IBAN is reported even when its length or check digits are wrong, with little confidence. */
function findOddIban(context: Context): Finding<string> | undefined {
  const find = (text: string): Found<string>[] =>
    [...text.matchAll(/(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{2,4}){2,8}(?![A-Za-z0-9*])/g)].map((match) => ({
      value: match[0].replace(/\s/g, ""),
      from: match.index,
      to: match.index + match[0].length,
    }));
  const candidate = context.labels
    .filter((label) => label.name === "iban")
    .flatMap((label) => valuesNear(context.layout, label, (segment) => context.isLabel(segment), find))
    .sort((left, right) => right.fit - left.fit)[0];
  if (!candidate) return undefined;
  return findingIn(candidate.value, candidate.segment, candidate.box, {
    fit: 0.2,
    isLabelled: false,
    isChecked: false,
    margin: 0,
  });
}

function hasIbanLabel(context: Context, segment: Segment): boolean {
  const row = context.layout.rows[segment.row]!;
  return context.labels.some(
    (label) => label.name === "iban" && (label.segment.id === segment.id || row.segments.includes(label.segment)),
  );
}
