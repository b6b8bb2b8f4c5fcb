import { cent, tillRounding } from "../reading/amounts.ts";
import { sumOf } from "./invoice/taxes.ts";
import { amountsBetween } from "./invoice/totals.ts";
import type { Transaction } from "./statement/transactions.ts";

/** Something the document states twice or that must add up. */
export interface Check {
  name: string;
  passed: boolean;
  message: string;
}

/** What must hold between the values of a result, whoever wrote them down: the rules, a model or a person. */
export function checkData(type: string, data: Record<string, unknown>): Check[] {
  if (type === "invoice" || type === "credit_note") return invoiceChecks(data);
  if (type === "receipt") return receiptChecks(data);
  return type === "bank_statement" ? statementChecks(data) : [];
}

const amount = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
/** Rounding of each of the parts to cents. */
const slack = 2 * cent;

function totalsOf(data: Record<string, unknown>): (number | null)[] {
  const lines = Array.isArray(data.lines) ? data.lines : [];
  return lines.map((line) => amount((line as { total?: unknown } | null)?.total));
}

function invoiceChecks(data: Record<string, unknown>): Check[] {
  const checks: Check[] = [];
  const net = amount(data.net_total);
  const tax = amount(data.tax_total);
  const gross = amount(data.grand_total);
  const between = amountsBetween(data);
  if (net !== null && tax !== null && gross !== null) {
    const off = Math.abs(net) + Math.abs(tax) - Math.abs(gross);
    const passed = between.some((more) => Math.abs(off + more) < slack);
    checks.push({ name: "totals_add_up", passed, message: `${net} + ${tax} ${passed ? "=" : "is not"} ${gross}` });
  }
  const totals = totalsOf(data);
  if (totals.length > 0 && totals.every((total) => total !== null) && (net !== null || gross !== null)) {
    const sum = sumOf(totals as number[]);
    const untaxed = gross === null ? null : Math.abs(gross) - Math.abs(tax ?? 0);
    const passed = [net ?? untaxed, gross].some(
      (total) => total !== null && between.some((more) => Math.abs(Math.abs(sum + more) - Math.abs(total)) < slack),
    );
    checks.push(linesCheck(sum, passed, "which is none of the totals"));
  }
  return checks;
}

function receiptChecks(data: Record<string, unknown>): Check[] {
  const total = amount(data.total);
  const totals = totalsOf(data);
  if (total === null || totals.length === 0 || totals.some((one) => one === null)) return [];
  const sum = sumOf(totals as number[]);
  // Some add the tax at the end.
  const passed = [0, amount(data.tax) ?? 0].some((more) => Math.abs(sum + more - total) < tillRounding);
  return [linesCheck(sum, passed, `not to ${total}`)];
}

function linesCheck(sum: number, passed: boolean, otherwise: string): Check {
  return { name: "lines_add_up", passed, message: `The lines sum to ${sum}${passed ? "" : `, ${otherwise}`}.` };
}

function statementChecks(data: Record<string, unknown>): Check[] {
  const list = (Array.isArray(data.transactions) ? data.transactions : []) as Transaction[];
  if (list.length === 0) return [];
  const checks: Check[] = [];
  let balance = amount(data.opening_balance);
  let wrong = 0;
  let seen = 0;
  for (const { debit, credit, balance: after } of list) {
    const moved = (amount(credit) ?? 0) - (amount(debit) ?? 0);
    if (balance !== null && amount(after) !== null) {
      seen++;
      if (Math.abs(balance + moved - after!) > slack) wrong++;
    }
    balance = amount(after) ?? (balance === null ? null : balance + moved);
  }
  if (seen > 0)
    checks.push({
      name: "running_balance",
      passed: wrong === 0,
      message:
        wrong === 0
          ? "Every movement leads to the balance beside it."
          : `${wrong} of ${list.length} movements do not lead to the balance beside them.`,
    });
  const closing = amount(data.closing_balance);
  if (closing !== null && balance !== null) {
    const passed = Math.abs(balance - closing) < slack;
    const end = Math.round(balance * 100) / 100;
    checks.push({
      name: "closing_balance",
      passed,
      message: passed
        ? `The movements lead to ${end}.`
        : `The movements lead to ${end}, the statement ends with ${closing}.`,
    });
  }
  return checks;
}
