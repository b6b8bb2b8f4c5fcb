import { Problem } from "../../../platform/errors.ts";
import {
  type DocumentReader,
  openDocument,
  type ReadPage,
  type ReadRequest,
  type SealedDocument,
  sealDocument,
} from "../../../ports/document-reader.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import { wasKilled } from "../host/create-engine-host.ts";
import type { OcrResult } from "../pp-ocr/pp-ocr.ts";
import type { PicturePage, SealedReading } from "./read-file.ts";
import type { Picture } from "./read-picture.ts";

interface Hosts {
  readonly reader: EngineHost;
  readonly ocr: EngineHost;
}

const readDeadlineMs = 30_000;
const drawDeadlineMs = 60_000;
/** A dense page takes ten seconds alone on a core, and much longer on a machine that does other work. */
const ocrDeadlineMs = 240_000;
/** Pictures are drawn a few at a time, so that a long scan never lies in memory as a whole. */
const picturesAtOnce = 4;

/** Reads files in one host (a fresh process for each task) and recognises pictures of text in another. */
export function createDocumentReader(hosts: Hosts): DocumentReader {
  return {
    read: async (request, signal) => {
      const input = { bytes: request.bytes, limits: request.limits };
      const options = { key: request.caller, size: request.bytes.length, deadlineMs: readDeadlineMs, signal };
      const reading = await hosts.reader.ask<SealedReading>("read", input, options).catch(asUnreadable(signal));
      return reading.pictures.length === 0 ? reading.document : readPictures(hosts, request, reading, signal);
    },
  };
}

/** Pages that are pictures have no words yet: opening what was read so far costs little. */
async function readPictures(
  hosts: Hosts,
  request: ReadRequest,
  reading: SealedReading,
  signal: AbortSignal,
): Promise<SealedDocument> {
  const document = openDocument(reading.document);
  const pages = new Map(document.pages.map((page) => [page.number, page]));
  const warnings = [...document.warnings];
  for (let start = 0; start < reading.pictures.length; start += picturesAtOnce) {
    const batch = reading.pictures.slice(start, start + picturesAtOnce);
    await recogniseBatch(hosts, request, batch, pages, warnings, signal);
  }
  return sealDocument({ ...document, pages: [...pages.values()], warnings });
}

async function recogniseBatch(
  hosts: Hosts,
  request: ReadRequest,
  batch: readonly PicturePage[],
  pages: Map<number, ReadPage>,
  warnings: string[],
  signal: AbortSignal,
): Promise<void> {
  const drawn = await drawBatch(hosts, request, batch, signal).catch((error) => {
    if (!wasKilled(error)) return asUnreadable(signal)(error);
    return drawBatch(hosts, request, batch, signal).catch(asUnreadable(signal));
  });
  for (const { page: number, picture } of drawn) {
    const page = pages.get(number)!;
    if (!picture) {
      warnings.push(`Page ${number} could not be drawn, so its text was not recognised.`);
      continue;
    }
    const result = await hosts.ocr.ask<OcrResult>(
      "recognise",
      { picture },
      { key: request.caller, size: picture.width * picture.height, deadlineMs: ocrDeadlineMs, signal },
    );
    pages.set(number, { ...page, width: result.width, height: result.height, lines: result.lines });
  }
}

interface Drawn {
  page: number;
  picture: Picture | undefined;
}

async function drawBatch(
  hosts: Hosts,
  { bytes, limits, caller }: ReadRequest,
  pages: readonly PicturePage[],
  signal: AbortSignal,
): Promise<Drawn[]> {
  const options = { key: caller, deadlineMs: drawDeadlineMs, signal };
  const drawn: Drawn[] = [];
  for await (const one of hosts.reader.run<Drawn>("draw", { bytes, pages, limits }, options)) drawn.push(one);
  return drawn;
}

/** A file that crashes or outlasts its own process is the file's fault: the process is fresh and serves nothing else. One that was
 *  killed from outside says nothing about the file. */
function asUnreadable(signal: AbortSignal) {
  return (error: unknown): never => {
    signal.throwIfAborted();
    if (error instanceof Problem && error.kind === "engine_unavailable" && !isNotTheFiles(error)) {
      throw new Problem("unreadable_document", "The document could not be read within the limits of time and memory.", {
        cause: error,
      });
    }
    throw error;
  };
}

function isNotTheFiles(error: Problem): boolean {
  return wasKilled(error) || /shutting down/.test(error.message);
}
