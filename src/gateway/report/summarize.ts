import { and, asc, eq, gte, lte, max, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Pico } from "../../credits/money.ts";
import type { Queries } from "../../ports/database.ts";
import { gatewayDays } from "../charging/days.ts";

export type Grouping = "day" | "model" | "provider" | "key" | "tag";

export interface SpendRow {
  period: string;
  model: string;
  provider: string;
  inputTokens: bigint;
  outputTokens: bigint;
  cost: Pico;
  charge: Pico;
  requests: bigint;
}

export interface SpendQuery {
  workspaceId: string;
  groupBy: Grouping;
  /** Days as YYYY-MM-DD, both inclusive. */
  from: string | undefined;
  to: string | undefined;
}

/** One row per day (UTC), model, provider, key or tag that has any requests, in order. Sums are exact. */
export async function summarizeSpend(queries: Queries, query: SpendQuery): Promise<SpendRow[]> {
  const { groupBy } = query;
  return groupBy === "key" || groupBy === "tag"
    ? summarizeRequests(queries, query)
    : summarizeDays(queries, query, groupBy);
}

/** Keys and tags are not in the sums of days, so the requests themselves are added up. */
async function summarizeRequests(
  queries: Queries,
  { workspaceId, groupBy, from, to }: SpendQuery,
): Promise<SpendRow[]> {
  const column = groupBy === "key" ? sql`key_id` : sql`tag`;
  const { rows } = await queries.execute<Record<string, string>>(sql`
    SELECT ${column} AS period, sum(input_tokens)::text AS input, sum(output_tokens)::text AS output, sum(cost)::text AS cost,
      sum(charge)::text AS charge, count(*)::text AS requests
    FROM gateway_requests
    WHERE workspace_id = ${workspaceId} AND cost_source <> 'abandoned' AND (${from ?? null}::date IS NULL OR day >= ${from ?? null}::date)
      AND (${to ?? null}::date IS NULL OR day <= ${to ?? null}::date)
    GROUP BY ${column} ORDER BY ${column}`);
  return rows.map((row) => ({
    period: row.period ?? "",
    model: "",
    provider: "",
    inputTokens: BigInt(row.input!),
    outputTokens: BigInt(row.output!),
    cost: BigInt(row.cost!),
    charge: BigInt(row.charge!),
    requests: BigInt(row.requests!),
  }));
}

async function summarizeDays(
  queries: Queries,
  query: SpendQuery,
  groupBy: "day" | "model" | "provider",
): Promise<SpendRow[]> {
  const { day, model, provider } = gatewayDays;
  const period = {
    day: sql<string>`${day}::text`,
    model: sql<string>`${model}`,
    provider: sql<string>`${provider}`,
  }[groupBy];
  const total = (column: AnyPgColumn) => sql<string>`sum(${column})::text`;
  const rows = await queries
    .select({
      period,
      model: max(model),
      provider: max(provider),
      inputTokens: total(gatewayDays.inputTokens),
      outputTokens: total(gatewayDays.outputTokens),
      cost: total(gatewayDays.cost),
      charge: total(gatewayDays.charge),
      requests: total(gatewayDays.requests),
    })
    .from(gatewayDays)
    .where(
      and(
        eq(gatewayDays.workspaceId, query.workspaceId),
        query.from ? gte(day, query.from) : undefined,
        query.to ? lte(day, query.to) : undefined,
      ),
    )
    .groupBy(period)
    .orderBy(asc(period));
  return rows.map((row) => ({
    period: row.period,
    // A day has many models and providers, a provider many models.
    model: query.groupBy === "model" ? (row.model ?? "") : "",
    provider: query.groupBy === "day" ? "" : (row.provider ?? ""),
    inputTokens: BigInt(row.inputTokens),
    outputTokens: BigInt(row.outputTokens),
    cost: BigInt(row.cost),
    charge: BigInt(row.charge),
    requests: BigInt(row.requests),
  }));
}
