import { type SQL, sql } from "drizzle-orm";
import { dayMs, isoDateOf } from "../../platform/days.ts";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import type { RequestRow } from "../contract/usage.ts";
import type { UsageFilter } from "./measure-usage.ts";

export interface RequestQuery extends UsageFilter {
  workspaceId: string;
  status?: "ok" | "error" | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** How far back the list goes. */
const daysBack = 90;
/** Groups are what came in within a second or so, so the newest requests are in the newest groups: only those are unpacked. */
const newestGroups = 400;

interface Place {
  atMs: number;
  /** How many requests of that very millisecond were shown. */
  shown: number;
}

/** Requests of a workspace, newest first. Day by day: only the days that are shown are unpacked. */
export async function listRequests(
  queries: Queries,
  query: RequestQuery,
  nowMs: number,
): Promise<{ requests: Omit<RequestRow, "key">[]; nextCursor: string | null }> {
  const place = query.cursor ? readPlace(query.cursor) : undefined;
  const to = isoDateOf(new Date(place?.atMs ?? nowMs + dayMs));
  const from = isoDateOf(new Date(nowMs - daysBack * dayMs));
  const { rows: days } = await queries.execute<{ day: string }>(sql`
    SELECT DISTINCT day::text AS day FROM usage_groups WHERE ${where(query, from, to)} ORDER BY 1 DESC`);
  const found: Omit<RequestRow, "key">[] = [];
  for (const { day } of days) {
    if (found.length > query.limit) break;
    found.push(...(await readDay(queries, query, day, place, query.limit + 1 - found.length)));
  }
  const requests = found.slice(0, query.limit);
  const last = requests.at(-1);
  if (found.length <= query.limit || !last) return { requests, nextCursor: null };
  const atMs = Date.parse(last.at);
  const same = requests.filter(({ at }) => at === last.at).length;
  return { requests, nextCursor: `${atMs}.${same + (place?.atMs === atMs ? place.shown : 0)}` };
}

async function readDay(
  queries: Queries,
  query: RequestQuery,
  day: string,
  place: Place | undefined,
  limit: number,
): Promise<Omit<RequestRow, "key">[]> {
  const firstMs = place ? place.atMs - Date.parse(day) : Number.MAX_SAFE_INTEGER;
  const skip = place && isoDateOf(new Date(place.atMs)) === day ? place.shown : 0;
  const { rows } = await queries.execute<Record<string, string | number | null>>(sql`
    SELECT (${Date.parse(day)}::bigint + at_ms)::text AS at_ms, service, route, status, duration_ms, key_id, model, voice, language,
      input_tokens, output_tokens, audio_ms
    FROM (
      SELECT service, route, status, key_id, model, voice, language, unnest(at_ms) AS at_ms, unnest(duration_ms) AS duration_ms,
        unnest(input_tokens) AS input_tokens, unnest(output_tokens) AS output_tokens, unnest(audio_ms) AS audio_ms
      FROM (
        SELECT * FROM usage_groups WHERE ${where(query, day, day)} AND at_ms[1] <= ${firstMs}::bigint
        ORDER BY at_ms[1] DESC LIMIT ${newestGroups}
      ) AS newest
    ) AS requests
    WHERE at_ms <= ${firstMs}::bigint
    ORDER BY requests.at_ms DESC, route, status, key_id, duration_ms, model, voice LIMIT ${limit} OFFSET ${skip}`);
  return rows.map((row, index) => ({
    id: `${row.at_ms}.${skip + index}`,
    at: new Date(Number(row.at_ms)).toISOString(),
    service: String(row.service),
    route: String(row.route),
    status: Number(row.status),
    durationMs: Number(row.duration_ms),
    keyId: row.key_id === null ? null : String(row.key_id),
    model: row.model === null ? null : String(row.model),
    voice: row.voice === null ? null : String(row.voice),
    language: row.language === null ? null : String(row.language),
    inputTokens: row.input_tokens === null ? null : Number(row.input_tokens),
    outputTokens: row.output_tokens === null ? null : Number(row.output_tokens),
    audioSeconds: row.audio_ms === null ? null : Number(row.audio_ms) / 1000,
  }));
}

function where(query: RequestQuery, from: string, to: string): SQL {
  const { workspaceId, keyId, service, route, model, status } = query;
  const parts = [sql`workspace_id = ${workspaceId} AND day >= ${from}::date AND day <= ${to}::date`];
  if (keyId) parts.push(sql`key_id = ${keyId}`);
  if (service) parts.push(sql`service = ${service}`);
  if (route) parts.push(sql`route = ${route}`);
  if (model) parts.push(sql`model = ${model}`);
  if (status) parts.push(status === "ok" ? sql`status < 400` : sql`status >= 400`);
  return sql.join(parts, sql` AND `);
}

function readPlace(cursor: string): Place {
  const match = /^(\d{1,15})\.(\d{1,6})$/.exec(cursor);
  if (!match) throw new Problem("invalid_request", '"cursor" must be the nextCursor of an earlier reply.');
  return { atMs: Number(match[1]), shown: Number(match[2]) };
}
