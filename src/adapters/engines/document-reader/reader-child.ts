import type { ReadLimits } from "../../../ports/document-reader.ts";
import { serveChild } from "../host/serve-child.ts";
import { drawPages, type PicturePage, readFile } from "./read-file.ts";

/** The process that opens untrusted files: it has no network use, no secrets, and lives for one task. */
serveChild({
  load: async () => ({}),
  tasks: {
    read: async function* (input: { bytes: Uint8Array; limits: ReadLimits }) {
      yield await readFile(input.bytes, input.limits);
    },
    draw: (input: { bytes: Uint8Array; pages: readonly PicturePage[]; limits: ReadLimits }) =>
      drawPages(input.bytes, input.pages, input.limits),
  },
});
