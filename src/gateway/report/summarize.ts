import { and, asc, count, eq, gte, lt, max, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Pico } from "../../credits/money.ts";
import type { Queries } from "../../ports/database.ts";
import { gatewayRequests } from "../charging/store.ts";

export type Grouping = "day" | "model" | "provider";

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
  from: Date | undefined;
  until: Date | undefined;
}

/** One row per day (UTC), model or provider that has any requests, in order. Sums are exact. */
export async function summarizeSpend(queries: Queries, query: SpendQuery): Promise<SpendRow[]> {
  const { at, model, provider } = gatewayRequests;
  const period = {
    day: sql<string>`to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
    model: sql<string>`${model}`,
    provider: sql<string>`${provider}`,
  }[query.groupBy];
  const total = (column: AnyPgColumn) => sql<string>`sum(${column})::text`;
  const rows = await queries
    .select({
      period,
      model: max(model),
      provider: max(provider),
      inputTokens: total(gatewayRequests.inputTokens),
      outputTokens: total(gatewayRequests.outputTokens),
      cost: total(gatewayRequests.cost),
      charge: total(gatewayRequests.charge),
      requests: count(),
    })
    .from(gatewayRequests)
    .where(
      and(
        eq(gatewayRequests.workspaceId, query.workspaceId),
        query.from ? gte(at, query.from) : undefined,
        query.until ? lt(at, query.until) : undefined,
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
