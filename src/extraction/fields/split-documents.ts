import type { ReadDocument, ReadPage } from "../../ports/document-reader.ts";
import { isInHead, isLargePrint } from "../reading/geometry.ts";
import { pageNumber } from "../reading/words.ts";
import { classify } from "./classify.ts";
import { type Context, createContext, type LocaleHints } from "./context.ts";
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
  let numbers = new Set<string>();
  let afterBlank = false;
  for (const page of document.pages) {
    if (page.lines.length === 0) {
      afterBlank = groups.length > 0;
      continue;
    }
    const own = numbersOn(context, page.number);
    const title = titleOn(context, page.number);
    if (groups.length === 0 || startsAnew(context, page.number, { own, numbers, title, afterBlank })) {
      groups.push([page]);
      numbers = own;
    } else {
      groups.at(-1)!.push(page);
      for (const number of own) numbers.add(number);
    }
    afterBlank = false;
  }
  return { groups: groups.length > 0 ? groups : [[...document.pages]], context };
}

function startsAnew(
  context: Context,
  page: number,
  seen: { own: ReadonlySet<string>; numbers: ReadonlySet<string>; title: boolean; afterBlank: boolean },
): boolean {
  const counted = pageCount(context, page);
  if (counted !== undefined && counted > 1) return false;
  const isOther = seen.own.size > 0 && ![...seen.own].some((number) => seen.numbers.has(number));
  if (counted === 1 && (seen.title || isOther)) return true;
  return seen.title && (seen.afterBlank || (isOther && (seen.numbers.size > 0 || hasTotal(context, page - 1))));
}

/** A page with the total on it may be the last of its document. */
function hasTotal({ labels }: Context, page: number): boolean {
  return labels.some(
    ({ name, isStrong, segment }) =>
      isStrong && segment.page === page && (name === "grand_total" || name === "amount_due"),
  );
}

/** "Page 2 of 3", "Seite 2/3": which page of its document it says it is. */
function pageCount({ layout }: Context, page: number): number | undefined {
  const text = layout.rows
    .filter((row) => row.page === page)
    .map((row) => row.text)
    .join("\n");
  const found = pageNumber.exec(text);
  return found ? Number(found[1]) : undefined;
}

/** A number this close to its label is its value: the length of a word. */
const nearLabel = 0.2;

/** Numbers of invoices, orders and the like that a page names as its own. */
function numbersOn(context: Context, page: number): Set<string> {
  const found = codeSpans(context).filter(
    ({ segment, claims }) =>
      segment.page === page &&
      claims.some(
        ({ label, place, gap }) =>
          (label.name === "invoice_number" &&
            (label.isStrong || (place !== "below" && gap < nearLabel && isInHead(segment.box)))) ||
          (label.name.startsWith("title.") &&
            label.isStrong &&
            label.from <= 3 &&
            place === "inline" &&
            gap < nearLabel),
      ),
  );
  return new Set(found.map(({ value }) => value));
}

/** Whether a page begins with the title of a document. */
function titleOn(context: Context, page: number): boolean {
  return context.labels.some(
    ({ name, segment, from, isStrong }) =>
      name.startsWith("title.") &&
      isStrong &&
      segment.page === page &&
      from <= 12 &&
      isInHead(segment.box) &&
      segment.text.length < 60 &&
      (isLargePrint(segment.height, context.layout.lineHeight) || segment.isBold === true || from <= 3),
  );
}
