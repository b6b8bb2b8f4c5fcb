import type { Extraction } from "../../src/extraction/fields/extract-fields.ts";
import { type Outcome, sameName } from "./outcome.ts";

interface Movement {
  date: string | null;
  debit: number | null;
  credit: number | null;
  balance: number | null;
}

const names = [
  "bank",
  "account_holder",
  "account_number",
  "period_start",
  "period_end",
  "opening_balance",
  "closing_balance",
];

/** Header fields, and transactions by date, amounts and balance. */
export function scoreStatement(
  truth: Record<string, unknown>,
  found: Extraction,
): { outcomes: Outcome[]; lines: { hits: number; found: number; wanted: number } } {
  const outcomes = names
    .filter((name) => truth[name] !== null && truth[name] !== undefined)
    .map((name): Outcome => {
      const want = truth[name];
      const got = found.data[name];
      const isRight =
        typeof want === "number" ? Math.abs(want - Number(got)) < 0.011 : sameName(String(want), String(got ?? ""));
      return { field: name, want, got, isRight, confidence: found.fields[name]?.confidence };
    });
  const open = [...((found.data.transactions ?? []) as Movement[])];
  const wanted = (truth.transactions ?? []) as Movement[];
  let hits = 0;
  for (const want of wanted) {
    const at = open.findIndex(
      (got) =>
        got.date === want.date &&
        got.debit === want.debit &&
        got.credit === want.credit &&
        got.balance === want.balance,
    );
    if (at < 0) continue;
    hits++;
    open.splice(at, 1);
  }
  return {
    outcomes,
    lines: { hits, found: ((found.data.transactions ?? []) as unknown[]).length, wanted: wanted.length },
  };
}
