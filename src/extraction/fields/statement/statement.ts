import { cent } from "../../reading/amounts.ts";
import { findIbans } from "../../reading/checks.ts";
import { findDates } from "../../reading/dates.ts";
import { isInColumn, isRightUnder } from "../../reading/geometry.ts";
import { type Label, labelsIn } from "../../reading/labels.ts";
import type { Segment } from "../../reading/segment.ts";
import { movementIndex, statementIndex } from "../../reading/words.ts";
import { type Found, findSpans, type Span } from "../claims.ts";
import type { Context } from "../context.ts";
import { currencyOf } from "../invoice/invoice.ts";
import { type Finding, type Notes, pick } from "../pick.ts";
import { proposeSpans } from "../propose.ts";
import { dateSpans, isLoneWhole } from "../spans.ts";
import { markAfter } from "./marks.ts";
import { firstMovementRow } from "./movement-headers.ts";
import { nameIn, proposeBank, proposeHolder } from "./parties.ts";
import { findTransactions, isNewestFirst, type Transaction } from "./transactions.ts";

export interface BankStatement {
  readonly fields: Record<string, Finding>;
  readonly transactions: readonly Finding<Transaction>[];
}

/** Reads an account statement: whose, which period, and every movement, checked against the running balance. */
export function readBankStatement(context: Context): BankStatement {
  const labels = context.layout.segments
    .flatMap((segment) => [...labelsIn(segment, statementIndex), ...wrappedLabels(context, segment)])
    // "Customer service: 0800 ..." names nobody.
    .filter(
      ({ name, segment, from, to }) =>
        name !== "account_holder" || from > 2 || !/^ \p{L}+(?::|$)/u.test(segment.text.slice(to)),
    );
  const day = (name: string) =>
    find(context, labels, name, (text) =>
      findDates(text, context.dateOrder).map(({ iso, from, to }) => ({ value: iso, from, to })),
    );
  const [from, to] = [day("period_start"), day("period_end")];
  const period =
    find(context, labels, "period", (text) => periodIn(context, text)) ??
    (from && to ? { ...from, value: [from.value, to.value] as [string, string] } : undefined);
  const money = (text: string, segment: Segment): Found<number>[] =>
    context
      .numbersOf(text)
      // "Solde: 14500"; but "Deposits 4 1,200.00" counts them.
      .filter(
        (number) =>
          context.isMoney(number) ||
          (isLoneWhole(number, text.replace(/^[^:\d]*:/, "")) &&
            !context.layout.rows[segment.row]!.segments.some(context.hasMoney)),
      )
      .map(({ value, from, to }) => {
        const isOwed = markAfter(context.layout.rows[segment.row]!, segment, to) === "debit";
        return { value: isOwed ? -Math.abs(value) : value, from, to };
      });
  const balances = (name: "opening_balance" | "closing_balance", expected?: number): Finding<number> | undefined =>
    find(
      context,
      labels,
      name,
      (text, segment) => money(text, segment).map(proven(expected)),
      (span): Notes => {
        if (expected === undefined) return {};
        if (Math.abs(span.value - expected) >= cent) return { failed: 1 };
        return { checked: 1, running: isProven && span.claims.every(({ label }) => label.name !== name) };
      },
    );
  let isProven = false;
  const rough = balances("opening_balance");
  const transactions = findTransactions(context, rough?.value, period?.value ?? datesOf(context));
  // What the list itself tells of the balances counts where every movement leads to the next.
  isProven = transactions.length > 1 && transactions.slice(1).every(({ reasons }) => reasons.checked);
  const printed = transactions.map(({ value }) => value);
  const values = isNewestFirst(printed) ? printed.toReversed() : printed;
  const start = balanceBefore(values[0]);
  const sum = values.reduce((total, { debit, credit }) => total + (credit ?? 0) - (debit ?? 0), 0);
  const opening = balances("opening_balance", start);
  const end = values.at(-1)?.balance ?? (opening && values.length > 0 ? opening.value + sum : undefined);
  const closing = balances("closing_balance", end === undefined ? undefined : Math.round(end * 100) / 100);
  const account = find(context, labels, "account_number", accountIn, (span) =>
    findIbans(span.segment.text).some(({ isValid }) => isValid) ? { checked: 1 } : {},
  );
  const named = find(context, labels, "account_holder", nameIn);
  const bank = pick(
    "bank",
    proposeBank(context).filter(({ value }) => value !== named?.value),
  );
  const holder = named ?? pick("account_holder", proposeHolder(context, bank?.value));
  const found: Record<string, Finding | undefined> = {
    bank,
    account_holder: holder,
    account_number: account,
    period_start: period && { ...period, value: period.value[0] },
    period_end: period && { ...period, value: period.value[1] },
    opening_balance: opening,
    closing_balance: closing,
    ...currencyOf(context),
  };
  return {
    fields: Object.fromEntries(Object.entries(found).filter(([, finding]) => finding)) as Record<string, Finding>,
    transactions,
  };
}

/** "Opening" over "balance": a label over two rows stands on the lower one. */
function wrappedLabels({ layout }: Context, segment: Segment): Label[] {
  const above = layout.rows[segment.row - 1]?.segments.find(({ box }) => isInColumn(box, segment.box));
  if (!above || !isRightUnder(segment.box[1], above.box[3], segment.height)) return [];
  return labelsIn({ ...segment, text: `${above.text} ${segment.text}` }, statementIndex)
    .filter(({ isAlone, isStrong, from }) => isAlone && isStrong && from < above.text.length)
    .map((label) => ({ ...label, segment, from: 0, to: segment.text.length }));
}

