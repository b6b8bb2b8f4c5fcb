import { table } from "../../platform/table.ts";
import type { Check } from "./checks.ts";
import { leastSure, mostContradicted, surest } from "./pick.ts";

/** A document without these is hardly what it was taken for. */
const required: Record<string, readonly string[]> = table({
  invoice: ["invoice_number", "issue_date", "grand_total", "seller.name"],
  credit_note: ["invoice_number", "issue_date", "grand_total", "seller.name"],
  receipt: ["company", "date", "total"],
  bank_statement: ["account_number", "closing_balance"],
});

/** What each failed check leaves of the confidence: a guess, low enough to be seen by any threshold. */
const afterFailure = 0.75;

/** How much of the confidence hangs on the type alone: a guess. */
const typeShare = 0.3;

/** The mean over what was found, lowered by what should be there and is not, by doubt about the type, and by every failed check. */
export function overall(
  type: string,
  fields: Readonly<Record<string, { readonly confidence: number }>>,
  probability: number,
  checks: readonly Check[],
  needed = required[type] ?? [],
): number {
  const found = Object.values(fields).map((field) => field.confidence);
  const missing = needed.filter((name) => !fields[name]).length;
  const failed = checks.filter(({ passed }) => !passed);
  if (found.length + missing === 0) return round(probability * typeShare);
  const mean = found.reduce((sum, confidence) => sum + confidence, 0) / (found.length + missing);
  const isContradicted = failed.some(({ name }) => name.startsWith("page_agrees_on_"));
  const left = mean * (1 - typeShare * (1 - probability)) * afterFailure ** Math.min(3, failed.length);
  return round(Math.max(leastSure, Math.min(isContradicted ? mostContradicted : surest, left)));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
