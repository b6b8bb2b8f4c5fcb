import { type SQL, sql } from "drizzle-orm";
import { readLog } from "../../accounts/usage/read-log.ts";
import { dayMs } from "../../platform/days.ts";
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

/** Requests of a workspace, newest first. */
export async function listRequests(
  queries: Queries,
  query: RequestQuery,
  nowMs: number,
): Promise<{ requests: Omit<RequestRow, "key">[]; nextCursor: string | null }> {
  const log = {
    table: "usage_groups",
    where: where(query),
    shared: ["service", "route", "status", "key_id", "model", "voice", "language"],
    own: ["duration_ms", "input_tokens", "output_tokens", "audio_ms"],
    order: sql`route, status, key_id, duration_ms, model, voice`,
  };
  const range = { fromMs: nowMs - daysBack * dayMs, beforeMs: nowMs + dayMs };
  const { rows, nextCursor } = await readLog(queries, log, { ...range, limit: query.limit, cursor: query.cursor });
  const requests = rows.map(({ atMs, index, values }) => ({
    id: `${atMs}.${index}`,
    at: new Date(atMs).toISOString(),
    service: String(values.service),
    route: String(values.route),
    status: Number(values.status),
    durationMs: Number(values.duration_ms),
    keyId: textOf(values.key_id),
    model: textOf(values.model),
    voice: textOf(values.voice),
    language: textOf(values.language),
    inputTokens: numberOf(values.input_tokens),
    outputTokens: numberOf(values.output_tokens),
    audioSeconds: values.audio_ms == null ? null : Number(values.audio_ms) / 1000,
  }));
  return { requests, nextCursor };
}

type Value = string | number | null | undefined;

function textOf(value: Value): string | null {
  return value == null ? null : String(value);
}

function numberOf(value: Value): number | null {
  return value == null ? null : Number(value);
}

function where(query: RequestQuery): SQL {
  const { workspaceId, keyId, service, route, model, status } = query;
  const parts = [sql`workspace_id = ${workspaceId}`];
  if (keyId) parts.push(sql`key_id = ${keyId}`);
  if (service) parts.push(sql`service = ${service}`);
  if (route) parts.push(sql`route = ${route}`);
  if (model) parts.push(sql`model = ${model}`);
  if (status) parts.push(status === "ok" ? sql`status < 400` : sql`status >= 400`);
  return sql.join(parts, sql` AND `);
}
