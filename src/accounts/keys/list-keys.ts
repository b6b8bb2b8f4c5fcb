import { and, eq, isNull } from "drizzle-orm";
import type { Queries } from "../../ports/database.ts";
import { apiKeys, workspaces } from "../tables.ts";

/** What a key looks like after it was made: everything but the key. */
export type ApiKey = Omit<typeof apiKeys.$inferSelect, "hash"> & { workspace: string };

export async function listKeys(queries: Queries, workspaceId?: string): Promise<ApiKey[]> {
  const rows = await queries
    .select()
    .from(apiKeys)
    .innerJoin(workspaces, eq(apiKeys.workspaceId, workspaces.id))
    // Keys of the playground come and go with the browser that made them.
    .where(and(workspaceId ? eq(apiKeys.workspaceId, workspaceId) : undefined, isNull(apiKeys.sessionId)))
    .orderBy(apiKeys.createdAt, apiKeys.id);
  return rows.map(({ api_keys: { hash: _, ...key }, workspaces: workspace }) => ({
    ...key,
    workspace: workspace.name,
  }));
}
