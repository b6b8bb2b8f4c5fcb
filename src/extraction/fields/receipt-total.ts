import type { FoundNumber } from "../reading/amounts.ts";
import { boxOfSpan, type Row, type Segment } from "../reading/layout.ts";
import { fold } from "../reading/normalize.ts";
import type { Context } from "./context.ts";
import { type Finding, findingIn } from "./finding.ts";

interface Money {
  readonly value: number;
  readonly segment: Segment;
  readonly number: FoundNumber;
  readonly row: Row;
}

interface Claim extends Money {
  points: number;
  readonly isStrong: boolean;
}

const strongTotal =
  /(grand total|total (amount|due|payable|incl|inc|inclusive|including|rounded|sales|rm|bill|to pay|a payer|ttc|eur|charge)|(net|nett|final|rounded|bill|total) (total|amount)|amount (due|payable)|balance due|total\s*\(|jumlah|gesamt|summe|zu zahlen|total a pagar|importe total|totale|totaal|te betalen|net a payer|total ttc|amt due|please pay|\bsuma\b|\brazem\b|do zaplaty|\bsumma\b|att betala|at betale|a betale|\bi alt\b|yhteensa|maksettava|celkem|k uhrade|de plata|fizetendo|osszesen)/;
const plainTotal = /\btot[ae][l1iy]/;
/** Short labels that mean the total only when they stand alone. */
const bareTotal = /^\W*(due|to pay|pay|payable|a payer|zahlbetrag|a pagar|da pagare|betala)\W*$/;
/** The tax inside the total, not the total: "Total included GST @ 6% 1.42". */
const taxInside = /\binclude[ds] (gst|tax|vat|mwst|ust|tva|iva|btw|sst)\b/;
const subTotal =
  /\b(sub ?-?total|subtotal|zwischensumme|sous total|subtotale|subtotaal|suma czesciowa|delsumma|mellansumma|valisumma|mezisoucet|reszosszeg|total before|total (excl|exc|ex|excluding)|before (tax|gst)|excluding|excl)\b/;
const notTotal =
  /\b(qty|quantity|items?|pcs|count|saving|savings|discount|disc|points?|tax amount|total (gst|tax|vat|saving|discount|qty|item|rounding)|gst (total|amount|payable)|rounding|round adj|change|gst summary|tax code|includes|included|deposit|opening|artikel|vat amount|sr|zrl|zr)\b/;
const paid =
  /\b(cash|tunai|visa|master|mastercard|amex|card|debit|credit|payment|tender(ed)?|paid|amount received|bar|gegeben|especes|efectivo|contanti|contant|dinheiro|bayaran|received|eftpos|carte|karte|ec|girocard|espece|numerario|multibanco|tarjeta|entregado|bancomat|pin|gotowka|karta|kontanter?|kort|betalt|hotovost|kateinen|kortti|keszpenz|numerar)\b/;
const change =
  /\b(ch?[i1]?hange|chang[eo]|change|baki|ruckgeld|zuruck|rendu|cambio|resto|wisselgeld|terug|troco|reszta|vaxel|tillbaka|byttepenge|retur|vraceno|visszajaro|takaisin|rest|balance)\b/;
const taxed = /\b(gst|tax|vat|mwst|ust|tva|iva|btw|sst|moms|mva|alv|dph|ptu|afa)\b/;

/** Finds what was paid: by its label, and by cash minus change, rounding and repetition. */
export function findReceiptTotal(context: Context): { total?: Finding<number>; tax?: Finding<number> } {
  const claims: Claim[] = [];
  const paidAmounts: number[] = [];
  const changes: number[] = [];
  const taxes: Claim[] = [];
  const all: Money[] = [];
  for (const row of context.layout.rows) {
    const money = moneyOf(context, row);
    all.push(...money);
    const text = labelText(row, money.at(-1));
    const isWord = /[a-z]{2}/.test(text);
    const isTotal = (plainTotal.test(text) || strongTotal.test(text)) && !taxInside.test(text);
    const last = money.at(-1) ?? (isWord && isTotal ? (moneyNear(context, row) ?? brokenMoney(row)) : undefined);
    if (!last || !isWord) continue;
    if (change.test(text) && !plainTotal.test(text)) {
      changes.push(last.value);
      continue;
    }
    const isStrong = strongTotal.test(text);
    if (isTotal && !(notTotal.test(text) && !/incl|inc |inclusive/.test(text))) {
      // Two amounts in the row of a sum belong to a summary of taxes.
      const isSummary = money.length > 1 && !isStrong && !hasWordsBetween(row, money.at(-2)!, last);
      const isBroken = money.length === 0 && last.number.raw === "";
      const base = subTotal.test(text) || isSummary ? 0.3 : isBroken ? 0.5 : isStrong ? 0.95 : 0.85;
      const place = (row.index / Math.max(1, context.layout.rows.length)) * 0.05;
      claims.push({ ...last, points: base + place, isStrong: base > 0.5 });
    } else if (subTotal.test(text)) claims.push({ ...last, points: 0.3, isStrong: false });
    else if (bareTotal.test(text)) claims.push({ ...last, points: 0.6, isStrong: false });
    else if (paid.test(text)) {
      paidAmounts.push(last.value);
      claims.push({ ...last, points: 0.3, isStrong: false });
    }
    if (taxed.test(text) && !subTotal.test(text) && !/incl.*total|total.*incl/.test(text))
      taxes.push({ ...last, points: /amount|payable|total|paid|\d ?%/.test(text) ? 0.7 : 0.5, isStrong: true });
  }
  support(claims, all, paidAmounts, changes);
  const ranked = [...claims].sort((left, right) => right.points - left.points || right.row.index - left.row.index);
  const winner = ranked[0] ?? largest(all);
  if (!winner) return {};
  const rival = ranked.find((other) => Math.abs(other.value - winner.value) > 0.001);
  const isChecked =
    paidAmounts.some((given) => changes.some((back) => Math.abs(given - back - winner.value) < 0.06)) || undefined;
  const total = findingIn(
    winner.value,
    winner.segment,
    boxOfSpan(winner.segment, winner.number.from, winner.number.to),
    {
      fit: Math.max(0, Math.min(1, winner.points / 1.5)),
      isLabelled: winner.isStrong,
      isChecked,
      margin: rival ? Math.max(0, Math.min(1, winner.points - rival.points)) : 1,
    },
  );
  const tax = taxes
    .filter((claim) => claim.value < winner.value * 0.3)
    .sort((left, right) => right.points - left.points)[0];
  return {
    total,
    ...(tax
      ? {
          tax: findingIn(tax.value, tax.segment, boxOfSpan(tax.segment, tax.number.from, tax.number.to), {
            fit: tax.points,
            isLabelled: true,
            margin: 0.5,
          }),
        }
      : {}),
  };
}

function support(
  claims: Claim[],
  all: readonly Money[],
  paidAmounts: readonly number[],
  changes: readonly number[],
): void {
  for (const given of paidAmounts) {
    for (const back of changes) {
      const expected = given - back;
      if (expected <= 0) continue;
      let isClaimed = false;
      for (const claim of claims) {
        if (Math.abs(claim.value - expected) < 0.006 && (claim.value !== given || back === 0)) {
          claim.points += 0.5;
          isClaimed = true;
        }
      }
      if (isClaimed) continue;
      const printed = all.find((money) => Math.abs(money.value - expected) < 0.006);
      if (printed) claims.push({ ...printed, points: 0.9, isStrong: false });
    }
  }
  for (const claim of claims) {
    const repeats = all.filter((money) => Math.abs(money.value - claim.value) < 0.001).length - 1;
    claim.points += Math.min(0.24, repeats * 0.06);
    if (claim.value <= 0) claim.points -= 0.8;
    // A total that another one differs from by rounding only: the later, rounder one was paid.
    const rounded = claims.some(
      (other) =>
        other !== claim &&
        other.row.index > claim.row.index &&
        other.points > 0.6 &&
        Math.abs(other.value - claim.value) <= 0.05 &&
        Math.abs(other.value - claim.value) > 0.001 &&
        Math.abs(other.value * 20 - Math.round(other.value * 20)) < 1e-6,
    );
    if (rounded) claim.points -= 0.15;
  }
}

/** The words that an amount belongs to: the nearest to its left, and those before when that is only a currency. */
function labelText(row: Row, amount: Money | undefined): string {
  const left = row.segments.filter((segment) => !amount || segment.box[0] <= amount.segment.box[0]);
  const parts: string[] = [];
  for (const segment of [...left].reverse()) {
    const own = amount && segment.id === amount.segment.id ? segment.text.slice(0, amount.number.from) : segment.text;
    parts.unshift(own);
    if ((own.match(/\p{L}/gu)?.length ?? 0) > 3) break;
  }
  return fold(parts.join(" ")).replace(/[^a-z0-9%(]+/g, " ");
}

/** Whether the second amount has a label of its own. */
function hasWordsBetween(row: Row, first: Money, second: Money): boolean {
  return row.segments.some(
    (segment) =>
      segment.box[0] > first.segment.box[0] &&
      segment.box[2] <= second.segment.box[0] + 0.01 &&
      /\p{L}{3}/u.test(segment.text),
  );
}

/** "22-60" and "1000" where an amount must stand: recognition lost or mistook the point. */
function brokenMoney(row: Row): Money | undefined {
  const segment = row.segments.at(-1)!;
  const match = /(\d{1,6})\s?[-~'\u00b7:]?\s?(\d{2})\s*$/.exec(segment.text);
  if (segment.source !== "ocr" || !match || row.segments.length < 2 || match[0].replace(/\D/g, "").length < 3)
    return undefined;
  const number: FoundNumber = {
    value: Number(`${match[1]}.${match[2]}`),
    decimals: 2,
    from: match.index,
    to: segment.text.length,
    hasCurrency: false,
    isPercent: false,
    raw: "",
  };
  return { value: number.value, segment, number, row };
}

function moneyOf(context: Context, row: Row): Money[] {
  return row.segments.flatMap((segment) =>
    context
      .numbersIn(segment)
      .filter((number) => number.decimals === 2 && !number.isPercent)
      .map((number) => ({ value: number.value, segment, number, row })),
  );
}

/** The amount of a total may be recognised as a row of its own just above or below its label. */
function moneyNear(context: Context, row: Row): Money | undefined {
  const label = row.segments[0]!;
  for (const index of [row.index + 1, row.index - 1]) {
    const other = context.layout.rows[index];
    if (!other || other.page !== row.page || other.segments.length !== 1) continue;
    const money = moneyOf(context, other);
    const offset = Math.abs((other.top + other.bottom) / 2 - (row.top + row.bottom) / 2);
    if (
      money.length === 1 &&
      other.segments[0]!.box[0] > label.box[0] + 0.1 &&
      offset < label.height * 1.8 &&
      /^\W*[\p{L}]{0,3}\W*[\d.,]+\W*$/u.test(other.segments[0]!.text)
    )
      return money[0];
  }
  return undefined;
}

function largest(all: readonly Money[]): Claim | undefined {
  const best = [...all].sort((left, right) => right.value - left.value)[0];
  return best && { ...best, points: 0.15, isStrong: false };
}
