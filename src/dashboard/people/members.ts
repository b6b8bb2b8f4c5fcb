import { and, eq, inArray, isNull, max } from "drizzle-orm";
import { apiKeys } from "../../accounts/tables.ts";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import { audit } from "../audit.ts";
import type { Handlers, WorkspaceVisit } from "../context.ts";
import type { Role } from "../contract/fields.ts";
import type { Member } from "../contract/workspaces.ts";
import type { DashboardParts } from "../parts.ts";
import type { SessionStore } from "../sign-in/sessions.ts";
import { makeResetLink } from "../sign-in/setup-link.ts";
import { memberships, type UserRecord, userSessions, users } from "../tables.ts";
import { getMember, listMemberships, outranks, setRole } from "./memberships.ts";

type Mine = "listMembers" | "changeRole" | "removeMember" | "leaveWorkspace" | "createResetLink";

export function memberHandlers(parts: DashboardParts, sessions: SessionStore): Handlers<Mine> {
  const { queries } = parts.database;

  async function leave(transaction: Queries, workspaceId: string, userId: string): Promise<void> {
    await setRole(transaction, workspaceId, userId, undefined);
    await revokePlaygroundKeys(transaction, workspaceId, userId);
  }

  return {
    async listMembers(_input, { workspace, user }) {
      const rows = await queries
        .select({
          user: users,
          role: memberships.role,
          joinedAt: memberships.joinedAt,
          lastSeenAt: max(userSessions.lastSeenAt),
        })
        .from(memberships)
        .innerJoin(users, eq(memberships.userId, users.id))
        .leftJoin(userSessions, eq(userSessions.userId, users.id))
        .where(eq(memberships.workspaceId, workspace.id))
        .groupBy(users.id, memberships.role, memberships.joinedAt)
        .orderBy(memberships.joinedAt, users.id);
      return { members: rows.map((row) => showMember(row, user.id)) };
    },

    async changeRole({ params, body }, visit) {
      const { workspace, user, address } = visit;
      const target = await getMember(queries, workspace.id, params.userId);
      mayManage(visit, target.role);
      mayManage(visit, body.role);
      await queries.transaction(async (transaction) => {
        await setRole(transaction, workspace.id, params.userId, body.role);
        const details = { from: target.role, to: body.role };
        await audit(transaction, {
          action: "role-changed",
          actor: user,
          workspace,
          target: target.user.email,
          details,
          address,
        });
      });
      const [own] = await sessions.list(params.userId);
      return showMember({ ...target, role: body.role, lastSeenAt: own?.lastSeenAt ?? null }, user.id);
    },

    async removeMember({ params }, visit) {
      const { workspace, user, address } = visit;
      const target = await getMember(queries, workspace.id, params.userId);
      mayManage(visit, target.role);
      await queries.transaction(async (transaction) => {
        await leave(transaction, workspace.id, params.userId);
        await audit(transaction, {
          action: "member-removed",
          actor: user,
          workspace,
          target: target.user.email,
          address,
        });
      });
      return {};
    },

    async leaveWorkspace(_input, { workspace, user, address }) {
      await queries.transaction(async (transaction) => {
        await leave(transaction, workspace.id, user.id);
        await audit(transaction, { action: "member-left", actor: user, workspace, target: user.email, address });
      });
      return {};
    },

    async createResetLink({ params, body }, visit) {
      const { workspace, user, address } = visit;
      const target = await getMember(queries, workspace.id, params.userId);
      await mayReset(queries, user, target.user);
      const link = await makeResetLink(queries, parts.clock, parts.publicUrl(), {
        userId: params.userId,
        removesSecondFactor: body.removesSecondFactor,
        createdBy: user.id,
      });
      const details = { removesSecondFactor: body.removesSecondFactor };
      await audit(queries, {
        action: "reset-link-created",
        actor: user,
        workspace,
        target: target.user.email,
        details,
        address,
      });
      return link;
    },
  };
}

/** Admins manage members and admins; owners everybody. */
export function mayManage({ role }: WorkspaceVisit, other: Role): void {
  if (outranks(role, other)) return;
  throw new Problem("missing_scope", "Only owners make, change and remove owners.");
}

/** Whoever makes a reset link can become that person. So it takes at least their rank in every workspace they belong to. */
async function mayReset(queries: Queries, actor: UserRecord, target: UserRecord): Promise<void> {
  if (actor.isInstallationOwner) return;
  const own = new Map((await listMemberships(queries, actor.id)).map(({ id, role }) => [id, role]));
  const theirs = await listMemberships(queries, target.id);
  const isAbove = theirs.every(({ id, role }) => {
    const mine = own.get(id);
    return mine !== undefined && outranks(mine, "admin") && outranks(mine, role);
  });
  if (isAbove && !target.isInstallationOwner) return;
  throw new Problem(
    "missing_scope",
    "This person has rights that you do not have, here or in another workspace. Ask the owner of the installation for the link.",
  );
}

/** The keys of the playground that somebody has made here die with the membership; other keys belong to the workspace. */
async function revokePlaygroundKeys(transaction: Queries, workspaceId: string, userId: string): Promise<void> {
  const own = transaction.select({ id: userSessions.id }).from(userSessions).where(eq(userSessions.userId, userId));
  await transaction
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKeys.workspaceId, workspaceId), inArray(apiKeys.sessionId, own), isNull(apiKeys.revokedAt)));
}

function showMember(
  { user, role, joinedAt, lastSeenAt }: { user: UserRecord; role: Role; joinedAt: Date; lastSeenAt: Date | null },
  you: string,
): Member {
  return {
    userId: user.id,
    name: user.name,
    email: user.email,
    role,
    joinedAt: joinedAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    hasSecondFactor: user.totpConfirmedAt !== null,
    isYou: user.id === you,
  };
}
