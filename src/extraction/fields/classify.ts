import { findDates } from "../reading/dates.ts";
import { fold } from "../reading/normalize.ts";
import { type Context, isMoney } from "./context.ts";
import { cutRow, solveRow } from "./item-rows.ts";
import { findTotals } from "./totals.ts";

export const documentTypes = ["invoice", "receipt", "bank_statement", "form", "document"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** What kind of document it is, by its words and its build, with a probability. */
export function classify(context: Context): { type: DocumentType; probability: number } {
  const traits = observe(context);
  const scores: Record<DocumentType, number> = {
    invoice: scoreInvoice(traits),
    receipt: scoreReceipt(traits),
    bank_statement: scoreStatement(traits),
    form: scoreForm(context, traits),
    document: 0.8 + (traits.words > 900 || context.layout.pageCount > 6 ? 0.8 : 0),
  };
  const ranked = Object.entries(scores).sort((left, right) => right[1] - left[1]) as [DocumentType, number][];
  const total = ranked.reduce((sum, [, score]) => sum + Math.exp(score), 0);
  return { type: ranked[0]![0], probability: Math.exp(ranked[0]![1]) / total };
}

/** What is seen of a document before any type is assumed. */
interface Traits {
  readonly text: string;
  readonly words: number;
  readonly amounts: number;
  /** Net, tax and gross were found and add up. */
  readonly addsUp: boolean;
  readonly hasTotal: boolean;
  /** Rows in which a quantity times a price gives an amount. */
  readonly pricedRows: number;
  /** Rows that begin with a date and hold an amount. */
  readonly movements: number;
  readonly isNarrow: boolean;
  readonly isScanned: boolean;
  readonly pages: number;
  count(pattern: RegExp): number;
}

function observe(context: Context): Traits {
  const text = fold(context.layout.text);
  const first = context.document.pages[0];
  const amounts = context.layout.segments.filter((segment) => context.numbersIn(segment).some(isMoney)).length;
  const totals = amounts > 0 ? findTotals(context) : {};
  const hasBalance = /\b(balance|kontostand|solde)\b|saldo/.test(text);
  const movements = context.layout.rows.filter((row) => {
    const lead = row.segments[0]!;
    return (
      row.segments.length > 2 &&
      (findDates(lead.text.slice(0, 24), context.dateOrder)[0]?.from === 0 ||
        (hasBalance && /^\d{1,2}[./ -](\d{1,2}|\p{L}{3})\.?$/u.test(lead.text))) &&
      row.segments.some((segment) => context.numbersIn(segment).some(isMoney))
    );
  }).length;
  return {
    text,
    words: context.layout.segments.reduce((sum, segment) => sum + segment.words.length, 0),
    amounts,
    addsUp:
      totals.gross?.evidence.isChecked === true && totals.net !== undefined && totals.net.value !== totals.gross.value,
    hasTotal: totals.gross !== undefined,
    pricedRows:
      amounts < 4
        ? 0
        : context.layout.rows.filter((row) => (solveRow(cutRow(context, row).numbers)[0]?.points ?? 0) > 1).length,
    movements,
    isNarrow: first !== undefined && first.height / first.width > 1.6,
    isScanned: context.layout.isScanned,
    pages: context.layout.pageCount,
    count: (pattern) => Math.min(3, text.match(pattern)?.length ?? 0),
  };
}

function scoreInvoice(traits: Traits): number {
  let score =
    0.8 *
    traits.count(
      /\b(invoice|facture|fac?tura(?! simplificada)|fattura|factuur|credit note|avoir|nota de credito|nota di credito|creditnota|creditfactuur|faktura|faktury|danovy doklad|szamla|lasku)\b|\b(factuur|faktura)(nummer|datum|nr)|rechnung\b|\bgutschrift\b/g,
    );
  score +=
    0.5 *
    traits.count(
      /\b(bill to|billed to|sold to|due date|date due|payment terms|payment due|invoice (no|number|date)|zahlbar|zahlungsbedingung|zahlungsziel|ust-?id|steuernummer|iban|date d'echeance|net a payer|total ht|do zaplaty|termin platnosci|nabywca|sprzedawca|att betala|forfallodag|at betale|splatnost|scadenta|furnizor|fizetendo|total ttc|base imponible|vencimiento|imponibile|scadenza|vervaldatum|vencimento|remit|purchase order|po number|leistungsdatum|lieferdatum|kundennummer|artikel-?nr)\b|rechnungs(nummer|datum|nr)|steuerbetrag|nettobetrag/g,
    );
  if (traits.addsUp) score += 1.4;
  if (traits.amounts === 0) score -= 2.5;
  if (!traits.hasTotal) score -= 0.7;
  else if (traits.pricedRows > 1 && !traits.isNarrow) score += 0.8;
  if (traits.pages > 8 || traits.words > 2500) score -= 2;
  return score;
}

function scoreReceipt(traits: Traits): number {
  let score =
    0.6 *
    traits.count(
      /\b(cashier\d*|change|cash|tendered|receipt|till|terminal|thank you|please come again|gst (id|reg)|rounding|kassenbon|ruckgeld|tunai|baki|visa|mastercard|eftpos|kasse|caisse|cajero|scontrino|kassabon|bedient|item sold|goods sold|ticket de caisse|caja|cassa|documento commerciale|caixa|fat?c?tura simplificada|talao|troco|numerario|multibanco|paragon|gotowka|reszta|kassa|kasa|kvitto|kvittering|kuitti|uctenka|nyugta|bon fiscal|wisselgeld|pin|pinbetaling|efectivo|contant|kartenzahlung|vaxel)\b/g,
    );
  if (traits.isNarrow) score += 1;
  if (traits.isScanned && traits.pages === 1 && traits.words < 250) score += 0.8;
  if (
    /\b(cash|change|tunai|baki|ruckgeld|rendu|cambio|resto|wisselgeld|troco|reszta|vaxel|byttepenge)\b/.test(
      traits.text,
    ) &&
    traits.hasTotal
  )
    score += 1;
  if (traits.amounts < 2) score -= 2.5;
  if (!traits.hasTotal) score -= 0.8;
  if (traits.words > 350 || traits.pages > 2) score -= 1.5;
  return score;
}

function scoreStatement(traits: Traits): number {
  let score =
    1.1 *
    traits.count(
      /\b(statement period|opening balance|closing balance|account statement|bank statement|statement of account|balance brought forward|kontoauszug|anfangssaldo|endsaldo|alter saldo|neuer saldo|kontostand|releve de compte|solde initial|solde final|ancien solde|nouveau solde|extracto|saldo inicial|saldo final|estratto conto|saldo iniziale|saldo finale|rekeningafschrift|beginsaldo|eindsaldo|extrato|money in|money out|paid in|paid out)\b/g,
    );
  if (/\b(date|datum|fecha|data)\b[^\n]*\b(balance|saldo|solde)\b/.test(traits.text)) score += 1;
  score += traits.movements >= 3 ? 1.5 : -2.5;
  if (traits.words > 8000) score -= 2;
  return score;
}

function scoreForm(context: Context, traits: Traits): number {
  const colons = context.layout.segments.filter((segment) => /^[\p{L}][^:]{1,40}:/u.test(segment.text)).length;
  let score =
    Math.min(1.6, colons * 0.16) +
    0.5 *
      traits.count(
        /\b(form|application|formular|antrag|formulaire|demande|formulario|solicitud|modulo|richiesta|signature|unterschrift|date of birth|please print|applicant|checkbox|questionnaire|registration|approved|authorization)\b/g,
      );
  if (context.document.formEntries.length > 2) score += 2.5;
  if (traits.isScanned && traits.pages === 1) score += 0.4;
  if (traits.words > 900 || traits.pages > 6) score -= 1.5;
  if (traits.addsUp) score -= 0.8;
  return score;
}
