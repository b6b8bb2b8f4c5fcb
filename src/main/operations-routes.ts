import { sql } from "drizzle-orm";
import type { Health } from "../platform/health.ts";
import type { HttpApp } from "../platform/http/create-server.ts";
import type { Metrics } from "../platform/http/metrics.ts";
import { packageVersion } from "../platform/package-root.ts";
import type { Bus } from "../ports/bus.ts";
import type { Database } from "../ports/database.ts";
import type { StatusBoard } from "./status-board.ts";
import type { WarmReport } from "./warm-up.ts";

const config = { scope: "open" };

export interface OperationsParts {
  /** Undefined where nothing is stored. */
  readonly database: Database | undefined;
  readonly bus: Bus;
  readonly board: StatusBoard;
  readonly health: Health;
  readonly metrics: Metrics;
  /** What is loaded ahead, the last used first. */
  warm?(): readonly WarmReport[];
  /** On purpose on its way out: whoever sends work here should stop, and nobody needs to be called. */
  isDraining(): boolean;
}

/** What operators and their machines look at. */
export function addOperationsRoutes(app: HttpApp, parts: OperationsParts): void {
  const { database, bus, board, health, metrics } = parts;
  app.get("/healthz", { config }, async () => ({ status: "ok", version: packageVersion() }));

  app.get("/readyz", { config }, async (_request, reply) => {
    const isDatabaseUp = database === undefined || (await answers(database));
    const engines = board.report();
    const isComplete = engines.every(({ state }) => state === "ready");
    const { troubles } = health;
    // A worker without the bus has no work; a node without it still serves what it has engines for.
    const isReachable = database !== undefined || bus.isUp;
    const canServe = isDatabaseUp && isReachable && Object.keys(troubles).length === 0 && board.broken().length === 0;
    const isDraining = parts.isDraining();
    reply.code(canServe && !isDraining ? 200 : 503);
    return {
      // The platform serves what it can: an engine that is still loading does not keep the others from working.
      status: isDraining ? "draining" : !canServe ? "unavailable" : isComplete ? "ready" : "partial",
      ...(Object.keys(troubles).length > 0 ? { troubles } : {}),
      ...(database ? { database: { kind: database.kind, state: isDatabaseUp ? "ready" : "failed" } } : {}),
      bus: { kind: bus.kind, state: bus.isUp ? "ready" : "failed" },
      engines,
      ...(parts.warm ? { warm: parts.warm() } : {}),
      models: {
        state: board.pull.isRunning ? "fetching" : board.pull.failure ? "failed" : "idle",
        ...(board.pull.current ? { current: board.pull.current } : {}),
        ...(board.pull.failure ? { reason: board.pull.failure } : {}),
      },
    };
  });

  app.get("/metrics", { config }, async (_request, reply) => {
    reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
  metrics.gauge("parlance_engine_up", "1 when the engine is ready.", ["engine", "state"], (set) => {
    for (const { engine, state } of board.report()) set({ engine, state }, state === "ready" ? 1 : 0);
  });
  metrics.gauge("parlance_engine_queue_length", "Requests waiting for an engine.", ["engine"], (set) => {
    for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().queued);
  });
  metrics.gauge("parlance_engine_active", "Requests an engine is working on.", ["engine"], (set) => {
    for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().active);
  });
  // Three signals for an autoscaler: how long the first in the queue waits, how much of the places is in use, and how much is asked
  // for compared to them.
  metrics.gauge(
    "parlance_engine_queue_age_seconds",
    "How long the first request in an engine's queue has waited.",
    ["engine"],
    (set) => {
      for (const entry of board.entries()) {
        set({ engine: entry.status().name }, Math.round(entry.status().oldestWaitMs) / 1000);
      }
    },
  );
  metrics.gauge("parlance_engine_places", "Requests that an engine can work on at once.", ["engine"], (set) => {
    for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().places);
  });
  metrics.gauge(
    "parlance_engine_saturation",
    "Requests that an engine works on or that wait, for each of its places. Above 1 they wait.",
    ["engine"],
    (set) => {
      for (const entry of board.entries()) {
        const { name, queued, active, places } = entry.status();
        if (places > 0) set({ engine: name }, (queued + active) / places);
      }
    },
  );
  metrics.counter(
    "parlance_engine_busy_seconds_total",
    "How long an engine's places were in use; its rate divided by the places is the busy share.",
    ["engine"],
    (set) => {
      for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().busySeconds);
    },
  );
  metrics.counter(
    "parlance_engine_restarts_total",
    "How often an engine process was replaced after a failure.",
    ["engine"],
    (set) => {
      for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().restarts);
    },
  );
  metrics.gauge("parlance_engine_memory_bytes", "Resident memory of an engine's processes.", ["engine"], (set) => {
    for (const entry of board.entries()) set({ engine: entry.status().name }, entry.status().rssBytes);
  });
  if (database) {
    metrics.gauge("parlance_database_info", "Which database is in use.", ["kind"], (set) =>
      set({ kind: database.kind }, 1),
    );
  }
  metrics.gauge("parlance_bus_up", "1 while the bus carries messages.", ["kind"], (set) =>
    set({ kind: bus.kind }, bus.isUp ? 1 : 0),
  );
  metrics.gauge("parlance_draining", "1 while the process finishes its work to end.", [], (set) =>
    set({}, parts.isDraining() ? 1 : 0),
  );
}

async function answers(database: Database): Promise<boolean> {
  const timeout = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("no answer")), 3000).unref());
  try {
    await Promise.race([database.queries.execute(sql`SELECT 1`), timeout]);
    return true;
  } catch {
    return false;
  }
}
