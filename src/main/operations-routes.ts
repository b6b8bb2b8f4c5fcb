import { sql } from "drizzle-orm";
import type { Health } from "../platform/health.ts";
import type { HttpApp } from "../platform/http/create-server.ts";
import type { Metrics } from "../platform/http/metrics.ts";
import { packageVersion } from "../platform/package-root.ts";
import type { Database } from "../ports/database.ts";
import type { StatusBoard } from "./status-board.ts";

const config = { scope: "open" };

export interface OperationsParts {
  readonly database: Database;
  readonly board: StatusBoard;
  readonly health: Health;
  readonly metrics: Metrics;
}

/** What operators and their machines look at. */
export function addOperationsRoutes(app: HttpApp, { database, board, health, metrics }: OperationsParts): void {
  app.get("/healthz", { config }, async () => ({ status: "ok", version: packageVersion() }));

  app.get("/readyz", { config }, async (_request, reply) => {
    const isDatabaseUp = await answers(database);
    const engines = board.report();
    const isComplete = engines.every(({ state }) => state === "ready");
    const { troubles } = health;
    const canServe = isDatabaseUp && Object.keys(troubles).length === 0 && board.broken().length === 0;
    reply.code(canServe ? 200 : 503);
    return {
      // The platform serves what it can: an engine that is still loading does not keep the others from working.
      status: !canServe ? "unavailable" : isComplete ? "ready" : "partial",
      ...(Object.keys(troubles).length > 0 ? { troubles } : {}),
      database: { kind: database.kind, state: isDatabaseUp ? "ready" : "failed" },
      engines,
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
  metrics.gauge("parlance_database_info", "Which database is in use.", ["kind"], (set) =>
    set({ kind: database.kind }, 1),
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
