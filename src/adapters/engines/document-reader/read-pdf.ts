import { LiteParse, type ParsedPage, type ParseResult } from "@llamaindex/liteparse";
import { Problem } from "../../../platform/errors.ts";
import type {
  Box,
  FormEntry,
  ReadLimits,
  ReadPage,
  ReadTable,
  Ruling,
  TextLine,
} from "../../../ports/document-reader.ts";
import { findDrawnBoxes, holds } from "./drawn-boxes.ts";
import { joinTouching } from "./join-touching.ts";
import { splitWords } from "./lay-out-flow.ts";
import { type SeeInk, seeInk } from "./see-ink.ts";

export interface PdfReading {
  readonly pages: ReadPage[];
  readonly tables: ReadTable[];
  readonly formEntries: FormEntry[];
  readonly warnings: string[];
  /** Numbers of the pages whose text must be read from their picture. */
  readonly scannedPages: number[];
  /** Whether the file says or hints that it carries other files. */
  readonly mayEmbedFiles: boolean;
}

const maxRulings = 3000;
/** Pages with fewer characters than this are taken for pictures of text. */
const fewCharacters = 20;

/** Reads the text layer of a PDF with positions, tables, rulings and form values. */
export async function readPdf(given: Uint8Array, limits: ReadLimits): Promise<PdfReading> {
  const bytes = fromHeader(given);
  const parser = new LiteParse({
    ocrEnabled: false,
    quiet: true,
    outputFormat: "json",
    maxPages: limits.maxPages,
    emitWordBoxes: true,
    extractTextMetadata: true,
    extractBlocks: true,
    extractVectorGraphics: true,
    extractFormFields: true,
    includeComplexity: true,
    continueOnPageError: true,
    keepHeadersFooters: true,
  });
  const result = await parsePdf(parser, bytes);
  // A page needs a few dozen bytes at the very least; a file that claims more pages than that lies.
  if (result.totalPages * 20 > bytes.length) {
    throw new Problem("unreadable_document", "The PDF claims more pages than it can hold.");
  }
  if (result.totalPages > limits.maxPages) {
    throw new Problem("too_large", `The document has ${result.totalPages} pages; at most ${limits.maxPages} are read.`);
  }
  if (result.pages.length === 0) throw new Problem("unreadable_document", "The PDF has no page that could be read.");
  const scannedPages: number[] = [];
  const ink = await lookAtPages(bytes, result.pages);
  const pages = result.pages.map((page) => {
    const read = convertPage(page, ink.get(page.pageNum));
    const characters = read.lines.reduce((sum, line) => sum + line.text.length, 0);
    const isPicture = (page.complexity?.imageCoverage ?? 0) > 0.05 || page.complexity?.fullPageImage === true;
    // Letters may be drawn as outlines, of which the parser tells nothing; what is blank is found out when the page is drawn.
    const hasNoText = page.complexity?.textLength === 0;
    const isGarbled = page.complexity?.isGarbled === true && !isMostlyFigures(read);
    if (isGarbled || (characters < fewCharacters && (isPicture || hasNoText))) {
      scannedPages.push(page.pageNum);
      return { ...read, lines: [] };
    }
    return read;
  });
  return {
    pages,
    tables: result.pages.flatMap(convertTables),
    formEntries: result.pages.flatMap(convertForm),
    warnings: result.pageErrors.map((error) => `Page ${error.pageNum} could not be read.`),
    scannedPages,
    mayEmbedFiles: embedHint.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")),
  };
}

/** How the bytes show that a file carries others: the type of such a stream, which is never compressed, or the name of an e-invoice. */
const embedHint = /\/EmbeddedFile|factur-x|zugferd|xrechnung|order-x/i;

/** A page of figures has hardly any words that a dictionary knows, and is taken for a garbled one; garbled figures are no figures. */
function isMostlyFigures({ lines }: ReadPage): boolean {
  const words = lines.flatMap((line) => line.text.split(/\s+/));
  return words.filter((word) => /^[-+(]?\d[\d.,:/%)]*$/.test(word)).length * 2 > words.length;
}

/** Some files carry junk before their header; what they say about places inside them counts from the header. */
function fromHeader(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).indexOf("%PDF-");
  return start > 0 ? bytes.subarray(start) : bytes;
}

