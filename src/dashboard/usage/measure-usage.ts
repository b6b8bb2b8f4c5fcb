import { type SQL, sql } from "drizzle-orm";
import type { Queries } from "../../ports/database.ts";
import type { UsageFigures } from "../contract/usage.ts";
import type { Step, Stretch } from "./stretch.ts";

export type Split = "none" | "key" | "service" | "route" | "model" | "voice" | "language" | "status";

export interface UsageFilter extends Stretch {
  workspaceId: string;
  keyId?: string | undefined;
  service?: string | undefined;
  route?: string | undefined;
  model?: string | undefined;
}

/** Null stands for all of them. */
export interface UsageMeasure extends UsageFigures {
  period: string | null;
  value: string | null;
}

/** Groups beyond the busiest are one. */
const mostGroups = 20;
export const otherGroups = "other";

const columns: Record<Exclude<Split, "none">, SQL> = {
  key: sql`coalesce(key_id, '')`,
  service: sql`service`,
  route: sql`route`,
  model: sql`coalesce(model, '')`,
  voice: sql`coalesce(voice, '')`,
  language: sql`coalesce(language, '')`,
  status: sql`status::text`,
};

/** Figures for each period and group, for each group, for each period, and for all: percentiles cannot be added up later. */
export async function measureUsage(
  queries: Queries,
  filter: UsageFilter,
  step: Step,
  split: Split,
): Promise<UsageMeasure[]> {
  const matches = where(filter);
  const busiest = split === "none" ? [] : await findBusiest(queries, matches, columns[split]);
  const value = split === "none" ? sql`'all'` : grouped(columns[split], busiest);
  const { rows } = await queries.execute<Record<string, string | null>>(sql`
    SELECT period, value, count(*)::text AS requests, count(*) FILTER (WHERE status >= 400)::text AS errors,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms)::text AS p50,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms)::text AS p95,
      percentile_disc(0.99) WITHIN GROUP (ORDER BY duration_ms)::text AS p99,
      sum(input_tokens)::text AS input, sum(output_tokens)::text AS output, sum(cached_tokens)::text AS cached,
      sum(audio_ms)::text AS audio
    FROM (
      SELECT date_trunc(${step}, day)::date::text AS period, ${value} AS value, status, duration_ms, input_tokens,
        output_tokens, cached_tokens, audio_ms
      FROM usage_records WHERE ${matches}
    ) AS chosen
    GROUP BY GROUPING SETS ((period, value), (value), (period), ())`);
  return rows.map((row) => ({
    period: row.period ?? null,
    value: row.value ?? null,
    requests: Number(row.requests),
    errors: Number(row.errors),
    p50Ms: row.p50 == null ? null : Number(row.p50),
    p95Ms: row.p95 == null ? null : Number(row.p95),
    p99Ms: row.p99 == null ? null : Number(row.p99),
    inputTokens: Number(row.input ?? 0),
    outputTokens: Number(row.output ?? 0),
    cachedTokens: Number(row.cached ?? 0),
    audioSeconds: Math.round(Number(row.audio ?? 0) / 100) / 10,
  }));
}

export function where({ workspaceId, from, to, keyId, service, route, model }: UsageFilter): SQL {
  const parts = [sql`workspace_id = ${workspaceId} AND day >= ${from}::date AND day <= ${to}::date`];
  if (keyId) parts.push(sql`key_id = ${keyId}`);
  if (service) parts.push(sql`service = ${service}`);
  if (route) parts.push(sql`route = ${route}`);
  if (model) parts.push(sql`model = ${model}`);
  return sql.join(parts, sql` AND `);
}

async function findBusiest(queries: Queries, matches: SQL, column: SQL): Promise<string[]> {
  const { rows } = await queries.execute<{ value: string }>(sql`
    SELECT ${column} AS value FROM usage_groups WHERE ${matches}
    GROUP BY 1 ORDER BY sum(cardinality(at_ms)) DESC, 1 LIMIT ${mostGroups + 1}`);
  const values = rows.map(({ value }) => value);
  return values.length > mostGroups ? values.slice(0, mostGroups - 1) : values;
}

function grouped(column: SQL, busiest: readonly string[]): SQL {
  if (busiest.length === 0) return sql`${column}`;
  const values = sql.join(
    busiest.map((value) => sql`${value}`),
    sql`, `,
  );
  return sql`CASE WHEN ${column} IN (${values}) THEN ${column} ELSE ${otherGroups} END`;
}
