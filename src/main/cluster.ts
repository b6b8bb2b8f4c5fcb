import { hostname } from "node:os";
import { createMemoryBus } from "../adapters/bus/memory-bus.ts";
import type { EngineName } from "../adapters/workers/catalog.ts";
import { createSpread, type Spread } from "../adapters/workers/spread/spread.ts";
import { createWorkerPool, type WorkerPool } from "../adapters/workers/worker-pool.ts";
import type { Log } from "../platform/log.ts";
import { type EngineGroup, engineGroups } from "../platform/settings/engine-settings.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { Bus } from "../ports/bus.ts";
import { StartError } from "./data-folder.ts";
import { loadOf } from "./engine-loads.ts";
import type { StatusBoard } from "./status-board.ts";

/** The bus that the settings name. */
export async function openBus({ cluster }: Settings, log: Log): Promise<Bus> {
  if (cluster.busUrl === "memory:") return createMemoryBus();
  const { connectNats } = await import("../adapters/bus/nats-bus.ts");
  return connectNats({ url: cluster.busUrl, name: `parlance ${hostname()} ${process.pid}`, log }).catch((error) => {
    throw new StartError(`The NATS server of SVC_BUS_URL cannot be used: ${(error as Error).message}.`);
  });
}

export interface Reach {
  /** Undefined where everything is done in this process. */
  spread: Spread | undefined;
  close(): void;
}

/** The way from this process to the workers, shown on the board. */
export function reachWorkers(settings: Settings, bus: Bus, board: StatusBoard, log: Log): Reach {
  const isAlone = bus.kind === "memory" && settings.engines.own.length === engineGroups.length;
  if (isAlone) return { spread: undefined, close() {} };
  const pool = createWorkerPool({ bus, name: settings.cluster.busName, log });
  for (const group of engineGroups) showWorkers(board, pool, bus, group, settings.engines.own.includes(group));
  return { spread: createSpread(pool, (engine) => loadOf(board, engine)), close: () => pool.close() };
}

/** The engine that stands for a group, where it has several. */
const mainEngine: Readonly<Record<EngineGroup, EngineName>> = {
  speech: "speech",
  transcription: "transcription",
  cloning: "cloning",
  translation: "translation",
  chat: "chat",
  embeddings: "embeddings",
  extraction: "reader",
};

const none = { workers: 0, queued: 0, active: 0, places: 0, meanJobMs: 0, oldestWaitMs: 0 };

function showWorkers(board: StatusBoard, pool: WorkerPool, bus: Bus, group: EngineGroup, isOwn: boolean): void {
  board.add({
    capability: group,
    model: "workers",
    modelIds: [],
    status() {
      const { workers, ...load } = pool.roster.load(mainEngine[group]) ?? none;
      const known = { name: `workers:${group}`, ...load, busySeconds: 0, restarts: 0, rssBytes: 0 };
      if (workers > 0) return { ...known, state: "ready" };
      // Where the process has engines of its own, workers are welcome and not needed.
      if (isOwn) return { ...known, state: "idle" };
      const reason = bus.isUp
        ? `No worker is there. Start one with: parlance worker --engines ${group}`
        : "The connection to NATS is lost.";
      return { ...known, state: "missing", reason };
    },
  });
}
