import type { ReadDocument, ReadPage } from "../../ports/document-reader.ts";
import { isInHead, isLargePrint } from "../reading/geometry.ts";
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
  const groups: ReadPage[][] = [];
  let known: Head | undefined;
  let afterBlank = false;
  for (const page of document.pages) {
    if (page.lines.length === 0) {
      afterBlank = groups.length > 0;
      continue;
    }
    const counted = pageCount(context, page.number);
    const own = headOf(context, document, page, hints);
    if (!known || startsAnew(own, known, { counted, afterBlank })) {
      groups.push([page]);
      known = own;
    } else {
      groups.at(-1)!.push(page);
      known = {
        text: `${known.text}\n${own.text}`,
        title: known.title ?? own.title,
        numbers: new Set([...known.numbers, ...own.numbers]),
        isDated: known.isDated,
        hasTotal: known.hasTotal || own.hasTotal,
        isTerms: false,
      };
    }
    afterBlank = false;
  }
  return { groups: groups.length > 0 ? groups : [[...document.pages]], context };
}

/** What a page says of the document that it belongs to. */
interface Head {
  /** The kind that its title names. */
  readonly title: string | undefined;
  /** Numbers that it names as its own. */
  readonly numbers: ReadonlySet<string>;
  /** All that stands on it. */
  readonly text: string;
  /** It begins with a number or a date, as first pages do. */
  readonly isDated: boolean;
  readonly hasTotal: boolean;
  readonly isTerms: boolean;
}

function startsAnew(
  own: Head,
  known: Head,
  seen: { readonly counted: number | undefined; readonly afterBlank: boolean },
): boolean {
  if (own.isTerms || (seen.counted !== undefined && seen.counted > 1)) return false;
  // What the pages before have somewhere is a reference to another document; a short number is as well a quantity.
  const isKnown = (number: string): boolean =>
    number.length < shortestNumber ? known.numbers.has(number) : isIn(known.text, number);
  const isFirst = own.title !== undefined || own.isDated;
  const isOther = isFirst && own.numbers.size > 0 && ![...own.numbers].some(isKnown);
  if (seen.counted === 1 && (own.title || isOther)) return true;
  if (isOther && (known.numbers.size > 0 || known.hasTotal)) return true;
  if (own.title && seen.afterBlank) return true;
  const goesOn = [...known.numbers].some((number) => isIn(own.text, number));
  if (own.title && own.hasTotal && known.hasTotal && own.numbers.size === 0 && !goesOn) return true;
  return (
    own.title !== undefined && known.title !== undefined && own.title !== known.title && own.isDated && known.isDated
  );
}

function isIn(text: string, number: string): boolean {
  for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1))
    if (!/[\p{L}\d-]/u.test(`${text.charAt(at - 1)}${text.charAt(at + number.length)}`)) return true;
  return false;
}

/** "Page 2 of 3", "Seite 2/3": which page of its document it says it is. */
function pageCount({ layout }: Context, page: number): number | undefined {
  for (const segment of layout.segments) {
    const found = segment.page === page ? pageNumber.exec(segment.text) : null;
    if (found) return Number(found[1]);
  }
  return undefined;
}

/** A page read by itself: labels of other pages would claim its numbers. */
function headOf(context: Context, document: ReadDocument, page: ReadPage, hints: LocaleHints): Head {
  const alone = createContext(cut(document, [page], []).document, {
    dateOrder: context.dateOrder,
    decimalMark: context.decimalMark,
    currency: context.currency,
    ...hints,
  });
  const title = titleOn(alone, context.layout.lineHeight);
  const number = findInvoiceHeader(alone).invoice_number;
  const isSure =
    number &&
    number.confidence >= sure &&
    (number.reasons.strong || (title && (number.reasons.pair || String(number.value).length >= shortestNumber)));
  return {
    text: alone.layout.text,
    title,
    numbers: new Set(isSure ? [String(number.value)] : titleNumbers(alone)),
    hasTotal: alone.labels.some(
      ({ name, isStrong, segment }) =>
        isStrong &&
        (name === "grand_total" || name === "amount_due") &&
        alone.layout.rows[segment.row]!.segments.some(alone.hasMoney),
    ),
    isTerms: alone.layout.segments.some((segment) => isInHead(segment.box) && isTerms(segment.text)),
    isDated: alone.labels.some(
      ({ name, isStrong, segment }) => isStrong && isInHead(segment.box) && headLabels.has(name),
    ),
  };
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
function titleOn(context: Context, lineHeight: number): string | undefined {
  const titles = context.labels.filter(
    ({ name, segment, from, isStrong }) =>
      name.startsWith("title.") &&
      !isAnythingElse(name) &&
      isStrong &&
      from <= 12 &&
      isInHead(segment.box) &&
      segment.text.length < 60 &&
      (isLargePrint(segment.height, lineHeight) || segment.isBold === true || from <= 3),
  );
  return titles.sort((one, other) => other.segment.height - one.segment.height)[0]?.name;
}
