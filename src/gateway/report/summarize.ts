import { and, asc, eq, gte, lte, max, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Pico } from "../../credits/money.ts";
import type { Queries } from "../../ports/database.ts";
import { gatewayDays } from "../charging/days.ts";

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
  /** Days as YYYY-MM-DD, both inclusive. */
  from: string | undefined;
  to: string | undefined;
}

/** One row per day (UTC), model or provider that has any requests, in order. Sums are exact. */
export async function summarizeSpend(queries: Queries, query: SpendQuery): Promise<SpendRow[]> {
  const { day, model, provider } = gatewayDays;
  const period = {
    day: sql<string>`${day}::text`,
    model: sql<string>`${model}`,
    provider: sql<string>`${provider}`,
  }[query.groupBy];
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
