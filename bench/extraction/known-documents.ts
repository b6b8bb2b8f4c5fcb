import { homedir } from "node:os";
import { join } from "node:path";
import { createPpOcr } from "../../src/adapters/engines/pp-ocr/pp-ocr.ts";
import { type Known, readKnown } from "./fitting/samples.ts";
import type { Recogniser } from "./read-set.ts";

/** What follows `--name` on the command line. */
export function option(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** Does something with PP-OCR at hand, and closes it. */
export async function withOcr<Value>(work: (recogniser: Recogniser) => Promise<Value>): Promise<Value> {
  const models = process.env.SVC_MODELS_DIR ?? join(homedir(), ".cache", "parlance", "models");
  const ocr = await createPpOcr(join(models, "pp-ocr-v4"));
  try {
    return await work({ name: "pp-ocr", read: (picture) => ocr.read(picture) });
  } finally {
    await ocr.close();
  }
}

/** Every document with known answers: those of the development set, and those of `--unseen FOLDER`. */
export function readKnownDocuments(): Promise<Known[]> {
  return withOcr((recogniser) => readKnown(recogniser, option("cache"), option("unseen")));
}
