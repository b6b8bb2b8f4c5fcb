import { Problem } from "../../../platform/errors.ts";
import { openZip } from "../../../platform/zip.ts";
import type {
  DocumentFormat,
  EmbeddedFile,
  FormEntry,
  ReadDocument,
  ReadLimits,
  ReadPage,
  ReadTable,
  SealedDocument,
} from "../../../ports/document-reader.ts";
import { type FlowBlock, layOutFlow } from "./lay-out-flow.ts";
import { readDocx } from "./read-docx.ts";
import type { Picture } from "./read-picture.ts";
import { readCsv, readText } from "./read-text.ts";
import { readXlsx } from "./read-xlsx.ts";
import { decodeText, sniff } from "./sniff.ts";

/** A page whose text must be read from its picture, and where that picture is. */
export interface PicturePage {
  readonly page: number;
  /** Which attachment of a message it belongs to; undefined for the file itself. */
  readonly attachment?: number;
  /** The page inside that file, counted from 1. */
  readonly sourcePage: number;
}

export interface FileReading {
  readonly document: ReadDocument;
  readonly pictures: readonly PicturePage[];
}

/** A reading as it leaves the process that made it. */
export interface SealedReading extends Omit<FileReading, "document"> {
  readonly document: SealedDocument;
}

const accepted = "PDF, PNG, JPEG, TIFF, WebP, DOCX, XLSX, CSV, TXT, HTML, EML and XML invoices";

// Each process reads one file, so each loads only the library that this file needs.
const load = {
  pdf: () => import("./read-pdf.ts"),
  embedded: () => import("./embedded-files.ts"),
  picture: () => import("./read-picture.ts"),
  mail: () => import("./read-mail.ts"),
  html: () => import("./read-html.ts"),
};

/** Reads everything that needs no recognition; the rest is listed in `pictures`. */
export async function readFile(bytes: Uint8Array, limits: ReadLimits, depth = 0): Promise<FileReading> {
  if (bytes.length === 0) throw new Problem("invalid_request", "The file is empty.");
  const kind = sniff(bytes);
  if (kind === undefined)
    throw new Problem("unsupported_media_type", `This kind of file is not read. Accepted: ${accepted}.`);
  if (kind === "pdf") return readPdfFile(bytes, limits);
  if (kind === "png" || kind === "jpeg" || kind === "tiff" || kind === "webp")
    return readPictureFile(bytes, kind, limits);
  if (kind === "zip") return readOfficeFile(bytes, limits);
  if (kind === "eml") {
    if (depth > 0) throw new Problem("unsupported_media_type", "A message inside a message is not read.");
    return readMailFile(bytes, limits);
  }
  const text = decodeText(bytes) ?? "";
  if (kind === "xml")
    return asDocument("xml", { embeddedFiles: [{ name: "invoice.xml", text }], pages: [emptyPage(1)] });
  const blocks = kind === "csv" ? readCsv(text) : kind === "html" ? (await load.html()).readHtml(text) : readText(text);
  return flowDocument(kind, blocks, limits);
}

async function readPdfFile(bytes: Uint8Array, limits: ReadLimits): Promise<FileReading> {
  const { readPdf } = await load.pdf();
  const read = await readPdf(bytes, limits);
  const embeddedFiles = read.mayEmbedFiles ? await (await load.embedded()).readEmbeddedFiles(bytes) : [];
  return asDocument(
    "pdf",
    { ...read, embeddedFiles },
    read.scannedPages.map((page) => ({ page, sourcePage: page })),
  );
}

async function readPictureFile(bytes: Uint8Array, kind: DocumentFormat, limits: ReadLimits): Promise<FileReading> {
  const { measurePicture } = await load.picture();
  const { width, height, pages } = await measurePicture(bytes, limits);
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  return asDocument(
    kind,
    { pages: numbers.map((number) => ({ ...emptyPage(number), width, height })) },
    numbers.map((page) => ({ page, sourcePage: page })),
  );
}

async function readOfficeFile(bytes: Uint8Array, limits: ReadLimits): Promise<FileReading> {
  const zip = await openZip(bytes, limits);
  try {
    if (zip.names.includes("word/document.xml")) return flowDocument("docx", await readDocx(zip), limits);
    if (zip.names.includes("xl/workbook.xml")) return flowDocument("xlsx", await readXlsx(zip), limits);
  } finally {
    zip.close();
  }
  throw new Problem(
    "unsupported_media_type",
    `This archive is not a Word or Excel document. Accepted: ${accepted}; an archive of documents goes to /v1/batches.`,
  );
}

