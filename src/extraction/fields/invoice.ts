import type { Context } from "./context.ts";
import type { Finding } from "./finding.ts";
import { findInvoiceHeader } from "./invoice-header.ts";
import { findLineItems, type LineItem } from "./line-items.ts";
import { findParties } from "./parties.ts";
import { findTotals } from "./totals.ts";

/** Everything an invoice may state, by the name it has in the result; a part that was not found is missing here. */
export type InvoiceFindings = Record<string, Finding> & { lines?: never };

export interface Invoice {
  readonly fields: InvoiceFindings;
  readonly lines: readonly Finding<LineItem>[];
}

/** Reads an invoice from its page. */
export function readInvoice(context: Context): Invoice {
  const fields: Record<string, Finding> = {};
  Object.assign(fields, findInvoiceHeader(context));
  const totals = findTotals(context);
  if (totals.net) fields.net_total = totals.net;
  if (totals.tax) fields.tax_total = totals.tax;
  if (totals.gross) fields.grand_total = totals.gross;
  const { seller, buyer } = findParties(context);
  for (const [role, party] of [
    ["seller", seller],
    ["buyer", buyer],
  ] as const) {
    for (const [name, finding] of Object.entries(party)) if (finding) fields[`${role}.${name}`] = finding as Finding;
  }
  if (context.currency) {
    fields.currency = {
      value: context.currency,
      page: null,
      box: null,
      evidence: { reading: 1, fit: 0.9, isLabelled: true, margin: 0.8 },
    };
  }
  return { fields: fields as InvoiceFindings, lines: findLineItems(context) };
}
