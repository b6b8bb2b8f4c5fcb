import { createEspeakPhonemizer } from "../../src/adapters/engines/espeak/phonemizer.ts";
import { createKokoro, KOKORO_MODEL } from "../../src/adapters/engines/kokoro/kokoro.ts";
import { createPiper, PIPER_MODEL } from "../../src/adapters/engines/piper/piper.ts";
import { createLocalSpeech } from "../../src/adapters/engines/speech-local/local-speech.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { silentLog } from "../../src/platform/log.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import type { ModelStore } from "../../src/ports/model-store.ts";

export const modelStore: ModelStore = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());

/** True, with a word about it, when one of these models is not on this machine. */
export function lacksModels(...ids: string[]): boolean {
  const reason = ids.map((id) => modelStore.missing(id)).find((text) => text !== undefined);
  if (reason) console.warn(`skipped: ${reason}`);
  return reason !== undefined;
}

export const speechModels = [KOKORO_MODEL, PIPER_MODEL];

/** The real engines, in their children. */
export function openLocalSpeech() {
  const log = silentLog;
  const phonemizer = createEspeakPhonemizer({ log });
  const kokoro = createKokoro({ models: modelStore, log, children: 1, threads: 1 });
  const piper = createPiper({ models: modelStore, log, children: 1, threads: 1 });
  return {
    engine: createLocalSpeech({ models: { kokoro, piper }, phonemizer }),
    phonemizer,
    kokoro,
    piper,
    async close() {
      await Promise.all([phonemizer.host.close(), kokoro.host.close(), piper.host.close()]);
    },
  };
}
