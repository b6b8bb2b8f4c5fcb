import type { Context } from "../context.ts";
import { findLineItems, type LineItem } from "../line-items.ts";
import { type Finding, weigh } from "../pick.ts";
import { findInvoiceHeader } from "./header.ts";
import { findParties } from "./parties.ts";
import { findTaxBreakdown, type TaxPart } from "./taxes.ts";
import { findTotals } from "./totals.ts";

export interface Invoice {
  /** By the name a value has in the result; a part that was not found is missing here. */
  readonly fields: Record<string, Finding>;
  readonly lines: readonly Finding<LineItem>[];
  readonly taxes: readonly TaxPart[];
}

/** Reads an invoice or a credit note from its page. */
export function readInvoice(context: Context): Invoice {
  return {
    fields: { ...findInvoiceHeader(context), ...findTotals(context), ...findParties(context), ...currencyOf(context) },
    lines: findLineItems(context),
    taxes: findTaxBreakdown(context),
  };
}

/** The currency of the whole document: a sign, a code, or what the country of its tax and bank numbers uses. */
export function currencyOf(context: Context): Record<string, Finding> {
  if (!context.currency) return {};
  const isPrinted = new RegExp(`\\b${context.currency}\\b`).test(context.layout.text);
  return {
    currency: weigh("currency", {
      value: context.currency,
      page: null,
      box: null,
      reading: 1,
      reasons: isPrinted ? { printed: 1 } : /[€$£]|zł|Kč/.test(context.layout.text) ? { sign: 1 } : { guessed: 1 },
    }),
  };
}