async function parsePdf(parser: LiteParse, bytes: Uint8Array): Promise<ParseResult> {
  try {
    return await parser.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (/password|encrypt|security/i.test(reason)) {
      throw new Problem("unreadable_document", "The PDF is locked with a password. Send it without one.", { cause });
    }
    throw new Problem("unreadable_document", "The PDF is damaged and could not be read.", { cause });
  }
}

/** Draws a page as PNG; undefined when it is blank. */
export async function drawPdfPage(given: Uint8Array, page: number, dpi: number): Promise<Buffer | undefined> {
  const bytes = fromHeader(given);
  const renderer = new LiteParse({ ocrEnabled: false, quiet: true, dpi });
  const shots = await renderer.screenshot(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), [page]);
  const shot = shots[0];
  return shot && !shot.isSolidFill ? shot.imageBuffer : undefined;
}

/** Text smaller than this, in points, cannot be read by anybody: print begins at four. */
const smallestPrint = 1.5;
/** Red, green and blue from here on are white paper to the eye. */
const nearlyWhite = 0xf0;

/** What nobody can see is not there: see-through, a pixel high, beside the page, or nothing but paper where it should stand. */
function isVisible(page: ParsedPage, item: ParsedPage["textItems"][number], ink: SeeInk | undefined): boolean {
  const { x, y, width, height, fillColor = "ff000000" } = item;
  if (Math.max(height, item.fontHeight ?? height) < smallestPrint) return false;
  if (x + width <= 0 || y + height <= 0 || x >= page.width || y >= page.height) return false;
  if (fillColor.startsWith("00")) return false;
  if (ink && !isFilledIn(page, item) && !ink(boxMaker(page.width, page.height)(item))) return false;
  // Other print may run through the place of white print.
  return !isWhite(fillColor) || (page.complexity?.imageCoverage ?? 0) > 0.05 || isPainted(page, item);
}

type Rectangle = { x: number; y: number; width: number; height: number };

const isInside = (item: Rectangle, outer: Rectangle): boolean => {
  const middleX = item.x + item.width / 2;
  const middleY = item.y + item.height / 2;
  return (
    middleX >= outer.x && middleX <= outer.x + outer.width && middleY >= outer.y && middleY <= outer.y + outer.height
  );
};

/** White print is seen on whatever is painted under it. */
function isPainted(page: ParsedPage, item: Rectangle): boolean {
  return (page.vectorGraphics?.shapes ?? []).some(
    ({ bbox, fill, fillColor }) => fill && fillColor !== undefined && !isWhite(fillColor) && isInside(item, bbox),
  );
}

/** What is filled into the fields of a form is not drawn with the page. */
function isFilledIn(page: ParsedPage, item: Rectangle): boolean {
  return (page.formFields ?? []).some(({ rect }) => rect !== undefined && rect !== null && isInside(item, rect));
}

/** Enough pixels an inch to tell print from paper, on pages up to twice as long as A4. */
const lookDpi = 40;
const longestDrawn = 1700;

/** Draws the pages to see which print shows on them; pages of another size, or that cannot be drawn, are told by colours alone. */
async function lookAtPages(bytes: Uint8Array, pages: readonly ParsedPage[]): Promise<ReadonlyMap<number, SeeInk>> {
  const wanted = pages.filter((page) => page.textItems.length > 0 && Math.max(page.width, page.height) <= longestDrawn);
  const seen = new Map<number, SeeInk>();
  if (wanted.length === 0) return seen;
  const renderer = new LiteParse({ ocrEnabled: false, quiet: true, dpi: lookDpi });
  const shots = await renderer
    .screenshot(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      wanted.map((page) => page.pageNum),
    )
    .catch(() => []);
  for (const { pageNum, width, height, imageBuffer } of shots) {
    const page = wanted.find((candidate) => candidate.pageNum === pageNum);
    const isSameShape = page && Math.abs(width / height / (page.width / page.height) - 1) < sameShape;
    const ink = isSameShape ? seeInk(imageBuffer) : undefined;
    if (!page || !ink) continue;
    const toBox = boxMaker(page.width, page.height);
    // Where hardly anything shows, it is the drawing that failed: letters of a font that is not there.
    const shown = page.textItems.filter((item) => ink(toBox(item))).length;
    if (shown * leastShown >= page.textItems.length) seen.set(pageNum, ink);
  }
  return seen;
}