/** Where no period is printed, the dates of the balances and of the statement tell the year of "03.06". */
function datesOf(context: Context): [string, string] | undefined {
  const dates = dateSpans(context)
    .map(({ value }) => value)
    .sort();
  return dates.length > 0 ? [dates[0]!, dates.at(-1)!] : undefined;
}

/** "Solde débiteur au 31/05/2024 70,10" is less than nothing where the movements say so. */
function proven(expected: number | undefined): (found: Found<number>) => Found<number> {
  const isOwed = (value: number): boolean =>
    expected !== undefined && expected < 0 && Math.abs(value + expected) < cent;
  return (found) => (isOwed(found.value) ? { ...found, value: -found.value } : found);
}

function balanceBefore(first: Transaction | undefined): number | undefined {
  return first?.balance === null || first === undefined
    ? undefined
    : Math.round((first.balance + (first.debit ?? 0) - (first.credit ?? 0)) * 100) / 100;
}

function find<Value>(
  context: Context,
  labels: readonly Label[],
  name: string,
  kind: (text: string, segment: Segment) => Found<Value>[],
  more: (span: Span<Value>) => Notes = () => ({}),
): Finding<Value> | undefined {
  const isLabel = (segment: Segment): boolean =>
    labels.some((label) => label.segment.id === segment.id && label.from <= 2 && (label.isStrong || label.isAlone));
  const spans = findSpans(context.layout, labels, isLabel, kind);
  // Names and dates may be anybody's: only what stands behind its own label counts, and that is no other label.
  const isHeading = (segment: Segment): boolean =>
    isLabel(segment) || labelsIn(segment, movementIndex).some(({ isAlone }) => isAlone);
  const isOwn = ({ claims, segment, from }: Span<Value>): boolean =>
    claims.some(({ label }) => label.name === name) && !(from === 0 && isHeading(segment));
  const own = ["account_holder", "period_start", "period_end"].includes(name) ? spans.filter(isOwn) : spans;
  if (name.endsWith("_balance")) claimBefore(context, labels, own);
  // Accounts of others stand among the movements.
  const before = own.filter(({ segment }) => segment.row < firstMovementRow(context));
  const isOfAccount = name === "account_holder" || (name === "account_number" && before.length > 0);
  return pick(name, proposeSpans(context, isOfAccount ? before : own, [name], more));
}

/** Where the words stand in the last column, the amount of a balance stands before its label. */
function claimBefore<Value>({ layout }: Context, labels: readonly Label[], spans: readonly Span<Value>[]): void {
  const byRow = new Map<number, Span<Value>[]>();
  for (const span of spans) byRow.set(span.segment.row, [...(byRow.get(span.segment.row) ?? []), span]);
  for (const label of labels) {
    const { segment, isAlone } = label;
    const inRow = byRow.get(segment.row) ?? [];
    const isLast = layout.rows[segment.row]!.segments.at(-1) === segment;
    if (!isAlone || !isLast || inRow.length !== 1 || inRow[0]!.segment === segment) continue;
    inRow[0]!.claims.push({ label, place: "right", gap: segment.box[0] - inRow[0]!.box[2], skipped: 0, isLast: true });
  }
}

function accountIn(text: string): Found<string>[] {
  const iban = findIbans(text)[0];
  if (iban) return [{ value: iban.value, from: iban.from, to: iban.to }];
  if (findDates(text, "dmy").length > 0) return [];
  const grouped = /(?<![\d.,])\d{3,4}\.\d{2,3}\.\d{3,5}(?:-\d+)?(?![\d.,]\d)|(?:\d{1,6}-)?\d{4,10}\/\d{4}(?!\d)/.exec(
    text,
  );
  // Norwegian, Swiss and Czech accounts: "1204.33.11882", "762.011.623-52", "19-2000145399/0800".
  if (grouped) return [{ value: grouped[0], from: grouped.index, to: grouped.index + grouped[0].length }];
  return [
    ...text.matchAll(
      /(?<![\d/.,])(?:\b[A-Z]{1,4})?[\dXx*•-][\dXx*• /-]{3,30}\d(?: ?[A-Z](?![\p{L}\d]))?(?![\d/.,]\d)/gu,
    ),
  ].map((match) => ({
    value: match[0].trim().replace(/\s+/g, " "),
    from: match.index,
    to: match.index + match[0].length,
  }));
}

function periodIn(context: Context, text: string): Found<[string, string]>[] {
  const dates = findDates(text, context.dateOrder);
  if (dates.length >= 2) return [{ value: [dates[0]!.iso, dates[1]!.iso], from: dates[0]!.from, to: dates[1]!.to }];
  // "1 - 31 March 2024" and "1 March - 31 March 2024" leave the year to the second date.
  const short =
    /(?<![\d./-])(\d{1,2}(?:er|º|°|st|nd|rd|th|\.)?(?:[ ./-]\p{L}{3,})?)\s*(?:-|–|to|bis|au|al|a|t\/m|do|till|til)\s*(?=\d{1,2})/iu.exec(
      text,
    );
  const end = dates[0];
  if (!short || !end || short.index >= end.from) return [];
  const rest = !/\p{L}{3}/u.test(short[1]!)
    ? end.iso.slice(0, 8) + /^\d+/.exec(short[1]!)![0].padStart(2, "0")
    : findDates(`${short[1]} ${end.iso.slice(0, 4)}`, context.dateOrder)[0]?.iso;
  return rest ? [{ value: [rest, end.iso], from: short.index, to: end.to }] : [];
}
