import { and, eq, isNull } from "drizzle-orm";
import { audit, type By } from "../../audit/audit.ts";
import { Problem } from "../../platform/errors.ts";
import { hashSecret, newId } from "../../platform/ids.ts";
import type { Queries } from "../../ports/database.ts";
import type { Scope } from "../scopes.ts";
import { apiKeys } from "../tables.ts";
import { getWorkspaceById } from "../workspaces.ts";
import { type GivenRules, storeRules } from "./store-rules.ts";

/** The verifier reads all of a workspace's busy keys together; a guess far above what people make by hand. */
const mostKeys = 500;

/** Who handles keys. Members change what they made themselves; admins, admin keys and the command line everything. */
export interface KeyHandler extends By {
  isAdmin?: boolean;
}

export interface NewKey {
  workspaceId: string;
  name: string;
  scopes: Scope[];
  expiresAt?: Date | undefined;
  rules?: GivenRules;
}

export interface MadeKey {
  id: string;
  key: string;
  scopes: Scope[];
}

/** The one moment at which the key itself exists outside its owner's hands: it is there when the caller has it, and not before. */
export function createKey(queries: Queries, wanted: NewKey, by: KeyHandler = {}): Promise<MadeKey> {
  const { workspaceId, scopes, expiresAt, rules = {} } = wanted;
  const name = wanted.name.trim();
  return queries.transaction(async (transaction) => {
    if (name === "" || name.length > 80)
      throw new Problem("invalid_request", "A key needs a name of 1 to 80 characters.", { field: "name" });
    if (expiresAt && expiresAt.getTime() <= Date.now())
      throw new Problem("invalid_request", '"expiresAt" has passed. Name a later date.', { field: "expiresAt" });
    const workspace = await getWorkspaceById(transaction, workspaceId);
    const isPresent = and(eq(apiKeys.workspaceId, workspaceId), isNull(apiKeys.sessionId), isNull(apiKeys.revokedAt));
    const present = await transaction.select({ id: apiKeys.id }).from(apiKeys).where(isPresent);
    if (present.length >= mostKeys) throw new Problem("conflict", `There are ${mostKeys} keys. Revoke some first.`);
    const made = await insertKey(transaction, {
      workspaceId,
      name,
      scopes,
      expiresAt: expiresAt ?? null,
      ...storeRules(rules),
      rulesByAdmin: isAdmin(by) && hasRules(rules),
      createdBy: by.actor?.id ?? null,
    });
    const details = { key: made.id, scopes, expiresAt: expiresAt?.toISOString(), ...rules };
    await audit(transaction, { action: "key-created", ...by, workspace, target: name, details });
    return made;
  });
}

export async function insertKey(
  transaction: Queries,
  row: Omit<typeof apiKeys.$inferInsert, "id" | "hash" | "hint">,
): Promise<MadeKey> {
  const key = newId("parl_", 40);
  const id = newId("key_");
  await transaction.insert(apiKeys).values({ ...row, id, hash: hashSecret(key), hint: key.slice(-4) });
  return { id, key, scopes: row.scopes };
}

export function isAdmin(by: KeyHandler): boolean {
  return by.actor === undefined || by.isAdmin === true;
}

export function hasRules(rules: GivenRules): boolean {
  return Object.values(rules).some((value) => value !== undefined && value !== null);
}
