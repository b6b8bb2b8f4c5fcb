import { sql } from "drizzle-orm";
import type { Queries } from "../../../ports/database.ts";

/** PostgreSQL's autovacuum and checkpointer are processes of their own, and the embedded database is only one: what they do is done
 *  from here, so that deleted rows leave the disk and the write-ahead log does not grow for ever. */
export function startTidying(queries: Queries): { stop(): void } {
  const timer = setInterval(() => {
    // Whatever keeps the database from this is told by those who need it; here the next minute will do.
    tidy(queries).catch(() => {});
  }, everyMs).unref();
  return { stop: () => clearInterval(timer) };
}

const everyMs = 60_000;
/** As autovacuum's own, but for the share of live rows: a tenth of gigabytes of documents is worth its milliseconds. */
const deadRows = 50;
const deadShare = 0.1;
/** Long before the two billion at which a database stops. */
const oldestTransactions = 100_000_000;
/** One segment of the log. */
const logBytes = 16 * 1024 * 1024;
/** As PostgreSQL's checkpoint_timeout. */
const checkpointEverySeconds = 300;

export async function tidy(queries: Queries): Promise<void> {
  const { rows } = await queries.execute<{ name: string }>(sql`
    SELECT c.oid::regclass::text AS name
    FROM pg_class c JOIN pg_stat_all_tables s ON s.relid = c.oid LEFT JOIN pg_stat_all_tables t ON t.relid = c.reltoastrelid
    WHERE c.relkind = 'r' AND (
      s.n_dead_tup > ${deadRows} + ${deadShare}::float8 * s.n_live_tup
      OR t.n_dead_tup > ${deadRows} + ${deadShare}::float8 * t.n_live_tup
      OR age(c.relfrozenxid) > ${oldestTransactions})`);
  // One at a time: between two of them others have their turn.
  for (const { name } of rows) await queries.execute(sql.raw(`VACUUM (FREEZE) ${name}`));
  const { rows: log } = await queries.execute<{ due: boolean }>(sql`
    SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > CASE
      WHEN checkpoint_time < now() - make_interval(secs => ${checkpointEverySeconds}) THEN 0 ELSE ${logBytes} END AS due
    FROM pg_control_checkpoint()`);
  if (rows.length > 0 || log[0]?.due) await queries.execute(sql`CHECKPOINT`);
}
