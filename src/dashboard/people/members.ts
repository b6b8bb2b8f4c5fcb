import { eq, max } from "drizzle-orm";
import { audit } from "../../audit/audit.ts";
import { Problem } from "../../platform/errors.ts";
import type { Handlers, WorkspaceVisit } from "../context.ts";
import type { Role } from "../contract/fields.ts";
import type { Member } from "../contract/workspaces.ts";
import type { DashboardParts } from "../parts.ts";
import type { SessionStore } from "../sign-in/sessions.ts";
import { makeResetLink } from "../sign-in/setup-link.ts";
import { memberships, type UserRecord, userSessions, users } from "../tables.ts";
import { endLinks, ownersOnly } from "./authority.ts";
import { endMembership, readDeparture } from "./departure.ts";
import { getMember, outranks, setRole } from "./memberships.ts";

type Mine = "listMembers" | "changeRole" | "getDeparture" | "removeMember" | "leaveWorkspace" | "createResetLink";

export function memberHandlers(parts: DashboardParts, sessions: SessionStore): Handlers<Mine> {
  const { queries } = parts.database;
  const now = () => new Date(parts.clock.now());

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
      const target = await queries.transaction(async (transaction) => {
        const found = await getMember(transaction, workspace.id, params.userId);
        mayManage(visit, found.role);
        mayManage(visit, body.role);
        await setRole(transaction, workspace.id, params.userId, body.role);
        // A lower role ends what it may no longer make, and nothing else.
        const ended = await endLinks(transaction, params.userId);
        const details = { from: found.role, to: body.role, ...ended };
        await audit(transaction, {
          action: "role-changed",
          actor: user,
          workspace,
          target: found.user.email,
          details,
          address,
        });
        return found;
      });
      const [own] = await sessions.list(params.userId);
      return showMember({ ...target, role: body.role, lastSeenAt: own?.lastSeenAt ?? null }, user.id);
    },

    async getDeparture({ params }, visit) {
      const { workspace, user, role } = visit;
      await getMember(queries, workspace.id, params.userId);
      if (params.userId !== user.id && !outranks(role, "admin"))
        throw new Problem("missing_scope", "Only admins may ask that about others.");
      return readDeparture(queries, workspace.id, params.userId, now());
    },

    async removeMember({ params, query }, visit) {
      const { workspace, user, address } = visit;
      await queries.transaction(async (transaction) => {
        const target = await getMember(transaction, workspace.id, params.userId);
        mayManage(visit, target.role);
        const heir = params.userId === user.id ? undefined : user.id;
        const wanted = { workspaceId: workspace.id, userId: params.userId, heir, ...query };
        const details = await endMembership(transaction, wanted, now());
        await audit(transaction, {
          action: "member-removed",
          actor: user,
          workspace,
          target: target.user.email,
          details,
          address,
        });
      });
      return {};
    },

    async leaveWorkspace({ query }, { workspace, user, address }) {
      await queries.transaction(async (transaction) => {
        const wanted = { workspaceId: workspace.id, userId: user.id, ...query };
        const details = await endMembership(transaction, wanted, now());
        await audit(transaction, {
          action: "member-left",
          actor: user,
          workspace,
          target: user.email,
          details,
          address,
        });
      });
      return {};
    },

    async createResetLink({ params, body }, visit) {
      const { workspace, user, address } = visit;
      const { user: target } = await getMember(queries, workspace.id, params.userId);
      const by = { actor: user, address };
      return makeResetLink(queries, parts.clock, parts.publicUrl(), { target, workspace, ...body }, by);
    },
  };
}

/** Admins manage members and admins; owners everybody. */
function mayManage({ role }: WorkspaceVisit, other: Role): void {
  if (!outranks(role, other)) throw ownersOnly();
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
