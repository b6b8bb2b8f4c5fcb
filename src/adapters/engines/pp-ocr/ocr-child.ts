import { serveChild } from "../host/serve-child.ts";
import { createPpOcr, type PpOcr } from "./pp-ocr.ts";
import type { Raster } from "./raster.ts";

/** The process that recognises text; it sees pixels only, never files. */
serveChild<{ modelsDir: string }, PpOcr>({
  load: ({ modelsDir }) => createPpOcr(modelsDir),
  tasks: {
    recognise: async function* (input: { picture: Raster }, ocr: PpOcr) {
      yield await ocr.read(input.picture);
    },
  },
});
