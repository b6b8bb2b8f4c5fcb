import { type SQL, sql } from "drizzle-orm";
import { type LogRow, readLog } from "../../accounts/usage/read-log.ts";
import { dayMs } from "../../platform/days.ts";
import type { Queries } from "../../ports/database.ts";

/** A charged request as its caller may see it. There is nothing in it of what was said. */
export interface LoggedRequest {
  id: string | null;
  at: Date;
  keyId: string;
  tag: string;
  endpoint: string;
  model: string;
  provider: string;
  inputTokens: bigint;
  outputTokens: bigint;
  cost: bigint;
  charge: bigint;
  /** How the cost is known. */
  costSource: "measured" | "estimated" | "cached";
}

/** So long requests are shown one by one; their sums stay in the report. */
export const loggedDays = 30;

export interface RequestsQuery {
  workspaceId: string;
  /** Only those before this moment. */
  before?: Date | undefined;
  limit: number;
  cursor?: string | undefined;
}

const shared = ["key_id", "tag", "endpoint", "model", "provider", "cost_source"];
const own = ["ids", "input_tokens", "output_tokens", "cost", "charge"];

/** The last requests of a workspace, the latest first. */
export async function findRequests(
  queries: Queries,
  { workspaceId, before, limit, cursor }: RequestsQuery,
  nowMs: number,
): Promise<{ requests: LoggedRequest[]; nextCursor: string | null }> {
  const log = logOf(sql`workspace_id = ${workspaceId} AND cost_source <> 'abandoned'`);
  const range = { fromMs: firstMs(nowMs), beforeMs: before?.getTime() ?? nowMs + dayMs };
  const { rows, nextCursor } = await readLog(queries, log, { ...range, limit, cursor });
  return { requests: rows.map(show), nextCursor };
}

/** One of them by its name. */
export async function findRequest(
  queries: Queries,
  { workspaceId, id }: { workspaceId: string; id: string },
  nowMs: number,
): Promise<LoggedRequest | undefined> {
  const { rows } = await queries.execute<Record<string, string | null>>(sql`
    WITH named AS MATERIALIZED (SELECT * FROM gateway_request_groups WHERE ids @> ARRAY[${id}]::text[])
    SELECT (extract(epoch FROM day) * 1000)::bigint::text AS day_ms, at_ms, key_id, tag, endpoint, model, provider, cost_source, ids,
      input_tokens::text, output_tokens::text, cost::text, charge::text
    FROM (
      SELECT workspace_id, day, key_id, tag, endpoint, model, provider, cost_source, unnest(at_ms) AS at_ms, unnest(ids) AS ids,
        unnest(input_tokens) AS input_tokens, unnest(output_tokens) AS output_tokens, unnest(cost) AS cost, unnest(charge) AS charge
      FROM named WHERE workspace_id = ${workspaceId} AND cost_source <> 'abandoned' AND day >= ${new Date(firstMs(nowMs)).toISOString()}::date
    ) AS requests
    WHERE ids = ${id}`);
  const [values] = rows;
  return values && show({ atMs: Number(values.day_ms) + Number(values.at_ms), index: 0, values });
}

function logOf(where: SQL) {
  return { table: "gateway_request_groups", where, shared, own, order: sql`ids` };
}

function firstMs(nowMs: number): number {
  return nowMs - loggedDays * dayMs;
}

const guessed = new Set(["estimated", "hold"]);

function sourceOf(source: string): LoggedRequest["costSource"] {
  if (source === "cached") return source;
  return guessed.has(source) ? "estimated" : "measured";
}

function show({ atMs, values }: LogRow): LoggedRequest {
  const text = (name: string) => String(values[name] ?? "");
  const amount = (name: string) => BigInt(values[name] ?? 0);
  return {
    id: values.ids === null ? null : text("ids"),
    at: new Date(atMs),
    keyId: text("key_id"),
    tag: text("tag"),
    endpoint: text("endpoint"),
    model: text("model"),
    provider: text("provider"),
    inputTokens: amount("input_tokens"),
    outputTokens: amount("output_tokens"),
    cost: amount("cost"),
    charge: amount("charge"),
    costSource: sourceOf(text("cost_source")),
  };
}
