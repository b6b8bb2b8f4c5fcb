import { and, count, desc, eq, gte, lt, lte, sql, sum } from "drizzle-orm";
import { isoDateOf } from "../../platform/days.ts";
import type { Queries } from "../../ports/database.ts";
import { usageRecords, workspaces } from "../tables.ts";

export interface UsageRow {
  day: string;
  workspace: string;
  service: string;
  route: string;
  requests: number;
  errors: number;
  inputTokens: number;
  outputTokens: number;
  audioMs: number;
}

export interface UsageQuery {
  workspaceId?: string;
  from?: Date;
  until?: Date;
}

/** Requests per day, workspace and route, newest day first. */
export async function summarizeUsage(queries: Queries, query: UsageQuery): Promise<UsageRow[]> {
  const { from, until } = query;
  const rows = await queries
    .select({
      day: usageRecords.day,
      workspace: sql<string>`coalesce(${workspaces.name}, '')`,
      service: usageRecords.service,
      route: usageRecords.route,
      requests: count(),
      errors: sql<number>`count(*) FILTER (WHERE ${usageRecords.status} >= 400)`.mapWith(Number),
      inputTokens: sum(usageRecords.inputTokens).mapWith(Number),
      outputTokens: sum(usageRecords.outputTokens).mapWith(Number),
      audioMs: sum(usageRecords.audioMs).mapWith(Number),
    })
    .from(usageRecords)
    .leftJoin(workspaces, eq(usageRecords.workspaceId, workspaces.id))
    .where(
      and(
        query.workspaceId ? eq(usageRecords.workspaceId, query.workspaceId) : undefined,
        from && and(gte(usageRecords.day, isoDateOf(from)), gte(usageRecords.at, from)),
        until && and(lte(usageRecords.day, isoDateOf(until)), lt(usageRecords.at, until)),
      ),
    )
    .groupBy(usageRecords.day, workspaces.name, usageRecords.service, usageRecords.route)
    .orderBy(desc(usageRecords.day), usageRecords.service, usageRecords.route);
  return rows.map((row) => ({
    ...row,
    inputTokens: row.inputTokens || 0,
    outputTokens: row.outputTokens || 0,
    audioMs: row.audioMs || 0,
  }));
}
