import { and, eq, isNull } from "drizzle-orm";
import { audit } from "../../audit/audit.ts";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import { apiKeys } from "../tables.ts";
import { getWorkspaceById } from "../workspaces.ts";
import { hasRules, isAdmin, type KeyHandler } from "./create-key.ts";
import { type GivenRules, showRules, storeRules } from "./store-rules.ts";

export interface KeyChange extends GivenRules {
  name?: string | undefined;
}

/** Renames a key or sets its limits. Limits that an admin has set are an admin's to change. */
export function changeKey(
  queries: Queries,
  which: { id: string; workspaceId: string },
  { name, ...given }: KeyChange,
  by: KeyHandler,
): Promise<void> {
  return queries.transaction(async (transaction) => {
    const key = await takeKey(transaction, which, by);
    const before = showRules(key);
    // A form sends every limit; what stays as it is needs no permission.
    const rules = Object.fromEntries(
      Object.entries(showRules({ ...key, ...storeRules(given) })).filter(
        ([rule, value]) => JSON.stringify(value) !== JSON.stringify(before[rule as keyof typeof before]),
      ),
    ) as GivenRules;
    const changesRules = Object.keys(rules).length > 0;
    if (changesRules && key.rulesByAdmin && !isAdmin(by))
      throw new Problem("missing_scope", "An admin has set the limits of this key. Ask an admin to change them.");
    const isRenamed = name !== undefined && name !== key.name;
    if (!changesRules && !isRenamed) return;
    await transaction
      .update(apiKeys)
      .set({
        ...(isRenamed ? { name } : {}),
        ...storeRules(rules),
        ...(changesRules ? { rulesByAdmin: isAdmin(by) && hasRules({ ...before, ...rules }) } : {}),
      })
      .where(eq(apiKeys.id, key.id));
    const details = { key: key.id, ...(isRenamed ? { name } : {}), ...rules };
    const workspace = await getWorkspaceById(transaction, key.workspaceId);
    await audit(transaction, { action: "key-changed", ...by, workspace, target: key.name, details });
  });
}

/** The key, held until the end of the transaction, for somebody who may change it. */
export async function takeKey(
  transaction: Queries,
  { id, workspaceId }: { id: string; workspaceId?: string },
  by: KeyHandler,
) {
  const isThere = workspaceId && and(eq(apiKeys.workspaceId, workspaceId), isNull(apiKeys.sessionId));
  const [key] = await transaction
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isThere || undefined))
    .for("update");
  if (!key) throw new Problem("not_found", `There is no key "${id}".`);
  if (!isAdmin(by) && key.createdBy !== by.actor?.id)
    throw new Problem("missing_scope", "Somebody else made this key. Ask an admin.");
  return key;
}
