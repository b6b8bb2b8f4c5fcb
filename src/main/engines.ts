import type { PlatformLog } from "../platform/log.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { ModelStore } from "../ports/model-store.ts";
import type { StatusBoard } from "./status-board.ts";

/** Every engine of this process. An adapter is picked here and nowhere else. */
export interface Engines {
  close(): Promise<void>;
}

export interface EngineContext {
  settings: Settings;
  models: ModelStore;
  board: StatusBoard;
  log: PlatformLog;
}

export function createEngines(_context: EngineContext): Engines {
  return {
    async close() {},
  };
}
