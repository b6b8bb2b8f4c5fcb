import { sql } from "drizzle-orm";
import type { Health } from "../platform/health.ts";
import type { Metrics } from "../platform/http/metrics.ts";
import { packageVersion } from "../platform/package-root.ts";
import { rememberFor } from "../platform/remember-for.ts";
import type { Bus } from "../ports/bus.ts";
import type { Database } from "../ports/database.ts";
import { measureEngines } from "./engine-metrics.ts";
import type { StatusBoard } from "./status-board.ts";
import type { WarmReport } from "./warm-up.ts";

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

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** What operators and their machines look at, by path. */
export type Operations = Readonly<Record<"/healthz" | "/readyz" | "/metrics", () => Promise<Answer>>>;

/** Both cost the server's own thread or the database something, and whoever asks more often learns nothing new. */
const freshMs = 1000;

export function createOperations(parts: OperationsParts): Operations {
  const { database, bus, board, health, metrics } = parts;
  measureEngines(parts);
  const text = rememberFor(freshMs, () => metrics.registry.metrics());
  const isDatabaseThere = rememberFor(freshMs, async () => database === undefined || answers(database));
  const readiness = async () => {
    const isDatabaseUp = await isDatabaseThere();
    const engines = board.report();
    const isComplete = engines.every(({ state }) => state === "ready");
    const { troubles } = health;
    // A worker without the bus has no work; a node without it still serves what it has engines for.
    const isReachable = database !== undefined || bus.isUp;
    const canServe = isDatabaseUp && isReachable && Object.keys(troubles).length === 0 && board.broken().length === 0;
    const isDraining = parts.isDraining();
    return json(canServe && !isDraining ? 200 : 503, {
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
    });
  };
  return {
    "/healthz": async () => json(200, { status: "ok", version: packageVersion() }),
    "/readyz": readiness,
    "/metrics": async () => ({ status: 200, type: metrics.registry.contentType, body: await text() }),
  };
}

function json(status: number, value: unknown): Answer {
  return { status, type: "application/json; charset=utf-8", body: JSON.stringify(value) };
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
