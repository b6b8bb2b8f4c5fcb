import { eq } from "drizzle-orm";
import { audit } from "../../audit/audit.ts";
import type { Queries } from "../../ports/database.ts";
import { apiKeys } from "../tables.ts";
import { getWorkspaceById } from "../workspaces.ts";
import { takeKey } from "./change-key.ts";
import type { KeyHandler } from "./create-key.ts";

/** Revoking twice is as good as once. */
export function revokeKey(
  queries: Queries,
  which: { id: string; workspaceId?: string },
  by: KeyHandler = {},
): Promise<void> {
  return queries.transaction(async (transaction) => {
    const key = await takeKey(transaction, which, by);
    if (key.revokedAt) return;
    await transaction.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, key.id));
    const workspace = await getWorkspaceById(transaction, key.workspaceId);
    await audit(transaction, {
      action: "key-revoked",
      ...by,
      workspace,
      target: key.name,
      details: { key: key.id },
    });
  });
}