async function readMailFile(bytes: Uint8Array, limits: ReadLimits): Promise<FileReading> {
  const { readMail } = await load.mail();
  const mail = await readMail(bytes);
  const { document } = flowDocument("eml", mail.blocks, limits);
  const pages: ReadPage[] = [...document.pages];
  const tables: ReadTable[] = [...document.tables];
  const formEntries: FormEntry[] = [];
  const embeddedFiles: EmbeddedFile[] = [];
  const warnings: string[] = [...document.warnings];
  const pictures: PicturePage[] = [];
  for (const [index, attachment] of mail.attachments.entries()) {
    const first = pages.length;
    const left = limits.maxPages - first;
    if (left < 1) {
      warnings.push(`Attachment "${attachment.name}" was left out: the page limit is reached.`);
      continue;
    }
    try {
      const inner = await readFile(attachment.bytes, { ...limits, maxPages: left }, 1);
      pages.push(...inner.document.pages.map((page) => ({ ...page, number: page.number + first, file: index + 1 })));
      tables.push(...inner.document.tables.map((table) => ({ ...table, page: table.page + first })));
      formEntries.push(...inner.document.formEntries.map((entry) => ({ ...entry, page: entry.page + first })));
      embeddedFiles.push(...inner.document.embeddedFiles.map((file) => ({ ...file, file: index + 1 })));
      pictures.push(
        ...inner.pictures.map(({ page, sourcePage }) => ({ page: page + first, sourcePage, attachment: index })),
      );
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      warnings.push(`Attachment "${attachment.name}" was left out: ${error.message}`);
    }
  }
  return { document: { format: "eml", pages, tables, formEntries, embeddedFiles, warnings }, pictures };
}

/** The pictures of some pages, decoded. */
export async function* drawPages(
  bytes: Uint8Array,
  wanted: readonly PicturePage[],
  limits: ReadLimits,
): AsyncGenerator<{ page: number; picture: Picture | undefined }> {
  const { decodePicture } = await load.picture();
  const isAttached = wanted.some((entry) => entry.attachment !== undefined);
  const mail = isAttached ? await (await load.mail()).readMail(bytes) : undefined;
  // The sizes of a file's pages, read once: a stack of scans has many.
  const sizes = new Map<Uint8Array, readonly ReadPage[]>();
  for (const { page, attachment, sourcePage } of wanted) {
    const source = attachment === undefined ? bytes : mail!.attachments[attachment]!.bytes;
    if (sniff(source) !== "pdf") {
      yield { page, picture: await decodePicture(source, limits, sourcePage - 1) };
      continue;
    }
    const { drawPdfPage, readPdf } = await load.pdf();
    if (!sizes.has(source)) sizes.set(source, (await readPdf(source, limits)).pages);
    const size = sizes.get(source)!.find((candidate) => candidate.number === sourcePage);
    const longest = Math.max(size?.width ?? 842, size?.height ?? 842);
    // A page of absurd size would need terabytes; drawn small it cannot be read, so it is left out.
    const dpi = Math.min(200, Math.floor((4000 / longest) * 72));
    const png = dpi >= 40 ? await drawPdfPage(source, sourcePage, dpi) : undefined;
    yield { page, picture: png ? await decodePicture(png, limits) : undefined };
  }
}

function flowDocument(format: DocumentFormat, blocks: readonly FlowBlock[], limits: ReadLimits): FileReading {
  const { pages, tables, isCut } = layOutFlow(blocks, limits.maxPages);
  const warnings = isCut ? [`Only the first ${limits.maxPages} pages were read.`] : [];
  return asDocument(format, { pages: pages.length > 0 ? pages : [emptyPage(1)], tables, warnings });
}

function asDocument(
  format: DocumentFormat,
  parts: Partial<ReadDocument> & { pages: readonly ReadPage[] },
  pictures: readonly PicturePage[] = [],
): FileReading {
  return {
    document: {
      format,
      pages: parts.pages,
      tables: parts.tables ?? [],
      formEntries: parts.formEntries ?? [],
      embeddedFiles: parts.embeddedFiles ?? [],
      warnings: parts.warnings ?? [],
    },
    pictures,
  };
}

function emptyPage(number: number): ReadPage {
  return { number, width: 595, height: 842, lines: [], rulings: [] };
}
