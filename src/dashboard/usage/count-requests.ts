import { sql } from "drizzle-orm";
import type { Queries } from "../../ports/database.ts";

export interface RequestCount {
  requests: number;
  errors: number;
}

/** How many requests each key of a workspace made from a day on. Counts the groups' arrays without unpacking them. */
export async function countRequests(
  queries: Queries,
  workspaceId: string,
  from: string,
): Promise<Map<string, RequestCount>> {
  const { rows } = await queries.execute<{ key_id: string; requests: string; errors: string | null }>(sql`
    SELECT key_id, sum(cardinality(at_ms))::text AS requests,
      sum(cardinality(at_ms)) FILTER (WHERE status >= 400)::text AS errors
    FROM usage_groups
    WHERE workspace_id = ${workspaceId} AND day >= ${from}::date AND key_id IS NOT NULL
    GROUP BY key_id`);
  return new Map(
    rows.map(({ key_id, requests, errors }) => [key_id, { requests: Number(requests), errors: Number(errors ?? 0) }]),
  );
}
