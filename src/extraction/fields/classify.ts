import { fold } from "../reading/normalize.ts";
import type { Context } from "./context.ts";

export const documentTypes = ["invoice", "receipt", "bank_statement", "form", "document"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** What kind of document it is, by its words and its build, with a probability. */
export function classify(context: Context): { type: DocumentType; probability: number } {
  const text = fold(context.layout.text);
  const scores: Record<DocumentType, number> = { invoice: 0, receipt: 0, bank_statement: 0, form: 0, document: 0.8 };
  const count = (pattern: RegExp): number => Math.min(3, text.match(pattern)?.length ?? 0);
  const first = context.document.pages[0];
  const words = context.layout.segments.reduce((sum, segment) => sum + segment.words.length, 0);
  const aspect = first ? first.height / first.width : 1.4;

  scores.invoice +=
    0.9 *
    count(
      /\b(invoice|rechnung|facture|factura|fattura|factuur|fatura|credit note|gutschrift|avoir|handelsrechnung|kostenrechnung|nota de credito|nota di credito|creditnota)\b/g,
    );
  scores.invoice +=
    0.5 *
    count(
      /\b(bill to|billed to|due date|date due|payment terms|invoice (no|number|date)|rechnungsnummer|rechnungsdatum|zahlbar|ust-?id|iban|date d'echeance|net a payer|total ht|total ttc|base imponible|vencimiento|imponibile|scadenza|vervaldatum|vencimento|remit|purchase order|po number)\b/g,
    );
  scores.receipt +=
    0.7 *
    count(
      /\b(cashier|change|cash|tendered|receipt|till|terminal|thank you|please come again|gst (id|reg)|rounding|kassenbon|bar|ruckgeld|ticket|tunai|baki|visa|mastercard|eftpos|kasse|caisse|cajero|scontrino|bon)\b/g,
    );
  if (aspect > 1.6) scores.receipt += 1;
  if (context.layout.isScanned && context.layout.pageCount === 1) scores.receipt += 0.6;
  if (
    /\b(cash|change|tunai|baki|ruckgeld|rendu|cambio|resto)\b/.test(text) &&
    /\btotal|summe|totaal|totale\b/.test(text)
  )
    scores.receipt += 1;
  if (words > 350) scores.receipt -= 1.2;
  if (!/\d[.,]\d{2}\b/.test(text)) {
    scores.receipt -= 2;
    scores.invoice -= 1.2;
  }
  scores.bank_statement +=
    1.1 *
    count(
      /\b(statement period|opening balance|closing balance|account statement|bank statement|statement of account|balance brought forward|kontoauszug|anfangssaldo|endsaldo|alter saldo|neuer saldo|kontostand|releve de compte|solde initial|solde final|ancien solde|nouveau solde|extracto|saldo inicial|saldo final|estratto conto|saldo iniziale|saldo finale|rekeningafschrift|beginsaldo|eindsaldo|extrato|money in|money out|paid in|paid out|withdrawals|deposits)\b/g,
    );
  if (/\b(date|datum|fecha|data)\b.*\b(balance|saldo|solde)\b/.test(text)) scores.bank_statement += 1;
  const colons = context.layout.segments.filter((segment) => /^[\p{L}][^:]{1,40}:/u.test(segment.text)).length;
  scores.form +=
    Math.min(2, colons * 0.16) +
    0.5 *
      count(
        /\b(form|application|formular|antrag|formulaire|demande|formulario|solicitud|modulo|richiesta|signature|unterschrift|date of birth|please print|applicant|checkbox|questionnaire|registration)\b/g,
      );
  if (context.document.formEntries.length > 2) scores.form += 2.5;
  // Long prose is neither.
  if (words > 900 || context.layout.pageCount > 6) {
    scores.form -= 1;
    scores.document += 0.8;
  }
  const ranked = Object.entries(scores).sort((left, right) => right[1] - left[1]) as [DocumentType, number][];
  const total = ranked.reduce((sum, [, score]) => sum + Math.exp(score), 0);
  return { type: ranked[0]![0], probability: Math.exp(ranked[0]![1]) / total };
}
