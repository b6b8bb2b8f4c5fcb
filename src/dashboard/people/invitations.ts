import { and, desc, eq } from "drizzle-orm";
import { audit } from "../../audit/audit.ts";
import { dayMs } from "../../platform/days.ts";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import type { Handlers, WorkspaceVisit } from "../context.ts";
import type { Role } from "../contract/fields.ts";
import type { Invitation } from "../contract/workspaces.ts";
import type { DashboardParts } from "../parts.ts";
import { createLink, linkPaths, type MadeLink } from "../sign-in/links.ts";
import { type AccessLink, accessLinks, memberships, users } from "../tables.ts";
import { mayInvite, ownersOnly } from "./authority.ts";

const mostOpen = 200;

type Mine = "listInvitations" | "createInvitation" | "resendInvitation" | "revokeInvitation";

export function invitationHandlers({ database, clock, publicUrl }: DashboardParts): Handlers<Mine> {
  const { queries } = database;

  function show(link: AccessLink, invitedBy: string): Invitation {
    return {
      id: link.id,
      email: link.email!,
      role: link.role!,
      invitedBy,
      createdAt: link.createdAt.toISOString(),
      expiresAt: link.expiresAt.toISOString(),
      isExpired: link.expiresAt.getTime() <= clock.now(),
    };
  }

  function showLink({ link, token }: MadeLink, { user }: WorkspaceVisit) {
    return { invitation: show(link, user.name), url: `${publicUrl()}${linkPaths.invitation}#${token}` };
  }

  function isOpen(workspaceId: string) {
    return and(eq(accessLinks.workspaceId, workspaceId), eq(accessLinks.kind, "invitation"));
  }

  async function take(transaction: Queries, visit: WorkspaceVisit, id: string): Promise<AccessLink> {
    const [found] = await transaction
      .delete(accessLinks)
      .where(and(isOpen(visit.workspace.id), eq(accessLinks.id, id)))
      .returning();
    if (!found) throw new Problem("not_found", "There is no such invitation.");
    await checkRole(transaction, visit, found.role!);
    return found;
  }

  return {
    async listInvitations(_input, { workspace }) {
      const rows = await queries
        .select({ link: accessLinks, invitedBy: users.name })
        .from(accessLinks)
        .leftJoin(users, eq(accessLinks.createdBy, users.id))
        .where(isOpen(workspace.id))
        .orderBy(desc(accessLinks.createdAt), accessLinks.id);
      return { invitations: rows.map(({ link, invitedBy }) => show(link, invitedBy ?? "")) };
    },

    async createInvitation({ body }, visit) {
      const { workspace, user, address } = visit;
      const { email, role, expiresInDays } = body;
      const made = await queries.transaction(async (transaction) => {
        await checkRole(transaction, visit, role);
        await refuseMember(transaction, workspace.id, email);
        // One link for one address: the newest.
        await transaction.delete(accessLinks).where(and(isOpen(workspace.id), eq(accessLinks.email, email)));
        const open = await transaction.select({ id: accessLinks.id }).from(accessLinks).where(isOpen(workspace.id));
        if (open.length >= mostOpen) {
          throw new Problem("conflict", `${mostOpen} invitations are open. Revoke some first.`);
        }
        const link = await createLink(transaction, clock, {
          kind: "invitation",
          termMs: expiresInDays * dayMs,
          workspaceId: workspace.id,
          email,
          role,
          createdBy: user.id,
        });
        const details = { role, expiresInDays };
        await audit(transaction, {
          action: "invitation-created",
          actor: user,
          workspace,
          target: email,
          details,
          address,
        });
        return link;
      });
      return showLink(made, visit);
    },

    async resendInvitation({ params }, visit) {
      const { workspace, user, address } = visit;
      const made = await queries.transaction(async (transaction) => {
        const old = await take(transaction, visit, params.invitationId);
        const link = await createLink(transaction, clock, {
          kind: "invitation",
          termMs: old.expiresAt.getTime() - old.createdAt.getTime(),
          workspaceId: workspace.id,
          email: old.email!,
          role: old.role!,
          createdBy: user.id,
        });
        await audit(transaction, { action: "invitation-resent", actor: user, workspace, target: old.email!, address });
        return link;
      });
      return showLink(made, visit);
    },

    async revokeInvitation({ params }, visit) {
      const { workspace, user, address } = visit;
      await queries.transaction(async (transaction) => {
        const old = await take(transaction, visit, params.invitationId);
        await audit(transaction, { action: "invitation-revoked", actor: user, workspace, target: old.email!, address });
      });
      return {};
    },
  };
}

async function checkRole(transaction: Queries, { workspace, user }: WorkspaceVisit, role: Role): Promise<void> {
  if (!(await mayInvite(transaction, user.id, workspace.id, role))) throw ownersOnly();
}

async function refuseMember(transaction: Queries, workspaceId: string, email: string): Promise<void> {
  const [member] = await transaction
    .select({ id: users.id })
    .from(memberships)
    .innerJoin(users, eq(memberships.userId, users.id))
    .where(and(eq(memberships.workspaceId, workspaceId), eq(users.email, email)));
  if (member) throw new Problem("conflict", `${email} is a member already.`, { field: "email" });
}
