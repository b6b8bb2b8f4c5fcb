import { sql } from "drizzle-orm";
import type { RateVerdict, TurnWindow } from "../../platform/http/rate-window.ts";
import { makeRoom } from "../../platform/make-room.ts";
import type { Queries } from "../../ports/database.ts";

const sweepEveryMs = 600_000;
const mostRemembered = 50_000;

interface Row extends Record<string, unknown> {
  size: number;
  oldest: number | null;
  newest: number | null;
  now: number;
}

/** A sliding window over all servers, exact, with one statement for each request. The database's clock decides. */
export class SharedWindow implements TurnWindow {
  readonly #queries: Queries;
  readonly #name: string;
  readonly #windowMs: number;
  /** What replies tell that take no turn. */
  readonly #last = new Map<string, RateVerdict>();
  #sweptAtMs = 0;

  constructor(queries: Queries, name: string, windowMs: number) {
    this.#queries = queries;
    this.#name = name;
    this.#windowMs = windowMs;
  }

  async take(key: string, limit: number): Promise<RateVerdict> {
    const name = `${this.#name} ${key}`;
    const taken = await this.#tryToTake(name, limit);
    const verdict = this.#judge(taken ?? (await this.#look(name)), limit, taken !== undefined);
    this.#last.delete(key);
    makeRoom(this.#last, mostRemembered);
    this.#last.set(key, verdict);
    this.#sweep();
    return verdict;
  }

  look(key: string, limit: number): RateVerdict {
    const untouched = { limit, remaining: limit, resetSeconds: 0, nextSeconds: 0, retryAfterSeconds: 0 };
    return this.#last.get(key) ?? { isAllowed: true, ...untouched };
  }

  /** Undefined when the window is full. The row is locked while it is judged, so two servers never take the same place. */
  async #tryToTake(name: string, limit: number): Promise<Row | undefined> {
    if (limit < 1) return undefined;
    const window = this.#windowMs;
    const { rows } = await this.#queries.execute<Row>(sql`
      WITH clock AS (SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS ms)
      INSERT INTO rate_windows AS w (name, taken, ends_at)
      SELECT ${name}, ARRAY[ms], clock_timestamp() + ${window} * interval '1 millisecond' FROM clock
      ON CONFLICT (name) DO UPDATE SET ends_at = excluded.ends_at,
        taken = ARRAY(SELECT t FROM unnest(w.taken) AS t WHERE t > excluded.taken[1] - ${window} ORDER BY t) || excluded.taken
      WHERE (SELECT count(*) FROM unnest(w.taken) AS t WHERE t > excluded.taken[1] - ${window}) < ${limit}
      RETURNING cardinality(taken) AS size, taken[1] AS oldest, taken[cardinality(taken)] AS newest,
        (SELECT ms FROM clock) AS now`);
    return rows[0];
  }

  async #look(name: string): Promise<Row> {
    const { rows } = await this.#queries.execute<Row>(sql`
      WITH clock AS (SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS ms)
      SELECT count(t)::int AS size, min(t) AS oldest, max(t) AS newest, clock.ms AS now
      FROM clock LEFT JOIN rate_windows w ON w.name = ${name}
      LEFT JOIN LATERAL unnest(w.taken) AS t ON t > clock.ms - ${this.#windowMs}
      GROUP BY clock.ms`);
    return rows[0]!;
  }

  #judge({ size, oldest, newest, now }: Row, limit: number, isAllowed: boolean): RateVerdict {
    const secondsUntil = (time: number | null) =>
      time === null ? 0 : Math.max(0, Math.ceil((time + this.#windowMs - now) / 1000));
    return {
      isAllowed,
      limit,
      remaining: Math.max(0, limit - size),
      resetSeconds: secondsUntil(newest),
      nextSeconds: secondsUntil(oldest),
      retryAfterSeconds: isAllowed ? 0 : Math.max(1, secondsUntil(oldest)),
    };
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#sweptAtMs < sweepEveryMs) return;
    this.#sweptAtMs = now;
    this.#queries.execute(sql`DELETE FROM rate_windows WHERE ends_at < now()`).catch(() => {});
  }
}
