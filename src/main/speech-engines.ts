import { availableParallelism } from "node:os";
import { createEspeakPhonemizer } from "../adapters/engines/espeak/phonemizer.ts";
import { createKokoro, KOKORO_MODEL } from "../adapters/engines/kokoro/kokoro.ts";
import { firstThatAnswers } from "../adapters/engines/openai-speech/first-that-answers.ts";
import { createOpenAiSpeech } from "../adapters/engines/openai-speech/openai-speech.ts";
import { parseRemoteAddress } from "../adapters/engines/openai-speech/parse-address.ts";
import { type OwnAddress, parseOwnAddress, splitEngines } from "../adapters/engines/own-weights/parse-address.ts";
import { createPiper, PIPER_MODEL } from "../adapters/engines/piper/piper.ts";
import { openFolder } from "../adapters/engines/sherpa/open-folder.ts";
import { createSherpaSpeech } from "../adapters/engines/sherpa/sherpa-speech.ts";
import { speechCatalog } from "../adapters/engines/speech-local/catalog.ts";
import { createLocalSpeech } from "../adapters/engines/speech-local/local-speech.ts";
import { SettingError } from "../platform/settings/settings.ts";
import type { SpeechEngine } from "../ports/speech-engine.ts";
import type { EngineContext } from "./engine-context.ts";
import { showRemote } from "./show-remote.ts";

export interface SpeechEngines {
  readonly speech: SpeechEngine;
  /** The engine of this machine, whoever else speaks. It loads its models when it is first asked. */
  local(): SpeechEngine;
  close(): Promise<void>;
}

/** The speech engines that the settings name, tried in order. */
export function createSpeechEngines(context: EngineContext): SpeechEngines {
  const { settings, models, board, log } = context;
  const closers: (() => Promise<void>)[] = [];
  let created: SpeechEngine | undefined;
  const addresses = splitEngines(settings.engines.speech);
  const isNamed = addresses.some((address) => address.trim() === "local");
  const local = () => {
    created ??= createLocal();
    return created;
  };
  const engines = addresses.map((address): SpeechEngine => {
    if (address.trim() === "local") return local();
    const own = parseOwnAddress(address, ["sherpa"]);
    if (own) return createOwn(own);
    const remote = parseRemoteAddress(address);
    if (remote === undefined) {
      throw new SettingError(
        `SVC_SPEECH_ENGINE is "${address}" but must be local, sherpa:PATH, sherpa:NAME or openai:http://host/v1#model.`,
      );
    }
    showRemote(context, "speech", "svc-tts-1", remote);
    return createOpenAiSpeech({ ...remote, apiKey: settings.engines.apiKey, languages: () => speechCatalog });
  });
  return {
    speech: firstThatAnswers(engines),
    local,
    async close() {
      await Promise.all(closers.map((close) => close()));
    },
  };

  /** Voices that somebody brought. */
  function createOwn(address: OwnAddress): SpeechEngine {
    const { modelsDir } = settings.storage;
    const folder = openFolder("SVC_SPEECH_ENGINE", address, ["speech"], modelsDir);
    const threads = settings.engines.threads || Math.min(2, availableParallelism());
    const engine = createSherpaSpeech({ folder, log, threads, modelsDir });
    closers.push(() => engine.host.close());
    const status = () => engine.host.status();
    board.add({ capability: "speech", model: `svc-tts-1/${folder.name}`, modelIds: [], isNeeded: true, status });
    return engine;
  }

  function createLocal(): SpeechEngine {
    const cores = availableParallelism();
    const phonemizer = createEspeakPhonemizer({ log });
    // One caller is glad of two threads; more callers share the children.
    const share = {
      children: Math.max(1, Math.min(4, Math.floor(cores / 2))),
      threads: settings.engines.threads || Math.min(2, cores),
    };
    const kokoro = createKokoro({ models, log, ...share });
    const piper = createPiper({ models, log, ...share });
    closers.push(...[phonemizer.host, kokoro.host, piper.host].map((host) => () => host.close()));
    // One that only speaks with cloned voices is no news.
    if (!isNamed) return createLocalSpeech({ models: { kokoro, piper }, phonemizer });
    board.add({
      capability: "speech",
      model: "svc-tts-1",
      modelIds: [KOKORO_MODEL],
      status: () => kokoro.host.status(),
    });
    board.add({ capability: "speech", model: "svc-tts-1", modelIds: [PIPER_MODEL], status: () => piper.host.status() });
    board.add({ capability: "phonemes", model: "svc-tts-1", modelIds: [], status: () => phonemizer.host.status() });
    return createLocalSpeech({ models: { kokoro, piper }, phonemizer });
  }
}
