import type { EngineContext } from "../../src/main/engine-context.ts";
import { createEngines, type Engines } from "../../src/main/engines.ts";
import type { BoardEntry } from "../../src/main/status-board.ts";

const shared = new Map<string, { engines: Engines; entries: BoardEntry[] }>();

/** The engines of these settings. They stay loaded for the next server of this process and end with it: loading models anew for
 *  every test file took a quarter of the suite's time. */
export function shareEngines(context: EngineContext): Engines {
  const { settings, board } = context;
  // What engines write into the log is of interest to its own server only.
  if (settings.log.level !== "silent") return createEngines(context);
  // Whether a server warms them up is no matter of the engines.
  const { warmsUp: _, ...which } = settings.engines;
  const key = JSON.stringify([which, settings.extraction.llm, settings.storage.modelsDir]);
  let known = shared.get(key);
  if (!known) {
    const entries: BoardEntry[] = [];
    const engines = createEngines({ ...context, board: { ...board, add: (entry) => entries.push(entry) } });
    known = { engines, entries };
    shared.set(key, known);
  }
  for (const entry of known.entries) board.add(entry);
  return { ...known.engines, async close() {} };
}
