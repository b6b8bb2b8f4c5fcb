import { Problem } from "../../../platform/errors.ts";
import { type ReadLimits, sealDocument } from "../../../ports/document-reader.ts";
import { serveChild } from "../host/serve-child.ts";
import { drawPages, type FileReading, type PicturePage, readFile, type SealedReading } from "./read-file.ts";

/** Fifty pages of the smallest print have half of it. Beyond, handing the words on would hold up the server. */
const mostWords = 100_000;

/** The process that opens untrusted files: it has no network use, no secrets, and lives for one task. */
serveChild({
  load: async () => ({}),
  tasks: {
    read: async function* (input: { bytes: Uint8Array; limits: ReadLimits }) {
      const reading = await readFile(input.bytes, input.limits);
      checkWords(reading);
      yield { ...reading, document: sealDocument(reading.document) } satisfies SealedReading;
    },
    draw: (input: { bytes: Uint8Array; pages: readonly PicturePage[]; limits: ReadLimits }) =>
      drawPages(input.bytes, input.pages, input.limits),
  },
});

function checkWords({ document }: FileReading): void {
  let words = 0;
  for (const { lines } of document.pages) for (const line of lines) words += line.words.length;
  for (const { rows } of document.tables) for (const cells of rows) words += cells.length;
  if (words <= mostWords) return;
  throw new Problem("unreadable_document", `The document has more than ${mostWords} words or cells. Send it in parts.`);
}
