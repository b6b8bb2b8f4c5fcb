import type { DocumentFormat } from "../../../ports/document-reader.ts";

/** Names the kind of file from its bytes alone; a ZIP is told apart later by what it contains. */
export function sniff(bytes: Uint8Array): DocumentFormat | "zip" | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096));
  // Readers accept junk before the PDF header within the first kilobyte.
  const pdfAt = head.subarray(0, 1024).indexOf("%PDF-");
  if (pdfAt >= 0) return "pdf";
  if (startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "png";
  if (startsWith(head, [0xff, 0xd8, 0xff])) return "jpeg";
  if (startsWith(head, [0x49, 0x49, 0x2a, 0x00]) || startsWith(head, [0x4d, 0x4d, 0x00, 0x2a])) return "tiff";
  if (head.subarray(0, 4).toString("latin1") === "RIFF" && head.subarray(8, 12).toString("latin1") === "WEBP")
    return "webp";
  if (startsWith(head, [0x50, 0x4b, 0x03, 0x04]) || startsWith(head, [0x50, 0x4b, 0x05, 0x06])) return "zip";
  return sniffText(bytes);
}

function sniffText(bytes: Uint8Array): DocumentFormat | undefined {
  const text = decodeText(bytes.subarray(0, 65_536))?.trimStart();
  if (text === undefined) return undefined;
  const start = text.slice(0, 4096);
  if (
    /^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<([\w-]+:)?(CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote|FatturaElettronica)[\s>]/.test(
      start,
    )
  ) {
    return "xml";
  }
  if (/^(<\?xml[^>]*>\s*)?(<!doctype svg|<svg)/i.test(start)) return undefined;
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype html|<html|<head|<body)/i.test(start)) return "html";
  if (/^<\?xml/i.test(start)) return undefined;
  if (/^\s*</.test(start) && /<(table|div|p|h1|h2|ul|span|br)[\s>/]/i.test(start)) return "html";
  if (isMail(start)) return "eml";
  return findDelimiter(text) ? "csv" : "txt";
}

function isMail(start: string): boolean {
  const headers = start.split(/\r?\n\r?\n/)[0] ?? "";
  const names = headers.match(
    /^(from|to|subject|date|received|return-path|message-id|mime-version|content-type|delivered-to):/gim,
  );
  const first = /^[A-Za-z][A-Za-z-]*:\s/.test(start);
  return first && new Set(names?.map((name) => name.toLowerCase())).size >= 3;
}

/** The separator that cuts (nearly) every line into the same number of at least two cells. */
export function findDelimiter(text: string): string | undefined {
  const lines = text
    .split(/\r?\n/)
    .slice(0, 60)
    .filter((line) => line.trim().length > 0);
  if (lines.length < 2) return undefined;
  let best: { delimiter: string; cells: number } | undefined;
  for (const delimiter of [";", "\t", "|", ","]) {
    const counts = lines.map((line) => splitOutsideQuotes(line, delimiter));
    const usual = mostFrequent(counts.filter((count) => count > 1));
    if (usual === undefined) continue;
    const share = counts.filter((count) => count === usual).length / counts.length;
    // Prose has commas too, but never the same number on each line.
    if (share < 0.8 || (delimiter === "," && usual === 2 && lines.some((line) => /[a-z]{3,}, [a-z]{3,}/.test(line))))
      continue;
    if (!best || usual > best.cells) best = { delimiter, cells: usual };
  }
  return best?.delimiter;
}

/** Text in whatever encoding it is in, or undefined when the bytes are not text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    text = new TextDecoder("windows-1252").decode(bytes);
  }
  const controls = text.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  return controls > text.length * 0.001 ? undefined : text;
}

function splitOutsideQuotes(line: string, delimiter: string): number {
  let cells = 1;
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) cells++;
  }
  return cells;
}

function mostFrequent(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((value, index) => bytes[index] === value);
}
