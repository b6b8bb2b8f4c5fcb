import type { ReadDocument } from "../../ports/document-reader.ts";
import { type DecimalMark, type FoundNumber, findNumbers, styleOf, voteDecimalMark } from "../reading/amounts.ts";
import { findIbans, findTaxNumbers, findVatIds } from "../reading/checks.ts";
import { currencyOfCodes, decimalsOf, findCrowns, findCurrency } from "../reading/currency.ts";
import { type DateOrder, findDates, looksAmerican, voteDateOrder } from "../reading/dates.ts";
import { isRightUnder, startAlike } from "../reading/geometry.ts";
import { type Label, labelsIn } from "../reading/labels.ts";
import { type Layout, layOut } from "../reading/layout.ts";
import { weakly } from "../reading/normalize.ts";
import type { Segment } from "../reading/segment.ts";
import { fieldIndex, partyIndex } from "../reading/words.ts";

/** What is known about a document as a whole before any field is looked for. */
export interface Context {
  readonly document: ReadDocument;
  readonly layout: Layout;
  readonly labels: readonly Label[];
  readonly decimalMark: DecimalMark;
  readonly dateOrder: DateOrder;
  /** Nothing on the page says whether the day or the month comes first. */
  readonly isOrderOpen: boolean;
  readonly currency: string | undefined;
  isLabel(segment: Segment): boolean;
  /** The labels inside one run of text. */
  labelsOf(segment: Segment): readonly Label[];
  numbersIn(segment: Segment): readonly FoundNumber[];
  /** Numbers of any text, without those that are parts of dates. */
  numbersOf(text: string): readonly FoundNumber[];
  /** Whether a number is written like an amount of money in this document. */
  isMoney(number: FoundNumber): boolean;
  hasMoney(segment: Segment): boolean;
  /** Something worked out once for this document. */
  once<Value>(name: string, make: () => Value): Value;
}

export interface LocaleHints {
  readonly dateOrder?: DateOrder | undefined;
  readonly decimalMark?: DecimalMark | undefined;
  readonly currency?: string | undefined;
}

/** "Bill to", "Rechnung an": the bill in it is neither a title nor what a number is called. */
function isOfParty({ segment, name, length }: Label): boolean {
  if (name !== "invoice_number" && !name.startsWith("title.")) return false;
  // Read exactly: "Invoice No" is one letter away from "Invoice to".
  const headings = labelsIn({ ...segment, source: "text" }, partyIndex);
  return headings.some((heading) => heading.isAlone && heading.isStrong && heading.length >= length);
}

/** "Datum opravljene" over "storitve:": a label of two lines is one in the place of its first. */
function labelsOfTwoLines({ rows, lineHeight }: Layout, segment: Segment): readonly Label[] | undefined {
  const rest = rows[segment.row + 1]?.segments.find(({ box }) => startAlike(box, segment.box));
  const isWrapped =
    rest !== undefined &&
    rest.page === segment.page &&
    /^\p{Lu}\D*[^\d:]$/u.test(segment.text) &&
    /^\D*:$/.test(rest.text) &&
    labelsIn(rest, fieldIndex).length === 0 &&
    isRightUnder(rest.box[1], segment.box[3], lineHeight / 2);
  if (!isWrapped) return undefined;
  const to = segment.text.length;
  const labels = labelsIn({ ...segment, text: `${segment.text} ${rest.text}` }, fieldIndex);
  const whole = labels.filter((label) => label.isAlone && label.to > to).map((label) => ({ ...label, segment, to }));
  return whole.length > 0 ? whole : undefined;
}

export function createContext(document: ReadDocument, hints: LocaleHints = {}): Context {
  const layout = layOut(document);
  const labels = layout.segments
    .flatMap((segment) => labelsOfTwoLines(layout, segment) ?? labelsIn(segment, fieldIndex))
    .filter((label) => !isOfParty(label));
  const labelled = new Set(
    labels
      .filter((label) => label.from <= 2 && !label.name.startsWith("title.") && (label.isStrong || label.isAlone))
      .map((label) => label.segment.id),
  );
  const bySegment = new Map<number, Label[]>();
  for (const label of labels) bySegment.set(label.segment.id, [...(bySegment.get(label.segment.id) ?? []), label]);
  const kept = new Map<string, unknown>();
  const order = voteDateOrder(layout.text);
  const currency =
    hints.currency ??
    findCurrency(layout.text)?.code ??
    findCrowns(layout.text) ??
    currencyOfCodes([
      ...[...findIbans(layout.text), ...findVatIds(layout.text)].map(({ value }) => value),
      ...findTaxNumbers(layout.text).map(({ country }) => country),
    ]) ??
    (looksAmerican(layout.text) ? "USD" : undefined);
  const isForint = currency === "HUF";
  const decimals = decimalsOf(currency);
  const decimalMark = hints.decimalMark ?? (isForint ? "," : voteDecimalMark(layout.text, decimals || 2));
  const style = styleOf(layout.text, decimalMark, currency);
  const numbersOf = (text: string): FoundNumber[] => {
    const dates = findDates(text, "dmy");
    return findNumbers(text, style).filter(
      (number) => !dates.some((date) => number.from < date.to && date.from < number.to),
    );
  };
  const numbersIn = weakly((segment: Segment) => numbersOf(segment.text));
  // Forints, yen and won have no smaller part, and other amounts may be written without theirs.
  const isWhole = decimals === 0 || isWithoutCents(layout.text, layout.segments.flatMap(numbersIn));
  const isShort = isWithShortCents(layout.segments.flatMap(numbersIn));
  const isMoney = (number: FoundNumber): boolean =>
    !number.isPercent &&
    (number.decimals === (decimals || 2) ||
      (isShort && number.decimals === 1) ||
      (number.hasCurrency && number.decimals < 3) ||
      (isWhole && number.decimals === 0 && Math.abs(number.value) >= 100));
  return {
    document,
    layout,
    labels,
    decimalMark,
    dateOrder: hints.dateOrder ?? order.order,
    isOrderOpen: hints.dateOrder === undefined && order.isOpen,
    currency,
    isLabel: (segment) => labelled.has(segment.id),
    labelsOf: (segment) => bySegment.get(segment.id) ?? [],
    numbersOf,
    numbersIn,
    isMoney,
    hasMoney: weakly((segment: Segment) => numbersIn(segment).some(isMoney)),
    once: <Value>(name: string, make: () => Value): Value => {
      if (!kept.has(name)) kept.set(name, make());
      return kept.get(name) as Value;
    },
  };
}

/** "75.0" and "2310.0": programs that drop the last nought of every amount. */
function isWithShortCents(numbers: readonly FoundNumber[]): boolean {
  const decimals = numbers.filter(({ isPercent }) => !isPercent).map((number) => number.decimals);
  return !decimals.includes(2) && decimals.filter((count) => count === 1).length > 2;
}

/** No number has two decimals, and some amounts have none: two with a currency, or three like "72.000". */
function isWithoutCents(text: string, numbers: readonly FoundNumber[]): boolean {
  if (numbers.some(({ decimals, isPercent }) => decimals === 2 && !isPercent)) return false;
  const marked = numbers.filter(({ decimals, hasCurrency }) => decimals === 0 && hasCurrency);
  return marked.length >= 2 || (text.match(/(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.,])/g)?.length ?? 0) >= 3;
}
