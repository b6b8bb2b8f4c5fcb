import { sql } from "drizzle-orm";
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
}

/** So long requests are shown one by one; their sums stay in the report. */
export const loggedDays = 30;

export interface LogQuery {
  workspaceId: string;
  /** Only this one. */
  id?: string;
  /** Only those before this moment. */
  before?: Date | undefined;
  limit: number;
}

/** The last requests of a workspace, the latest first. */
export async function findRequests(queries: Queries, query: LogQuery): Promise<LoggedRequest[]> {
  const { workspaceId, id, before, limit } = query;
  const { rows } = await queries.execute<Record<string, string | null>>(sql`
    SELECT id, (extract(epoch FROM at) * 1000)::bigint::text AS at, key_id, tag, endpoint, model, provider,
      input_tokens::text, output_tokens::text, cost::text, charge::text
    FROM gateway_requests
    WHERE workspace_id = ${workspaceId} AND day >= (now() AT TIME ZONE 'UTC')::date - ${loggedDays}::integer
      AND (${id ?? null}::text IS NULL OR id = ${id ?? null}::text)
      AND (${before?.toISOString() ?? null}::timestamptz IS NULL OR at < ${before?.toISOString() ?? null}::timestamptz)
    ORDER BY gateway_requests.at DESC LIMIT ${limit}`);
  return rows.map((row) => ({
    id: row.id ?? null,
    at: new Date(Number(row.at)),
    keyId: row.key_id!,
    tag: row.tag ?? "",
    endpoint: row.endpoint!,
    model: row.model!,
    provider: row.provider ?? "",
    inputTokens: BigInt(row.input_tokens!),
    outputTokens: BigInt(row.output_tokens!),
    cost: BigInt(row.cost!),
    charge: BigInt(row.charge!),
  }));
}
