import { availableParallelism } from "node:os";
import { createLocalCloner } from "../adapters/engines/local-cloner/local-cloner.ts";
import { VOICE_MAP_MODEL } from "../adapters/engines/local-cloner/voice-map.ts";
import { createOpenAiCloner } from "../adapters/engines/openai-cloner/openai-cloner.ts";
import { parseRemoteAddress } from "../adapters/engines/openai-speech/parse-address.ts";
import { type OwnAddress, parseOwnAddress } from "../adapters/engines/own-weights/parse-address.ts";
import { openFolder } from "../adapters/engines/sherpa/open-folder.ts";
import { createSherpaCloner } from "../adapters/engines/sherpa/sherpa-cloner.ts";
import { createSherpaDiarisation } from "../adapters/engines/sherpa/sherpa-diarisation.ts";
import { speechCatalog } from "../adapters/engines/speech-local/catalog.ts";
import { XVECTOR_MODEL } from "../adapters/engines/xvector/files.ts";
import { createXvector } from "../adapters/engines/xvector/xvector.ts";
import { SettingError } from "../platform/settings/settings.ts";
import type { DiarisationEngine } from "../ports/diarisation-engine.ts";
import type { VoiceCloner } from "../ports/voice-cloner.ts";
import type { VoicePrinter } from "../ports/voice-printer.ts";
import { type EngineContext, runsHere } from "./engine-context.ts";
import type { SpeechEngines } from "./speech-engines.ts";

export interface CloningEngines {
  readonly printer: VoicePrinter;
  readonly cloner: VoiceCloner;
  /** Undefined where voice prints tell people apart. */
  readonly diarisation: DiarisationEngine | undefined;
  close(): Promise<void>;
}

/** What tells speakers apart and speaks with their voices. */
export function createCloningEngines(context: EngineContext, { local }: SpeechEngines): CloningEngines {
  const { settings, models, board, log } = context;
  const printer = createXvector({ models, log });
  const status = () => printer.host.status();
  board.add({ capability: "cloning", model: "svc-tts-1", modelIds: [XVECTOR_MODEL, VOICE_MAP_MODEL], status });
  const hosts = [printer.host];
  return {
    printer,
    cloner: pickCloner(),
    diarisation: pickDiarisation(),
    async close() {
      await Promise.all(hosts.map((host) => host.close()));
    },
  };

  function pickDiarisation(): DiarisationEngine | undefined {
    const address = settings.engines.diarisation;
    if (address === "local") return undefined;
    const own = parseOwnAddress(address, ["sherpa"]);
    if (!own) {
      throw new SettingError(`SVC_DIARISATION_ENGINE is "${address}" but must be local, sherpa:PATH or sherpa:NAME.`);
    }
    const folder = openFolder("SVC_DIARISATION_ENGINE", own, ["diarisation"], settings.storage.modelsDir);
    // Where cloning is left to workers, so is telling people apart, by their voice prints.
    if (!runsHere(context, "cloning")) return undefined;
    const threads = settings.engines.threads || Math.min(2, availableParallelism());
    const engine = createSherpaDiarisation({ folder, log, threads });
    hosts.push(engine.host);
    const status = () => engine.host.status();
    board.add({ capability: "diarisation", model: folder.name, modelIds: [], isNeeded: true, status });
    return engine;
  }

  function pickCloner(): VoiceCloner {
    const address = settings.engines.cloning;
    const ofThisMachine = () => createLocalCloner({ models, speech: local(), printer });
    if (address === "local") return ofThisMachine();
    const own = parseOwnAddress(address, ["sherpa"]);
    if (own) return createOwn(own, ofThisMachine());
    const remote = parseRemoteAddress(address);
    if (!remote) {
      throw new SettingError(
        `SVC_CLONING_ENGINE is "${address}" but must be local, sherpa:PATH, sherpa:NAME or openai:http://host/v1#model.`,
      );
    }
    return createOpenAiCloner({ ...remote, apiKey: settings.engines.apiKey, languages: () => speechCatalog });
  }

  /** A model that speaks like the clip, in its languages; the cloner of this machine speaks all others. */
  function createOwn(address: OwnAddress, other: VoiceCloner): VoiceCloner {
    const { modelsDir } = settings.storage;
    const folder = openFolder("SVC_CLONING_ENGINE", address, ["cloning"], modelsDir);
    const threads = settings.engines.threads || Math.min(2, availableParallelism());
    const sampleRateHz = (language: string) => local().sampleRateHz(language);
    const cloner = createSherpaCloner({ folder, log, threads, modelsDir, other, sampleRateHz });
    hosts.push(cloner.host);
    const status = () => cloner.host.status();
    board.add({ capability: "cloning", model: `svc-tts-1/${folder.name}`, modelIds: [], isNeeded: true, status });
    return cloner;
  }
}
