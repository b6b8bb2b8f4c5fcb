import type { ReadDocument } from "../../ports/document-reader.ts";
import { type DecimalMark, type FoundNumber, findNumbers, voteDecimalMark } from "../reading/amounts.ts";
import { findIbans, findTaxNumbers, findVatIds } from "../reading/checks.ts";
import { currencyOfCodes, findCrowns, findCurrency } from "../reading/currency.ts";
import { type DateOrder, findDates, looksAmerican, voteDateOrder } from "../reading/dates.ts";
import { type Layout, layOut, type Segment } from "../reading/layout.ts";
import { findLabels, type Label } from "./labels.ts";

/** What is known about a document as a whole before any field is looked for. */
export interface Context {
  readonly document: ReadDocument;
  readonly layout: Layout;
  readonly labels: readonly Label[];
  readonly decimalMark: DecimalMark;
  readonly dateOrder: DateOrder;
  readonly currency: string | undefined;
  isLabel(segment: Segment): boolean;
  /** The labels inside one run of text. */
  labelsOf(segment: Segment): readonly Label[];
  numbersIn(segment: Segment): readonly FoundNumber[];
  /** Numbers of any text, without those that are parts of dates. */
  numbersOf(text: string): readonly FoundNumber[];
}

export interface LocaleHints {
  readonly dateOrder?: DateOrder | undefined;
  readonly decimalMark?: DecimalMark | undefined;
  readonly currency?: string | undefined;
}

export function createContext(document: ReadDocument, hints: LocaleHints = {}): Context {
  const layout = layOut(document);
  const labels = findLabels(layout);
  const labelled = new Set(
    labels.filter((label) => label.from <= 2 && (label.isStrong || label.isAlone)).map((label) => label.segment.id),
  );
  const decimalMark = hints.decimalMark ?? voteDecimalMark(layout.text);
  const bySegment = groupLabels(labels);
  const numbers = new Map<number, readonly FoundNumber[]>();
  const numbersOf = (text: string): FoundNumber[] => {
    const dates = findDates(text, "dmy");
    return findNumbers(text, decimalMark).filter(
      (number) => !dates.some((date) => number.from < date.to && date.from < number.to),
    );
  };
  return {
    document,
    layout,
    labels,
    decimalMark,
    dateOrder: hints.dateOrder ?? voteDateOrder(layout.text),
    currency:
      hints.currency ??
      findCurrency(layout.text)?.code ??
      findCrowns(layout.text) ??
      currencyOfCodes([...findIbans(layout.text), ...findVatIds(layout.text)].map((code) => code.value)) ??
      (/\bNIP\b/.test(layout.text) && findTaxNumbers(layout.text).length > 0 ? "PLN" : undefined) ??
      (looksAmerican(layout.text) ? "USD" : undefined),
    isLabel: (segment) => labelled.has(segment.id),
    labelsOf: (segment) => bySegment.get(segment.id) ?? [],
    numbersOf,
    numbersIn: (segment) => {
      const known = numbers.get(segment.id);
      if (known) return known;
      const found = numbersOf(segment.text);
      numbers.set(segment.id, found);
      return found;
    },
  };
}

function groupLabels(labels: readonly Label[]): Map<number, Label[]> {
  const groups = new Map<number, Label[]>();
  for (const label of labels) {
    const group = groups.get(label.segment.id);
    if (group) group.push(label);
    else groups.set(label.segment.id, [label]);
  }
  return groups;
}

/** Whether a number is written like an amount of money. */
export function isMoney(number: FoundNumber): boolean {
  return !number.isPercent && (number.decimals === 2 || (number.hasCurrency && number.decimals < 3));
}
