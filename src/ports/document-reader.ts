import { deserialize, serialize } from "node:v8";

/** A rectangle on a page as fractions of its width and height: left, top, right, bottom, each 0 to 1. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

export interface Word {
  readonly text: string;
  readonly box: Box;
  /** What it may be, with the chance of each; missing where nobody was asked. */
  readonly tags?: Tags;
}

/** The chance of each thing that a word can be, such as `total`; what is next to impossible is left out. */
export type Tags = Readonly<Record<string, number>>;

/** A run of text that belongs together on one row: a cell, a label, a line of a paragraph. */
export interface TextLine {
  readonly text: string;
  readonly box: Box;
  readonly words: readonly Word[];
  /** How sure the reader is of the characters; 1 for a text layer. */
  readonly confidence: number;
  readonly source: "text" | "ocr";
  readonly isBold?: boolean;
}

/** A ruling drawn on the page, as fractions of it; either horizontal or vertical. */
export interface Ruling {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

export interface TableCell {
  readonly text: string;
  readonly box: Box | null;
}

/** A table that the file itself states or that the reader saw in the layout. */
export interface ReadTable {
  readonly page: number;
  readonly box: Box | null;
  readonly rows: readonly (readonly TableCell[])[];
  /** True when the file format states the table (sheet, HTML, DOCX), false when it was inferred from positions. */
  readonly isStated: boolean;
}

/** A fillable field of a PDF form with what was typed into it. */
export interface FormEntry {
  readonly page: number;
  readonly name: string;
  readonly value: string;
  readonly box: Box | null;
  /** Of a box to tick or a button to choose: whether it is. */
  readonly isChecked?: boolean;
}

export interface ReadPage {
  readonly number: number;
  /** Which of several files it comes from: 0 or nothing for the file itself, then the attachments of a message. */
  readonly file?: number;
  /** Width and height in points or pixels; only their proportion matters. */
  readonly width: number;
  readonly height: number;
  readonly lines: readonly TextLine[];
  readonly rulings: readonly Ruling[];
  /** What kind of document it may be a page of, with the chance of each; missing where nobody was asked. */
  readonly kinds?: Tags;
}

/** A text file found inside the document, such as the XML of a hybrid invoice. */
export interface EmbeddedFile {
  readonly name: string;
  /** Which attachment of a message carries it. */
  readonly file?: number;
  readonly text: string;
}

export const documentFormats = [
  "pdf",
  "png",
  "jpeg",
  "tiff",
  "webp",
  "docx",
  "xlsx",
  "csv",
  "txt",
  "html",
  "eml",
  "xml",
] as const;
export type DocumentFormat = (typeof documentFormats)[number];

export interface ReadDocument {
  readonly format: DocumentFormat;
  readonly pages: readonly ReadPage[];
  readonly tables: readonly ReadTable[];
  readonly formEntries: readonly FormEntry[];
  readonly embeddedFiles: readonly EmbeddedFile[];
  /** What the reader had to leave out or was unsure of, in words for the person who sent the file. */
  readonly warnings: readonly string[];
}

/** A read document on its way from the process that read it to the one that makes sense of it. The server between them hands it on
 *  as bytes: making objects of ten thousands of words and bytes of them again would hold up everybody else's requests. */
export interface SealedDocument {
  readonly pages: number;
  readonly sealed: Uint8Array;
}

/** Boxes are read to a ten-thousandth of the page. */
const finest = 10_000;
const sides = [0, 1, 2, 3] as const;

export function sealDocument(document: ReadDocument): SealedDocument {
  const words = document.pages.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  // In one piece, all boxes take a sixth of what an object for each would.
  const boxes = new Uint16Array(4 * words.length);
  for (const [index, { box }] of words.entries())
    for (const side of sides) boxes[4 * index + side] = Math.round(box[side] * finest);
  const pages = document.pages.map((page) => ({
    ...page,
    lines: page.lines.map((line) => ({ ...line, words: line.words.length })),
  }));
  const packed: PackedDocument = { ...document, pages, texts: words.map(({ text }) => text), boxes };
  return { pages: pages.length, sealed: serialize(packed) };
}

export function openDocument({ sealed }: SealedDocument): ReadDocument {
  const { texts, boxes, ...document } = deserialize(sealed) as PackedDocument;
  let next = 0;
  const takeWord = (): Word => {
    const index = next++;
    const at = (side: number): number => boxes[4 * index + side]! / finest;
    return { text: texts[index]!, box: [at(0), at(1), at(2), at(3)] };
  };
  const pages = document.pages.map((page) => ({
    ...page,
    lines: page.lines.map((line) => ({ ...line, words: Array.from({ length: line.words }, takeWord) })),
  }));
  return { ...document, pages };
}

type PackedLine = Omit<TextLine, "words"> & { readonly words: number };
/** Words apart from their lines, which only count them. */
type PackedDocument = Omit<ReadDocument, "pages"> & {
  readonly pages: readonly (Omit<ReadPage, "lines"> & { readonly lines: readonly PackedLine[] })[];
  readonly texts: readonly string[];
  readonly boxes: Uint16Array;
};

export interface ReadLimits {
  readonly maxPages: number;
  readonly maxPixels: number;
  readonly maxInflatedBytes: number;
  readonly maxZipEntries: number;
}

export const defaultReadLimits: ReadLimits = {
  maxPages: 50,
  maxPixels: 50_000_000,
  maxInflatedBytes: 100 * 1024 * 1024,
  maxZipEntries: 2_000,
};

export interface ReadRequest {
  readonly bytes: Uint8Array;
  /** The name under which the file was sent: only a hint, the content decides. */
  readonly fileName: string;
  readonly limits: ReadLimits;
  /** Whose work this is, for fairness between keys. */
  readonly caller: string;
}

/** Reads a document file into pages of positioned text. */
export interface DocumentReader {
  /**
   * Judges the file by its content. Throws a Problem: `unsupported_media_type` for a kind it does not read,
   * `unreadable_document` for a broken, locked or hostile file, `too_large` beyond the limits,
   * `engine_busy` when its queue is full. Ends in bounded time and memory whatever the bytes are,
   * and one bad file never affects the next.
   */
  read(request: ReadRequest, signal: AbortSignal): Promise<SealedDocument>;
}
