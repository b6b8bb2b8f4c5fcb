import type { Spread } from "../adapters/workers/spread/spread.ts";
import type { PlatformLog } from "../platform/log.ts";
import type { EngineGroup } from "../platform/settings/engine-settings.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { ModelStore } from "../ports/model-store.ts";
import type { StatusBoard } from "./status-board.ts";

/** What every engine is made from. */
export interface EngineContext {
  settings: Settings;
  models: ModelStore;
  board: StatusBoard;
  log: PlatformLog;
  /** How work reaches other machines; undefined where everything is done here. */
  spread?: Spread | undefined;
}

/** Whether this process runs these engines itself. */
export function runsHere({ settings }: EngineContext, group: EngineGroup): boolean {
  return settings.engines.own.includes(group);
}

/** Engines that are not run here are made, because others are put together from them, and never started: they do not show. */
export function quietUnless(context: EngineContext, ...groups: EngineGroup[]): EngineContext {
  const isShown = groups.some((group) => runsHere(context, group));
  return isShown ? context : { ...context, board: { ...context.board, add() {} } };
}
