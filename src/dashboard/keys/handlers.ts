import { and, desc, eq, isNull } from "drizzle-orm";
import { changeKey } from "../../accounts/keys/change-key.ts";
import { createKey, insertKey, type KeyHandler } from "../../accounts/keys/create-key.ts";
import { revokeKey } from "../../accounts/keys/revoke-key.ts";
import { allScopes } from "../../accounts/scopes.ts";
import { apiKeys } from "../../accounts/tables.ts";
import { audit } from "../../audit/audit.ts";
import type { Queries } from "../../ports/database.ts";
import type { Handlers, WorkspaceVisit } from "../context.ts";
import type { DashboardParts } from "../parts.ts";
import { holdMembership, outranks } from "../people/memberships.ts";
import { showKeys } from "./show-keys.ts";

const playgroundTermMs = 60 * 60_000;

type Mine = "listKeys" | "createKey" | "updateKey" | "revokeKey" | "createPlaygroundKey";

export function keyHandlers(parts: DashboardParts): Handlers<Mine> {
  const { clock, database } = parts;
  const { queries } = database;

  function isOf(workspaceId: string) {
    return and(eq(apiKeys.workspaceId, workspaceId), isNull(apiKeys.sessionId));
  }

  /** What a key is asked to do while its person belongs to the workspace: not a moment longer, whatever happens at once. */
  function act<Result>(
    visit: WorkspaceVisit,
    work: (transaction: Queries, by: KeyHandler) => Promise<Result>,
  ): Promise<Result> {
    const { workspace, user, address } = visit;
    return queries.transaction(async (transaction) => {
      const role = await holdMembership(transaction, workspace.id, user.id);
      return work(transaction, { actor: user, address, isAdmin: outranks(role, "admin") });
    });
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
      const { name, scopes, expiresAt, ...rules } = body;
      const wanted = {
        workspaceId: visit.workspace.id,
        name,
        scopes: [...new Set(scopes)],
        expiresAt: expiresAt === null ? undefined : new Date(expiresAt),
        rules,
      };
      const made = await act(visit, (transaction, by) => createKey(transaction, wanted, by));
      return { key: await show(visit, made.id), secret: made.key };
    },

    async updateKey({ params, body }, visit) {
      const which = { id: params.keyId, workspaceId: visit.workspace.id };
      await act(visit, (transaction, by) => changeKey(transaction, which, body, by));
      return show(visit, params.keyId);
    },

    async revokeKey({ params }, visit) {
      const which = { id: params.keyId, workspaceId: visit.workspace.id };
      await act(visit, (transaction, by) => revokeKey(transaction, which, by));
      return {};
    },

    async createPlaygroundKey(_input, visit) {
      const { workspace, user, session, address } = visit;
      const expiresAt = new Date(clock.now() + playgroundTermMs);
      const { key } = await act(visit, async (transaction) => {
        // One for a browser and workspace: the newest.
        const isBefore = and(eq(apiKeys.sessionId, session.id), eq(apiKeys.workspaceId, workspace.id));
        await transaction
          .update(apiKeys)
          .set({ revokedAt: new Date(clock.now()) })
          .where(and(isBefore, isNull(apiKeys.revokedAt)));
        await audit(transaction, { action: "playground-key-created", actor: user, workspace, address });
        return insertKey(transaction, {
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
