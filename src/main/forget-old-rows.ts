import { type SQL, sql } from "drizzle-orm";
import { describeError } from "../platform/database-error.ts";
import type { Log } from "../platform/log.ts";
import type { Queries } from "../ports/database.ts";

export interface Retention {
  /** Records of requests and of acts of administration; 0 keeps them. */
  readonly requestsMs: number;
  /** Finished jobs, and keys that the playground made for a browser; 0 keeps them. */
  readonly jobsMs: number;
}

const everyMs = 86_400_000;
/** After a start there is enough to do. */
const firstAfterMs = 300_000;
/** At once: others have their turn in between. */
const rowsAtOnce = 1000;

/** Removes daily what is too old. */
export function forgetOldRows(queries: Queries, retention: Retention, log: Log): { stop(): void } {
  const run = () => {
    forgetNow(queries, retention).catch((error) =>
      log.warn({ error: describeError(error) }, "old rows could not be removed; tried again tomorrow"),
    );
  };
  const first = setTimeout(run, firstAfterMs).unref();
  const timer = setInterval(run, everyMs).unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}

export async function forgetNow(
  queries: Queries,
  { requestsMs, jobsMs }: Retention,
  atOnce = rowsAtOnce,
): Promise<void> {
  const before = (ms: number) => sql`now() - ${ms} * interval '1 millisecond'`;
  if (requestsMs > 0) {
    const day = sql`day < (${before(requestsMs)})::date`;
    await forget(queries, "usage_groups", day, atOnce);
    await forget(queries, "gateway_request_groups", day, atOnce);
    // Limits of keys add up the days of a month.
    await forget(queries, "key_days", sql`${day} AND day < (now() - interval '32 days')::date`, atOnce);
    await forget(queries, "audit_log", sql`at < ${before(requestsMs)}`, atOnce);
  }
  if (jobsMs > 0) {
    await forget(queries, "jobs", sql`state IN ('completed', 'failed') AND finished_at < ${before(jobsMs)}`, atOnce);
    await forget(
      queries,
      "api_keys",
      sql`session_id IS NOT NULL AND least(revoked_at, expires_at) < ${before(jobsMs)}`,
      atOnce,
    );
  }
}

/** The condition stands twice because a place is unique in a table alone: whoever divides one by days into partitions, and drops the
 *  old ones, may do so. */
async function forget(queries: Queries, table: string, isOld: SQL, atOnce: number): Promise<void> {
  const name = sql.identifier(table);
  for (;;) {
    const { rows } = await queries.execute(sql`
      DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE ${isOld} LIMIT ${atOnce})) AND ${isOld}
      RETURNING 1`);
    if (rows.length < atOnce) return;
  }
}
