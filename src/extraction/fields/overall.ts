import { table } from "../../platform/table.ts";
import type { Check } from "./checks.ts";

/** A document without these is hardly what it was taken for. */
const required: Record<string, readonly string[]> = table({
  invoice: ["invoice_number", "issue_date", "grand_total", "seller.name"],
  credit_note: ["invoice_number", "issue_date", "grand_total", "seller.name"],
  receipt: ["company", "date", "total"],
  bank_statement: ["account_number", "closing_balance"],
});

/** What each failed check leaves of the confidence: a guess, low enough to be seen by any threshold. */
const afterFailure = 0.75;

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
  if (found.length + missing === 0) return round(probability * 0.3);
  const mean = found.reduce((sum, confidence) => sum + confidence, 0) / (found.length + missing);
  const isContradicted = failed.some(({ name }) => name.startsWith("page_agrees_on_"));
  const left = mean * (0.7 + 0.3 * probability) * afterFailure ** Math.min(3, failed.length);
  return round(Math.max(0.01, Math.min(isContradicted ? 0.49 : 0.99, left)));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
