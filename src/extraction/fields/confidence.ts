import { confidenceWeights } from "./confidence-weights.ts";
import type { Evidence } from "./finding.ts";

/** Kinds of fields that fail in their own ways. */
export type FieldKind = "code" | "date" | "amount" | "name" | "address" | "list" | "pair";

/** What each reason is worth, on the scale of log odds. */
export interface Weights {
  readonly bias: number;
  readonly fit: number;
  readonly labelled: number;
  readonly checked: number;
  readonly unchecked: number;
  readonly margin: number;
  readonly doubt: number;
}

/** How likely a value is right, from the reasons to believe it. Never a constant, never claimed by a model about itself. */
export function confidenceOf(kind: FieldKind, evidence: Evidence): number {
  if (evidence.isEmbedded) return evidence.isChecked === false ? 0.9 : 0.99;
  const seen = features(evidence);
  const weights = confidenceWeights[kind];
  let sum = weights.bias;
  for (const name of Object.keys(seen) as (keyof typeof seen)[]) sum += weights[name] * seen[name];
  return Math.round(Math.min(0.99, Math.max(0.02, 1 / (1 + Math.exp(-sum)))) * 1000) / 1000;
}

/** What the regression sees. */
export function features(evidence: Evidence): Omit<Weights, "bias"> {
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
