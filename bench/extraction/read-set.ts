import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawPages, readFile } from "../../src/adapters/engines/document-reader/read-file.ts";
import type { OcrResult } from "../../src/adapters/engines/pp-ocr/pp-ocr.ts";
import type { Raster } from "../../src/adapters/engines/pp-ocr/raster.ts";
import { defaultReadLimits, type ReadDocument } from "../../src/ports/document-reader.ts";

/** Whoever recognises text in a picture: PP-OCR or the peer it is compared with. */
export interface Recogniser {
  readonly name: string;
  read(picture: Raster): Promise<OcrResult>;
}

export interface Reading {
  readonly document: ReadDocument;
  readonly cpuSeconds: number;
  readonly scannedPages: number;
}

/** Reads a file as the server does, but in this process; recognised pages are kept in `cacheDir` between runs when it is given. */
export async function readForBench(
  file: string,
  recogniser: Recogniser,
  cacheDir: string | undefined,
): Promise<Reading> {
  const bytes = readFileSync(file);
  const key = createHash("sha256").update(recogniser.name).update(bytes).digest("hex").slice(0, 24);
  const cached = cacheDir ? join(cacheDir, `${key}.json`) : undefined;
  if (cached && existsSync(cached)) return JSON.parse(readFileSync(cached, "utf8")) as Reading;
  const start = process.cpuUsage();
  const reading = await readFile(bytes, { ...defaultReadLimits, maxPages: 200 });
  const pages = new Map(reading.document.pages.map((page) => [page.number, page]));
  for await (const { page, picture } of drawPages(bytes, reading.pictures, defaultReadLimits)) {
    if (!picture) continue;
    const result = await recogniser.read(picture);
    pages.set(page, { ...pages.get(page)!, width: result.width, height: result.height, lines: result.lines });
  }
  const used = process.cpuUsage(start);
  const result: Reading = {
    document: { ...reading.document, pages: [...pages.values()] },
    cpuSeconds: (used.user + used.system) / 1e6,
    scannedPages: reading.pictures.length,
  };
  if (cached) {
    mkdirSync(cacheDir!, { recursive: true });
    writeFileSync(cached, JSON.stringify(result));
  }
  return result;
}
