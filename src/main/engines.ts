import type { PlatformLog } from "../platform/log.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { ModelStore } from "../ports/model-store.ts";
import type { SpeechEngine } from "../ports/speech-engine.ts";
import { createSpeechEngines } from "./speech-engines.ts";
import type { StatusBoard } from "./status-board.ts";

/** Every engine of this process. An adapter is picked here and nowhere else. */
export interface Engines {
  speech: SpeechEngine;
  close(): Promise<void>;
}

export interface EngineContext {
  settings: Settings;
  models: ModelStore;
  board: StatusBoard;
  log: PlatformLog;
}

export function createEngines(context: EngineContext): Engines {
  const speech = createSpeechEngines(context);
  return {
    speech: speech.speech,
    async close() {
      await speech.close();
    },
  };
}
