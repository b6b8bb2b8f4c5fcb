import { saysOtherDate } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { isUndecided, withAlternatives } from "../invoice/header.ts";
import { currencyOf } from "../invoice/invoice.ts";
import { findParties } from "../invoice/parties.ts";
import { findPartyHeadings } from "../invoice/party-headings.ts";
import type { TaxPart } from "../invoice/taxes.ts";
import type { LineItem } from "../line-items.ts";
import { type Finding, pick } from "../pick.ts";
import { proposeSpans } from "../propose.ts";
import { dateSpans } from "../spans.ts";
import { findReceiptAmounts } from "./amounts.ts";
import { findReceiptHead } from "./head.ts";
import { findReceiptLines } from "./lines.ts";

export interface Receipt {
  readonly fields: Record<string, Finding>;
  readonly lines: readonly Finding<LineItem>[];
  readonly taxes: readonly TaxPart[];
}

/** Reads a till receipt: who, where, when, what, how much. */
export function readReceipt(context: Context): Receipt {
  const { fields, taxes } = findReceiptAmounts(context);
  const date = findReceiptDate(context);
  const seller = findSeller(context);
  return {
    fields: { ...seller, ...(date ? { date } : {}), ...fields, ...currencyOf(context) },
    lines: findReceiptLines(context, fields.total?.value as number | undefined, seller.address),
    taxes,
  };
}

/** A sheet that says whom it was billed to names both as an invoice does; a slip has the shop on top, and recognised ones are mostly slips. */
function findSeller(context: Context): Record<string, Finding> {
  const isBilled =
    !context.layout.isScanned &&
    findPartyHeadings(context).some(({ name, isAlone, isStrong }) => name === "buyer" && isAlone && isStrong);
  const { "seller.name": company, "seller.address": address } = isBilled ? findParties(context) : {};
  return company ? { company, ...(address ? { address } : {}) } : findReceiptHead(context);
}

function findReceiptDate(context: Context): Finding<string> | undefined {
  const spans = dateSpans(context);
  const now = new Date().getUTCFullYear();
  const candidates = proposeSpans(context, spans, ["issue_date"], (span) => {
    const year = Number(span.value.slice(0, 4));
    return {
      first: spans.indexOf(span) === 0,
      other_words: saysOtherDate(context.layout.rows[span.segment.row]!.text),
      odd_year: year < 2000 || year > now + 1,
      ambiguous: isUndecided(context, span),
    };
  });
  return withAlternatives(pick("date", candidates));
}
