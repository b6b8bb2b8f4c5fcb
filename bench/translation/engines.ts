import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createApertium } from "../../src/adapters/engines/apertium/apertium.ts";
import { createTranslator, TRANSLATOR_MODEL } from "../../src/adapters/engines/translator/translator.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { silentLog } from "../../src/platform/log.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import type { ModelStore } from "../../src/ports/model-store.ts";

/** PARLANCE_TRANSLATOR names a folder with other weights than those that are installed. */
const elsewhere = process.env.PARLANCE_TRANSLATOR;
const models: ModelStore = elsewhere
  ? { folder: () => elsewhere, missing: () => undefined }
  : createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());

export const translatorFolder = models.folder(TRANSLATOR_MODEL);
export const translatorLanguages = (
  JSON.parse(readFileSync(join(translatorFolder, "config.json"), "utf8")) as { langs: string[] }
).langs;

export function openTranslator(children = 1) {
  return createTranslator({ models, log: silentLog, directions: [], children });
}

/** Modes are run one chain at a time, so the directions do not matter. */
export function openApertium() {
  const any = { source: "x", target: "y", quality: "good", chain: ["eng-spa"] } as const;
  return createApertium({ log: silentLog, directions: [any] });
}
