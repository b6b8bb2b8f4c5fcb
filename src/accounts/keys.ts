import { and, eq, isNull } from "drizzle-orm";
import { Problem } from "../platform/errors.ts";
import { hashSecret, newId } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import type { Scope } from "./scopes.ts";
import { apiKeys, workspaces } from "./tables.ts";

/** What a key looks like after it was made: everything but the key. */
export type ApiKey = Omit<typeof apiKeys.$inferSelect, "hash"> & { workspace: string };

/** What a key may do beyond its scopes; limits in pico-dollars. */
export type StoredRules = Pick<ApiKey, "ratePerMinute" | "tokensPerMinute" | "dailyLimit" | "monthlyLimit" | "models">;

export interface NewKey {
  workspaceId: string;
  name: string;
  scopes: Scope[];
  expiresAt?: Date;
  rules?: Partial<StoredRules>;
  createdBy?: string;
  sessionId?: string;
}

/** The one moment at which the key itself exists outside its owner's hands. */
export async function createKey(
  queries: Queries,
  wanted: NewKey,
): Promise<{ id: string; key: string; scopes: Scope[] }> {
  if (wanted.name.trim() === "" || wanted.name.length > 80) {
    throw new Problem("invalid_request", "A key needs a name of 1 to 80 characters.");
  }
  const key = newId("parl_", 40);
  const id = newId("key_");
  await queries.insert(apiKeys).values({
    id,
    workspaceId: wanted.workspaceId,
    name: wanted.name.trim(),
    hash: hashSecret(key),
    hint: key.slice(-4),
    scopes: wanted.scopes,
    expiresAt: wanted.expiresAt ?? null,
    ...wanted.rules,
    createdBy: wanted.createdBy ?? null,
    sessionId: wanted.sessionId ?? null,
  });
  return { id, key, scopes: wanted.scopes };
}

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

/** Revoking twice is as good as once. */
export async function revokeKey(queries: Queries, id: string): Promise<void> {
  const [found] = await queries.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, id));
  if (!found) throw new Problem("not_found", `There is no key "${id}". List them with: ./parlance keys list`);
  await queries
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));
}
