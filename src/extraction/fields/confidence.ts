import type { Evidence } from "./finding.ts";

/** Kinds of fields that fail in their own ways. */
export type FieldKind = "code" | "date" | "amount" | "name" | "address" | "list" | "pair";

/** A logistic model per kind. The weights are set by hand and held against `bench/extraction`, which prints the calibration error;
 *  they lean to the careful side, because documents in use are harder than those of a development set. */
const weights: Record<
  FieldKind,
  { bias: number; fit: number; labelled: number; checked: number; unchecked: number; margin: number; reading: number }
> = {
  code: { bias: 0.6, fit: 1.4, labelled: 0.8, checked: 1.6, unchecked: -1.2, margin: 0.9, reading: 12 },
  date: { bias: 0.8, fit: 1.4, labelled: 0.8, checked: 1.2, unchecked: -1.2, margin: 0.9, reading: 10 },
  amount: { bias: 0.2, fit: 0.8, labelled: 0.6, checked: 2.4, unchecked: -1.5, margin: 0.8, reading: 10 },
  name: { bias: -0.4, fit: 1.8, labelled: 0.8, checked: 0.5, unchecked: -1, margin: 0.8, reading: 22 },
  address: { bias: -0.6, fit: 1.2, labelled: 0.7, checked: 0.5, unchecked: -1, margin: 0.8, reading: 30 },
  list: { bias: 0.2, fit: 1.5, labelled: 0.4, checked: 1.6, unchecked: -1.2, margin: 0.3, reading: 10 },
  pair: { bias: -1.2, fit: 1.4, labelled: 0.8, checked: 0, unchecked: 0, margin: 0.2, reading: 10 },
};

/** How likely a value is right, from the reasons to believe it. Never a constant, never claimed by a model about itself. */
export function confidenceOf(kind: FieldKind, evidence: Evidence): number {
  if (evidence.isEmbedded) return evidence.isChecked === false ? 0.9 : 0.99;
  const score = features(evidence);
  const { bias, fit, labelled, checked, unchecked, margin, reading } = weights[kind];
  const sum =
    bias +
    fit * score.fit +
    labelled * score.labelled +
    checked * score.checked +
    unchecked * score.unchecked +
    margin * score.margin -
    reading * score.doubt;
  return Math.round(Math.min(0.99, Math.max(0.02, 1 / (1 + Math.exp(-sum)))) * 1000) / 1000;
}

/** What the regression sees. */
export function features(evidence: Evidence): {
  fit: number;
  labelled: number;
  checked: number;
  unchecked: number;
  margin: number;
  doubt: number;
} {
  return {
    fit: evidence.fit,
    labelled: evidence.isLabelled ? 1 : 0,
    checked: evidence.isChecked === true ? 1 : 0,
    unchecked: evidence.isChecked === false ? 1 : 0,
    margin: evidence.margin,
    // A text layer leaves no doubt; recognised characters do, the more the less sure the recogniser was.
    doubt: Math.max(0, 1 - evidence.reading),
  };
}

/** What kind of field a name in the result stands for. */
export function kindOf(name: string): FieldKind {
  const last = name
    .split(".")
    .at(-1)!
    .replace(/\[\d+\]/g, "");
  if (/(^|_)date$|period_(start|end)/.test(last)) return "date";
  if (/total|balance|^tax$|amount|debit|credit$|price/.test(last)) return "amount";
  if (/^name$|company|bank|holder/.test(last)) return "name";
  if (last === "address") return "address";
  if (/lines|transactions|tables/.test(name)) return "list";
  return last === "pairs" ? "pair" : "code";
}
