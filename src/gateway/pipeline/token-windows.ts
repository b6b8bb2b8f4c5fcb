import { sql } from "drizzle-orm";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { makeRoom } from "../../platform/make-room.ts";
import type { Queries } from "../../ports/database.ts";

const windowMs = 60_000;
const mostKeys = 10_000;
const sweepEveryMs = 600_000;

/** Counts the tokens that keys with such a limit used in the last minute. What a request takes is known when it is over, so one that
 *  begins below the limit may end above it; the next one waits. */
export interface TokenWindows {
  /** Throws `rate_limited` until enough of the minute has passed. */
  admit(keyId: string, limit: number): void | Promise<void>;
  add(keyId: string, tokens: number): void;
}

interface Use {
  readonly atMs: number;
  readonly tokens: number;
}

/** Of this server alone. */
export class OwnTokenWindows implements TokenWindows {
  readonly #clock: Clock;
  readonly #uses = new Map<string, Use[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  admit(keyId: string, limit: number): void {
    judge(this.#recent(keyId), limit, this.#clock.now());
  }

  add(keyId: string, tokens: number): void {
    if (tokens <= 0) return;
    const uses = this.#recent(keyId);
    uses.push({ atMs: this.#clock.now(), tokens });
    // Put last, so that the first are those that were used longest ago.
    this.#uses.delete(keyId);
    makeRoom(this.#uses, mostKeys);
    this.#uses.set(keyId, uses);
  }

  #recent(keyId: string): Use[] {
    const since = this.#clock.now() - windowMs;
    return (this.#uses.get(keyId) ?? []).filter(({ atMs }) => atMs > since);
  }
}

/** Over all servers, in steps of a second. The database's clock decides. */
export class SharedTokenWindows implements TokenWindows {
  readonly #queries: Queries;
  readonly #log: Log;
  #sweptAtMs = 0;

  constructor(queries: Queries, log: Log) {
    this.#queries = queries;
    this.#log = log;
  }

  async admit(keyId: string, limit: number): Promise<void> {
    const { rows } = await this.#queries.execute<{ second: string; tokens: string; now: number }>(sql`
      SELECT second, tokens, extract(epoch FROM clock_timestamp())::double precision * 1000 AS now FROM token_uses
      WHERE key_id = ${keyId} AND second > floor(extract(epoch FROM clock_timestamp()))::bigint - ${windowMs / 1000}
      ORDER BY second`);
    const uses = rows.map(({ second, tokens }) => ({ atMs: Number(second) * 1000, tokens: Number(tokens) }));
    judge(uses, limit, rows[0]?.now ?? 0);
  }

  add(keyId: string, tokens: number): void {
    if (tokens <= 0) return;
    this.#queries
      .execute(sql`
        INSERT INTO token_uses AS u (key_id, second, tokens)
        VALUES (${keyId}, floor(extract(epoch FROM clock_timestamp()))::bigint, ${tokens})
        ON CONFLICT (key_id, second) DO UPDATE SET tokens = u.tokens + excluded.tokens`)
      .then(() => this.#sweep())
      .catch((error) => this.#log.warn({ error: String(error) }, "tokens of a key could not be counted"));
  }

  async #sweep(): Promise<void> {
    const now = performance.now();
    if (now - this.#sweptAtMs < sweepEveryMs) return;
    this.#sweptAtMs = now;
    await this.#queries.execute(sql`
      DELETE FROM token_uses WHERE second < floor(extract(epoch FROM clock_timestamp()))::bigint - ${windowMs / 1000}`);
  }
}

/** `uses` are those of the last minute, oldest first. */
function judge(uses: readonly Use[], limit: number, nowMs: number): void {
  let used = uses.reduce((sum, { tokens }) => sum + tokens, 0);
  if (used < limit) return;
  let freeAtMs = nowMs;
  for (const { atMs, tokens } of uses) {
    used -= tokens;
    freeAtMs = atMs + windowMs;
    if (used < limit) break;
  }
  const retryAfterSeconds = Math.max(1, Math.ceil((freeAtMs - nowMs) / 1000));
  throw new Problem(
    "rate_limited",
    `This key's limit of ${limit} tokens a minute is used up. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