const sameShape = 0.02;
const leastShown = 4;

function isWhite(argb: string): boolean {
  return [2, 4, 6].every((at) => Number.parseInt(argb.slice(at, at + 2), 16) >= nearlyWhite);
}

function convertPage(page: ParsedPage, ink: SeeInk | undefined): ReadPage {
  const width = Math.max(1, page.width);
  const height = Math.max(1, page.height);
  const toBox = boxMaker(width, height);
  const lines: TextLine[] = [];
  for (const item of page.textItems) {
    const text = cleanText(item.text);
    if (!isVisible(page, item, ink)) continue;
    // Text that climbs the margin or crosses the page as a watermark would tear rows apart.
    if (text === "" || Math.abs(((item.rotation ?? 0) + 45) % 360) > 92) continue;
    const box = toBox(item);
    const words =
      item.words && item.words.length > 1
        ? joinTouching(item.words)
            .map((word) => ({ text: cleanText(word.text), box: toBox(word) }))
            .filter((word) => word.text !== "")
        : splitWords(text, box);
    const isBold = (item.fontWeight ?? 0) >= 600 || /bold|black|heavy|demi/i.test(item.fontName ?? "");
    const isJoined = words.length < (item.words?.length ?? 0) && words.length > 0;
    lines.push({ text: isJoined ? textOf(words) : text, box, words, confidence: 1, source: "text", isBold });
  }
  const boxes = findDrawnBoxes(page, isWhite);
  for (const { text, ...rect } of boxes) {
    const box = toBox(rect);
    lines.push({ text, box, words: splitWords(text, box), confidence: 1, source: "text", isBold: false });
  }
  const rulings: Ruling[] = (page.vectorGraphics?.lines ?? [])
    .filter((line) => Math.hypot(line.x2 - line.x1, line.y2 - line.y1) > 8)
    .filter(({ x1, y1 }) => !boxes.some((box) => holds(box, x1, y1)))
    .slice(0, maxRulings)
    .map((line) => ({
      from: [round(line.x1 / width), round(line.y1 / height)],
      to: [round(line.x2 / width), round(line.y2 / height)],
    }));
  return { number: page.pageNum, width, height, lines, rulings };
}

const textOf = (words: readonly { text: string }[]): string => words.map(({ text }) => text).join(" ");

function convertTables(page: ParsedPage): ReadTable[] {
  const toBox = boxMaker(Math.max(1, page.width), Math.max(1, page.height));
  return (page.blocks ?? [])
    .filter((block) => block.kind === "table")
    .map((block) => ({
      page: page.pageNum,
      box: block.bbox ? toBox(block.bbox) : null,
      rows: [...(block.header ? [block.header] : []), ...(block.rows ?? [])].map((row) =>
        row.map((cell) => ({ text: cleanText(cell.text), box: cell.bbox ? toBox(cell.bbox) : null })),
      ),
      isStated: false,
    }));
}

function convertForm(page: ParsedPage): FormEntry[] {
  const toBox = boxMaker(Math.max(1, page.width), Math.max(1, page.height));
  const entries: FormEntry[] = [];
  for (const field of page.formFields ?? []) {
    const isToggle = /check|radio/i.test(field.type);
    const value = isToggle
      ? field.checked
        ? (field.exportValue ?? "yes")
        : ""
      : (field.value ?? field.selectedOptions.join(", "));
    const name = field.alternateName || field.name || "";
    if (!name) continue;
    entries.push({
      page: field.page || page.pageNum,
      name,
      value: cleanText(value),
      box: field.rect ? toBox(field.rect) : null,
      ...(isToggle ? { isChecked: field.checked === true } : {}),
    });
  }
  return entries;
}

function boxMaker(width: number, height: number) {
  return (rect: { x: number; y: number; width: number; height: number }): Box => [
    round(rect.x / width),
    round(rect.y / height),
    round((rect.x + rect.width) / width),
    round((rect.y + rect.height) / height),
  ];
}

function cleanText(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f\u00a0\u2000-\u200b\u202f\ufeff]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function round(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 10000) / 10000;
}
