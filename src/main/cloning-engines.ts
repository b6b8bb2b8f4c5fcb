import { createLocalCloner } from "../adapters/engines/local-cloner/local-cloner.ts";
import { VOICE_MAP_MODEL } from "../adapters/engines/local-cloner/voice-map.ts";
import { createOpenAiCloner } from "../adapters/engines/openai-cloner/openai-cloner.ts";
import { parseRemoteAddress } from "../adapters/engines/openai-speech/parse-address.ts";
import { speechCatalog } from "../adapters/engines/speech-local/catalog.ts";
import { XVECTOR_MODEL } from "../adapters/engines/xvector/files.ts";
import { createXvector } from "../adapters/engines/xvector/xvector.ts";
import { SettingError } from "../platform/settings/settings.ts";
import type { VoiceCloner } from "../ports/voice-cloner.ts";
import type { VoicePrinter } from "../ports/voice-printer.ts";
import type { EngineContext } from "./engine-context.ts";
import type { SpeechEngines } from "./speech-engines.ts";

export interface CloningEngines {
  readonly printer: VoicePrinter;
  readonly cloner: VoiceCloner;
  close(): Promise<void>;
}

/** What tells speakers apart and speaks with their voices. */
export function createCloningEngines(
  { settings, models, board, log }: EngineContext,
  { local }: SpeechEngines,
): CloningEngines {
  const printer = createXvector({ models, log });
  const status = () => printer.host.status();
  board.add({ capability: "cloning", model: "svc-tts-1", modelIds: [XVECTOR_MODEL, VOICE_MAP_MODEL], status });
  return { printer, cloner: pickCloner(), close: () => printer.host.close() };

  function pickCloner(): VoiceCloner {
    const address = settings.engines.cloning;
    if (address === "local") return createLocalCloner({ models, speech: local(), printer });
    const remote = parseRemoteAddress(address);
    if (!remote) {
      throw new SettingError(`SVC_CLONE_ENGINE is "${address}" but must be local or openai:http://host/v1#model.`);
    }
    return createOpenAiCloner({ ...remote, apiKey: settings.engines.apiKey, languages: () => speechCatalog });
  }
}
