import { type SQL, sql } from "drizzle-orm";
import { dayMs, isoDateOf } from "../../platform/days.ts";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";

/** Requests that are alike and came in together are one row by day (UTC), their figures side by side in arrays. */
export interface GroupedLog {
  readonly table: string;
  /** Which of its groups. */
  readonly where: SQL;
  /** Columns that the requests of a group have in common, and those that each has its own of, besides `at_ms`. */
  readonly shared: readonly string[];
  readonly own: readonly string[];
  /** Puts requests of one millisecond in order, always in the same. */
  readonly order: SQL;
}

export interface LogQuery {
  /** From this moment on, and before that one. */
  fromMs: number;
  beforeMs: number;
  limit: number;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

export interface LogRow {
  readonly atMs: number;
  /** How many requests of that very millisecond come before it. */
  readonly index: number;
  /** What each has its own of comes as text. */
  readonly values: Readonly<Record<string, string | number | null>>;
}

type Place = Pick<LogRow, "atMs" | "index">;

/** The last requests first. Only the days that are shown are looked into, and of them only the groups that may hold the page. */
export async function readLog(
  queries: Queries,
  log: GroupedLog,
  { fromMs, beforeMs, limit, cursor }: LogQuery,
): Promise<{ rows: LogRow[]; nextCursor: string | null }> {
  let place: Place = cursor ? readPlace(cursor) : { atMs: beforeMs - 1, index: 0 };
  const found: LogRow[] = [];
  while (found.length <= limit) {
    const day = await lastDay(queries, log, isoDateOf(new Date(fromMs)), isoDateOf(new Date(place.atMs)));
    if (day === undefined) break;
    const startMs = Date.parse(day);
    const from: Place = place.atMs < startMs + dayMs ? place : { atMs: startMs + dayMs - 1, index: 0 };
    found.push(...(await readDay(queries, log, startMs, from, limit + 1 - found.length)));
    place = { atMs: startMs - 1, index: 0 };
  }
  const next = found[limit];
  return { rows: found.slice(0, limit), nextCursor: next ? `${next.atMs}.${next.index}` : null };
}

async function lastDay(queries: Queries, { table, where }: GroupedLog, from: string, to: string) {
  const { rows } = await queries.execute<{ day: string | null }>(sql`
    SELECT max(day)::text AS day FROM ${sql.identifier(table)} WHERE ${where} AND day >= ${from}::date AND day <= ${to}::date`);
  return rows[0]?.day ?? undefined;
}

async function readDay(
  queries: Queries,
  { table, where, shared, own, order }: GroupedLog,
  startMs: number,
  from: Place,
  limit: number,
): Promise<LogRow[]> {
  const name = (column: string) => sql.identifier(column);
  const list = (parts: SQL[]) => sql.join(parts, sql`, `);
  const firstMs = from.atMs - startMs;
  // Each group begins with a request, so the page ends no earlier than the last of as many groups begins; others may reach into it.
  const { rows } = await queries.execute<Record<string, string | number | null>>(sql`
    WITH candidates AS (
      SELECT * FROM ${name(table)}
      WHERE ${where} AND day = ${isoDateOf(new Date(startMs))}::date AND at_ms[1] <= ${firstMs}::bigint
    ), oldest AS (
      SELECT at_ms[1] AS ms FROM candidates ORDER BY 1 DESC OFFSET ${from.index + limit - 1} LIMIT 1
    )
    SELECT requests.at_ms, ${list(shared.map((column) => sql`${name(column)}`))},
      ${list(own.map((column) => sql`requests.${name(column)}::text`))}
    FROM (
      SELECT ${list(shared.map((column) => sql`${name(column)}`))}, unnest(at_ms) AS at_ms,
        ${list(own.map((column) => sql`unnest(${name(column)}) AS ${name(column)}`))}
      FROM candidates WHERE at_ms[cardinality(at_ms)] >= coalesce((SELECT ms FROM oldest), 0)
    ) AS requests
    WHERE at_ms <= ${firstMs}::bigint
    ORDER BY requests.at_ms DESC, ${order} LIMIT ${limit} OFFSET ${from.index}`);
  let last: Place = { atMs: from.atMs, index: from.index - 1 };
  return rows.map((values) => {
    const atMs = startMs + Number(values.at_ms);
    last = { atMs, index: atMs === last.atMs ? last.index + 1 : 0 };
    return { ...last, values };
  });
}

function readPlace(cursor: string): Place {
  const match = /^(\d{1,15})\.(\d{1,6})$/.exec(cursor);
  if (!match) throw new Problem("invalid_request", '"cursor" must be the cursor that came with an earlier page.');
  return { atMs: Number(match[1]), index: Number(match[2]) };
}
