import type { PlatformLog } from "../platform/log.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { ModelStore } from "../ports/model-store.ts";
import type { StatusBoard } from "./status-board.ts";

/** What every engine is made from. */
export interface EngineContext {
  settings: Settings;
  models: ModelStore;
  board: StatusBoard;
  log: PlatformLog;
}
