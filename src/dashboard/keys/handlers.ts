import { and, desc, eq, isNull } from "drizzle-orm";
import { createKey, revokeKey } from "../../accounts/keys.ts";
import { allScopes } from "../../accounts/scopes.ts";
import { apiKeys } from "../../accounts/tables.ts";
import { Problem } from "../../platform/errors.ts";
import { audit } from "../audit.ts";
import type { Handlers, WorkspaceVisit } from "../context.ts";
import type { DashboardParts } from "../parts.ts";
import { outranks } from "../people/memberships.ts";
import { showKeys } from "./show-keys.ts";
import { storeRules } from "./store-rules.ts";

const playgroundTermMs = 60 * 60_000;
/** The verifier reads all of a workspace's busy keys together; a guess far above what people make by hand. */
const mostKeys = 500;

type Mine = "listKeys" | "createKey" | "updateKey" | "revokeKey" | "createPlaygroundKey";

export function keyHandlers(parts: DashboardParts): Handlers<Mine> {
  const { clock, database } = parts;
  const { queries } = database;

  function isOf(workspaceId: string) {
    return and(eq(apiKeys.workspaceId, workspaceId), isNull(apiKeys.sessionId));
  }

  /** A key that the caller may change: members their own, admins all. */
  async function getOwn({ workspace, role, user }: WorkspaceVisit, keyId: string) {
    const [key] = await queries
      .select()
      .from(apiKeys)
      .where(and(isOf(workspace.id), eq(apiKeys.id, keyId)));
    if (!key) throw new Problem("not_found", "There is no such key.");
    if (key.createdBy !== user.id && !outranks(role, "admin")) {
      throw new Problem("missing_scope", "Somebody else made this key. Ask an admin.");
    }
    return key;
  }

  async function show(visit: WorkspaceVisit, keyId: string) {
    const rows = await queries.select().from(apiKeys).where(eq(apiKeys.id, keyId));
    return (await showKeys(parts, visit, rows))[0]!;
  }

  return {
    async listKeys(_input, visit) {
      await parts.verifier.flush();
      const rows = await queries
        .select()
        .from(apiKeys)
        .where(isOf(visit.workspace.id))
        .orderBy(desc(apiKeys.createdAt), apiKeys.id);
      return { keys: await showKeys(parts, visit, rows) };
    },

    async createKey({ body }, visit) {
      const { workspace, user, address } = visit;
      const expiresAt = body.expiresAt === null ? undefined : new Date(body.expiresAt);
      if (expiresAt && expiresAt.getTime() <= clock.now()) {
        throw new Problem("invalid_request", '"expiresAt" has passed.', { field: "expiresAt" });
      }
      const made = await queries.transaction(async (transaction) => {
        const present = await transaction
          .select({ id: apiKeys.id })
          .from(apiKeys)
          .where(and(isOf(workspace.id), isNull(apiKeys.revokedAt)));
        if (present.length >= mostKeys) throw new Problem("conflict", `There are ${mostKeys} keys. Revoke some first.`);
        const key = await createKey(transaction, {
          workspaceId: workspace.id,
          name: body.name,
          scopes: [...new Set(body.scopes)],
          createdBy: user.id,
          ...(expiresAt ? { expiresAt } : {}),
          rules: storeRules(body),
        });
        const { name: _, ...given } = body;
        const details = { ...given, key: key.id, scopes: key.scopes };
        await audit(transaction, {
          action: "key-created",
          actor: user,
          workspace,
          target: body.name,
          details,
          address,
        });
        return key;
      });
      return { key: await show(visit, made.id), secret: made.key };
    },

    async updateKey({ params, body }, visit) {
      const { workspace, user, address } = visit;
      const key = await getOwn(visit, params.keyId);
      const { name, ...rules } = body;
      const change = { ...(name === undefined ? {} : { name }), ...storeRules(rules) };
      if (Object.keys(change).length > 0) {
        await queries.transaction(async (transaction) => {
          await transaction.update(apiKeys).set(change).where(eq(apiKeys.id, key.id));
          const details = { key: key.id, ...body };
          await audit(transaction, {
            action: "key-changed",
            actor: user,
            workspace,
            target: key.name,
            details,
            address,
          });
        });
      }
      return show(visit, key.id);
    },

    async revokeKey({ params }, visit) {
      const { workspace, user, address } = visit;
      const key = await getOwn(visit, params.keyId);
      await queries.transaction(async (transaction) => {
        await revokeKey(transaction, key.id);
        const details = { key: key.id };
        await audit(transaction, { action: "key-revoked", actor: user, workspace, target: key.name, details, address });
      });
      return {};
    },

    async createPlaygroundKey(_input, { workspace, user, session, address }) {
      const expiresAt = new Date(clock.now() + playgroundTermMs);
      const { key } = await queries.transaction(async (transaction) => {
        // One for a browser and workspace: the newest.
        const isBefore = and(eq(apiKeys.sessionId, session.id), eq(apiKeys.workspaceId, workspace.id));
        await transaction
          .update(apiKeys)
          .set({ revokedAt: new Date(clock.now()) })
          .where(and(isBefore, isNull(apiKeys.revokedAt)));
        await audit(transaction, { action: "playground-key-created", actor: user, workspace, address });
        return createKey(transaction, {
          workspaceId: workspace.id,
          name: "playground",
          scopes: [...allScopes],
          createdBy: user.id,
          sessionId: session.id,
          expiresAt,
        });
      });
      return { secret: key, expiresAt: expiresAt.toISOString() };
    },
  };
}
