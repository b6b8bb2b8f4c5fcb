import type { ReadDocument, ReadPage } from "../../ports/document-reader.ts";
import { isInHead, isLargePrint } from "../reading/geometry.ts";
import type { Label } from "../reading/labels.ts";
import { isTerms, pageNumber } from "../reading/words.ts";
import { classify, isAnythingElse } from "./classify.ts";
import { type Context, createContext, type LocaleHints } from "./context.ts";
import { findInvoiceHeader } from "./invoice/header.ts";
import { codeSpans } from "./spans.ts";

export interface DocumentPart {
  readonly document: ReadDocument;
  readonly pages: [first: number, last: number];
  /** What is known of it as a whole, where it had to be looked at to tell. */
  readonly context?: Context | undefined;
}

/** Tells the documents of one file apart: attachments of a message, invoices one after another, a stack of scans with blank sheets. */
export function splitDocuments(document: ReadDocument, hints: LocaleHints = {}): DocumentPart[] {
  const whole: DocumentPart = { document, pages: [1, Math.max(1, document.pages.length)] };
  if (document.pages.length < 2) return [whole];
  const files = [...new Set(document.pages.map((page) => page.file ?? 0))];
  const parts = files.flatMap((file) => {
    const pages = document.pages.filter((page) => (page.file ?? 0) === file);
    const embedded = document.embeddedFiles.filter((one) => (one.file ?? 0) === file);
    const own = { ...document, pages, embeddedFiles: embedded };
    if (embedded.length > 0) return [cut(document, pages, embedded)];
    const { groups, context } = splitPages(files.length === 1 ? document : own, hints);
    if (files.length === 1 && groups.length === 1 && groups[0]!.length === pages.length) return [{ ...whole, context }];
    return groups.map((group) => cut(document, group, []));
  });
  const kept = withoutCover(parts, files.length > 1, hints);
  if (kept.length === 0) return [whole];
  if (kept.length > 1 || files.length > 1 || kept[0]!.context) return kept;
  return [{ ...whole, document: trimmed(whole.document, kept[0]!) }];
}

/** A part has its own pages, counted from 1, and what stands on them. */
function cut(
  document: ReadDocument,
  pages: readonly ReadPage[],
  embeddedFiles: ReadDocument["embeddedFiles"],
): DocumentPart {
  const first = pages[0]!.number;
  const last = pages.at(-1)!.number;
  const inside = <Item extends { readonly page: number }>(items: readonly Item[]): Item[] =>
    items.filter(({ page }) => page >= first && page <= last).map((item) => ({ ...item, page: item.page - first + 1 }));
  return {
    pages: [first, last],
    document: {
      ...document,
      pages: pages.map((page) => ({ ...page, number: page.number - first + 1 })),
      tables: inside(document.tables),
      formEntries: inside(document.formEntries),
      embeddedFiles,
    },
  };
}

function trimmed(document: ReadDocument, part: DocumentPart): ReadDocument {
  return part.pages[0] === document.pages[0]!.number
    ? document
    : { ...part.document, pages: document.pages.filter(({ number }) => number >= part.pages[0]) };
}

/** The text of a message is no document of its own when it only accompanies one. */
function withoutCover(parts: DocumentPart[], isMessage: boolean, hints: LocaleHints): DocumentPart[] {
  const filled = parts.filter(
    (part) => part.document.pages.some((page) => page.lines.length > 0) || part.document.embeddedFiles.length > 0,
  );
  const [cover, ...rest] = filled;
  if (!isMessage || !cover || rest.length === 0 || (cover.document.pages[0]!.file ?? 0) > 0) return filled;
  const { type } = classify(createContext(cover.document, hints));
  const isBusiness = type === "invoice" || type === "credit_note" || type === "receipt" || type === "bank_statement";
  return isBusiness ? filled : rest;
}

/** Groups of pages that belong together, without blank sheets around them. */
function splitPages(document: ReadDocument, hints: LocaleHints): { groups: ReadPage[][]; context?: Context } {
  if (document.pages.length < 2) return { groups: [[...document.pages]] };
  const context = createContext(document, hints);
  const groups: Head[][] = [];
  let afterBlank = false;
  for (const page of document.pages) {
    if (page.lines.length === 0) {
      afterBlank = groups.length > 0;
      continue;
    }
    const own = headOf(context, document, page, hints);
    const group = groups.at(-1);
    if (!group || startsAnew(own, group, afterBlank)) groups.push([own]);
    else group.push(own);
    afterBlank = false;
  }
  const pages = groups.map((group) => group.map((head) => head.page));
  return { groups: pages.length > 0 ? pages : [[...document.pages]], context };
}

/** What a page says of the document that it belongs to. */
interface Head {
  readonly page: ReadPage;
  /** All that stands on it. */
  readonly text: string;
  /** "Page 2 of 3", "Seite 2/3": which page of its document it says it is. */
  readonly counted: number | undefined;
  /** The kind that its title names. */
  readonly title: string | undefined;
  /** It begins with a number or a date, as first pages do. */
  readonly isDated: boolean;
  readonly hasTotal: boolean;
  readonly isTerms: boolean;
  /** Numbers that it names as its own; asked of few pages, since it takes long to tell. */
  numbers(): ReadonlySet<string>;
}

