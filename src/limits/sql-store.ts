import { type SQL, sql } from "drizzle-orm";
import { makeRoom } from "../platform/make-room.ts";
import type { Queries } from "../ports/database.ts";
import type { WindowStore, WindowTake, WindowUse } from "./sliding-window.ts";

const sweepEveryMs = 600_000;
const maxRemembered = 50_000;

interface Row extends Record<string, unknown> {
  used: number;
  oldest: number | null;
  newest: number | null;
  in_the_way: number | null;
  now: number;
}

/** Counts over all servers, exactly, with one statement for each request. The database's clock decides. */
export class SqlStore implements WindowStore {
  readonly windowMs: number;
  readonly #queries: Queries;
  readonly #name: string;
  readonly #stepMs: number | undefined;
  readonly #last = new Map<string, WindowUse>();
  #sweptAtMs = 0;

  /** With a step, uses within it share a place and leave together, never early. */
  constructor(queries: Queries, name: string, windowMs: number, stepMs?: number) {
    this.windowMs = windowMs;
    this.#queries = queries;
    this.#name = name;
    this.#stepMs = stepMs;
  }

  async take(key: string, cost: number, limit: number): Promise<WindowTake> {
    const taken = cost <= limit ? await this.#count(key, cost, limit) : undefined;
    if (taken) return { ...taken, isTaken: true };
    return { ...(await this.look(key, cost, limit)), isTaken: false };
  }

  async add(key: string, cost: number): Promise<void> {
    await this.#count(key, cost, undefined);
  }

  async look(key: string, cost: number, limit: number): Promise<WindowUse> {
    const { rows } = await this.#queries.execute<Row>(sql`
      WITH clock AS (SELECT ${nowMs} AS ms),
      uses AS (
        SELECT t, coalesce(c, 1) AS c FROM clock, rate_windows w, unnest(w.taken, w.costs) AS u(t, c)
        WHERE w.name = ${this.#nameOf(key)} AND t > ms - ${this.windowMs}::double precision),
      after_each AS (SELECT t, sum(c) OVER (ORDER BY t DESC) - c AS used FROM uses)
      SELECT (SELECT coalesce(sum(c), 0) FROM uses) AS used, (SELECT min(t) FROM uses) AS oldest,
        (SELECT max(t) FROM uses) AS newest, ms AS now,
        (SELECT min(t) FROM after_each WHERE used + ${cost}::double precision <= ${limit}::double precision) AS in_the_way
      FROM clock`);
    return this.#remember(key, rows[0]!);
  }

  lastSeen(key: string): WindowUse | undefined {
    return this.#last.get(key);
  }

  /** Undefined when the window is full. The row is locked while it is judged, so two servers never take the same place. */
  async #count(key: string, cost: number, limit: number | undefined): Promise<WindowUse | undefined> {
    const since = sql`excluded.taken[1] - ${this.windowMs}::double precision`;
    const fits =
      limit === undefined
        ? sql``
        : sql`WHERE (SELECT coalesce(sum(coalesce(c, 1)), 0) FROM unnest(w.taken, w.costs) AS u(t, c) WHERE t > ${since})
            + excluded.costs[1] <= ${limit}::double precision`;
    // Servers of the version before write no costs: each of their uses costs 1.
    const { rows } = await this.#queries.execute<Row>(sql`
      WITH clock AS (SELECT ${nowMs} AS ms)
      INSERT INTO rate_windows AS w (name, taken, costs, ends_at)
      SELECT ${this.#nameOf(key)}, ARRAY[${this.#atStep(sql`ms`)}], ARRAY[${cost}::double precision],
        clock_timestamp() + ${this.windowMs + (this.#stepMs ?? 0)} * interval '1 millisecond' FROM clock
      ON CONFLICT (name) DO UPDATE SET ends_at = excluded.ends_at, (taken, costs) = (
        SELECT array_agg(t ORDER BY t), array_agg(c ORDER BY t) FROM (
          SELECT t, sum(c) AS c FROM (
            SELECT t, coalesce(c, 1) AS c FROM unnest(w.taken, w.costs) AS u(t, c) WHERE t > ${since}
            UNION ALL SELECT excluded.taken[1], excluded.costs[1]) AS counted
          GROUP BY t) AS kept)
      ${fits}
      RETURNING (SELECT sum(c) FROM unnest(costs) AS c) AS used, taken[1] AS oldest,
        taken[cardinality(taken)] AS newest, NULL AS in_the_way, (SELECT ms FROM clock) AS now`);
    this.#sweep();
    return rows[0] && this.#remember(key, rows[0]);
  }

  #nameOf(key: string): string {
    return `${this.#name} ${key}`;
  }

  #atStep(ms: SQL): SQL {
    const step = this.#stepMs;
    return step === undefined ? ms : sql`ceil(${ms} / ${step}::double precision) * ${step}::double precision`;
  }

  #remember(key: string, { used, oldest, newest, in_the_way: inTheWay, now }: Row): WindowUse {
    const use = {
      used: Number(used),
      oldestMs: oldest ?? undefined,
      newestMs: newest ?? undefined,
      inTheWayMs: inTheWay ?? undefined,
      nowMs: now,
    };
    this.#last.delete(key);
    makeRoom(this.#last, maxRemembered);
    this.#last.set(key, use);
    return use;
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#sweptAtMs < sweepEveryMs) return;
    this.#sweptAtMs = now;
    this.#queries.execute(sql`DELETE FROM rate_windows WHERE ends_at < now()`).catch(() => {});
  }
}

const nowMs = sql`extract(epoch FROM clock_timestamp())::double precision * 1000`;
