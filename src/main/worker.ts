import { readCatalog } from "../adapters/models/catalog.ts";
import { createModelStore } from "../adapters/models/model-folder.ts";
import { serveWork } from "../adapters/workers/serve-work.ts";
import { limitServer } from "../limits/limit-server.ts";
import { createHealth } from "../platform/health.ts";
import { createServer } from "../platform/http/create-server.ts";
import { speakDialect } from "../platform/http/errors.ts";
import { measureRequests } from "../platform/http/metrics.ts";
import type { PlatformLog } from "../platform/log.ts";
import { SettingError, type Settings } from "../platform/settings/settings.ts";
import { voiceDialect } from "../voice/dialect.ts";
import { openBus } from "./cluster.ts";
import { loadOf } from "./engine-loads.ts";
import { createEngines } from "./engines.ts";
import { closeGracefully, listen } from "./listen.ts";
import { createOperations } from "./operations.ts";
import { addOperationsRoutes, listenForOperators } from "./operations-routes.ts";
import { pullInBackground } from "./pull-in-background.ts";
import { createStatusBoard } from "./status-board.ts";
import { workerCatalog, workerOperations } from "./worker-operations.ts";

export interface RunningWorker {
  readonly port: number;
  readonly engines: readonly string[];
  /** Takes nothing new, lets running work finish until the deadline. */
  close(): Promise<void>;
}

/** Engines without an API: their work comes over the bus, and an HTTP port says how they are. */
export async function runWorker(settings: Settings, log: PlatformLog): Promise<RunningWorker> {
  const { own } = settings.engines;
  if (settings.cluster.busUrl === "memory:") {
    throw new SettingError("A worker needs SVC_BUS_URL, such as nats://host:4222: its work comes from there.");
  }
  const bus = await openBus(settings, log);
  const models = createModelStore(settings.storage.modelsDir, readCatalog());
  const board = createStatusBoard(models);
  const engines = createEngines({ settings, models, board, log });
  const app = await createServer({ ...settings.limits, ...settings.server });
  limitServer(app, { ...settings.limits, ...settings.server }, log);
  const metrics = measureRequests(app);
  const health = createHealth(log);
  let isDraining = false;
  speakDialect(app, voiceDialect, log);
  const draining = () => isDraining;
  const operations = createOperations({ database: undefined, bus, board, health, metrics, isDraining: draining });
  addOperationsRoutes(app, operations, settings.server);
  const giveUp = async (error: unknown) => {
    await bus.close();
    throw error;
  };
  const closeOperations = await listenForOperators(operations, settings.server).catch(giveUp);
  const port = await listen(app, settings).catch(giveUp);
  const worker = serveWork({
    bus,
    name: settings.cluster.busName,
    log,
    operations: workerOperations(engines),
    catalog: () => workerCatalog(engines, board, own),
    load: (engine) => loadOf(board, engine),
  });
  metrics.gauge("parlance_worker_jobs", "Jobs of other machines that this worker has.", [], (set) =>
    set({}, worker.jobs),
  );
  const pulling = settings.storage.pullsModels ? pullInBackground(board, log, neededModels()) : undefined;

  function neededModels(): string[] {
    return [...new Set(board.entries().flatMap(({ modelIds }) => modelIds))];
  }

  return {
    port,
    engines: own,
    async close() {
      isDraining = true;
      pulling?.stop();
      await worker.drain(settings.server.shutdownMs);
      worker.close();
      await bus.close();
      await engines.close();
      await closeGracefully(app, 1000);
      await closeOperations();
    },
  };
}