function startsAnew(own: Head, before: readonly Head[], afterBlank: boolean): boolean {
  const isFirst = own.title !== undefined || own.isDated;
  if (own.isTerms || !isFirst || (own.counted !== undefined && own.counted > 1)) return false;
  const known = new Set(before.flatMap((head) => [...head.numbers()]));
  // What the pages before have somewhere is a reference to another document; a short number is as well a quantity.
  const isKnown = (number: string): boolean =>
    number.length < shortestNumber ? known.has(number) : before.some(({ text }) => isIn(text, number));
  const isOther = own.numbers().size > 0 && ![...own.numbers()].some(isKnown);
  const isSummed = before.some(({ hasTotal }) => hasTotal);
  if (own.counted === 1 && (own.title || isOther)) return true;
  if (isOther && (known.size > 0 || isSummed)) return true;
  if (own.title && afterBlank) return true;
  const goesOn = [...known].some((number) => isIn(own.text, number));
  if (own.title && own.hasTotal && isSummed && own.numbers().size === 0 && !goesOn) return true;
  const title = before.find((head) => head.title !== undefined)?.title;
  return own.title !== undefined && title !== undefined && own.title !== title && own.isDated && before[0]!.isDated;
}

function isIn(text: string, number: string): boolean {
  for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1))
    if (!/[\p{L}\d-]/u.test(`${text.charAt(at - 1)}${text.charAt(at + number.length)}`)) return true;
  return false;
}

function headOf(context: Context, document: ReadDocument, page: ReadPage, hints: LocaleHints): Head {
  const { layout } = context;
  const rows = layout.rows.filter((row) => row.page === page.number);
  const segments = rows.flatMap((row) => row.segments);
  const labels = segments.flatMap((segment) => context.labelsOf(segment)).filter(({ isStrong }) => isStrong);
  const counts = segments.map(({ text }) => pageNumber.exec(text)).find((found) => found !== null);
  const title = titleAmong(labels, layout.lineHeight);
  let numbers: ReadonlySet<string> | undefined;
  return {
    page,
    text: rows.map(({ text }) => text).join("\n"),
    counted: counts ? Number(counts[1]) : undefined,
    title,
    isDated: labels.some(({ name, segment }) => isInHead(segment.box) && headLabels.has(name)),
    hasTotal: labels.some(
      ({ name, segment }) =>
        (name === "grand_total" || name === "amount_due") && layout.rows[segment.row]!.segments.some(context.hasMoney),
    ),
    isTerms: segments.some((segment) => isInHead(segment.box) && isTerms(segment.text)),
    numbers: () => {
      numbers ??= numbersOn(context, document, page, hints, title !== undefined);
      return numbers;
    },
  };
}

/** Of a page read by itself: what other pages say would be weighed with it. */
function numbersOn(
  context: Context,
  document: ReadDocument,
  page: ReadPage,
  hints: LocaleHints,
  isTitled: boolean,
): ReadonlySet<string> {
  const { dateOrder, decimalMark, currency } = context;
  const alone = createContext(cut(document, [page], []).document, { dateOrder, decimalMark, currency, ...hints });
  const number = findInvoiceHeader(alone).invoice_number;
  const isSure =
    number &&
    number.confidence >= sure &&
    (number.reasons.strong || (isTitled && (number.reasons.pair || String(number.value).length >= shortestNumber)));
  return new Set(isSure ? [String(number.value)] : titleNumbers(alone));
}

/** More likely than not: what a page says of itself is weighed with what the others say. */
const sure = 0.6;
/** "Invoice" is also a word of terms, with the days until payment behind it. */
const shortestNumber = 4;
const headLabels = new Set([
  "invoice_number",
  "issue_date",
  "other_number",
  "delivery_date",
  "due_date",
  "purchase_order",
]);

/** A number this close to its title is its own: the length of a word. */
const nearTitle = 0.2;

/** "Delivery note 4711": numbers behind the title of a document. */
function titleNumbers(context: Context): string[] {
  return codeSpans(context)
    .filter(({ claims }) =>
      claims.some(
        ({ label, place, gap }) =>
          label.name.startsWith("title.") && label.isStrong && label.from <= 3 && place === "inline" && gap < nearTitle,
      ),
    )
    .map(({ value }) => value);
}

/** The kind of document with whose title a page begins: the largest of those in its head. */
function titleAmong(labels: readonly Label[], lineHeight: number): string | undefined {
  const titles = labels.filter(
    ({ name, segment, from }) =>
      name.startsWith("title.") &&
      !isAnythingElse(name) &&
      from <= 12 &&
      isInHead(segment.box) &&
      segment.text.length < 60 &&
      (isLargePrint(segment.height, lineHeight) || segment.isBold === true || from <= 3),
  );
  return titles.sort((one, other) => other.segment.height - one.segment.height)[0]?.name;
}
