import { and, asc, eq, sql } from "drizzle-orm";
import { workspaces } from "../../accounts/tables.ts";
import type { Workspace } from "../../accounts/workspaces.ts";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import { type Role, roles } from "../contract/fields.ts";
import type { Membership } from "../contract/session.ts";
import { memberships, users } from "../tables.ts";

/** Whether a role is this one or higher. */
export function outranks(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

export async function findMembership(
  queries: Queries,
  workspaceId: string,
  userId: string,
): Promise<{ workspace: Workspace; role: Role } | undefined> {
  if (!/^\w{1,64}$/.test(workspaceId)) return undefined;
  const [found] = await queries
    .select({ workspace: workspaces, role: memberships.role })
    .from(memberships)
    .innerJoin(workspaces, eq(memberships.workspaceId, workspaces.id))
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, userId)));
  return found;
}

/** The role of a member, who stays one until the transaction has ended. */
export async function holdMembership(transaction: Queries, workspaceId: string, userId: string): Promise<Role> {
  const [found] = await transaction
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, userId)))
    .for("share");
  if (!found) throw new Problem("not_found", "There is no such workspace.");
  return found.role;
}

export function listMemberships(queries: Queries, userId: string): Promise<Membership[]> {
  return queries
    .select({ id: workspaces.id, name: workspaces.name, role: memberships.role })
    .from(memberships)
    .innerJoin(workspaces, eq(memberships.workspaceId, workspaces.id))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.joinedAt), asc(workspaces.id));
}

/** One member with the account behind it, or a 404. */
export async function getMember(queries: Queries, workspaceId: string, userId: string) {
  const [found] = await queries
    .select({ user: users, role: memberships.role, joinedAt: memberships.joinedAt })
    .from(memberships)
    .innerJoin(users, eq(memberships.userId, users.id))
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, userId)));
  if (!found) throw new Problem("not_found", "There is no such member.");
  return found;
}

/** Gives a member another role, or none. In a transaction: a workspace always keeps an owner, whatever happens at once. */
export async function setRole(
  transaction: Queries,
  workspaceId: string,
  userId: string,
  role: Role | undefined,
): Promise<void> {
  const isMember = and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, userId));
  const owners = await transaction
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.role, "owner")))
    .orderBy(sql`1`)
    .for("update");
  const isOwner = owners.some((owner) => owner.userId === userId);
  if (isOwner && role !== "owner" && owners.length === 1) {
    throw new Problem("conflict", "A workspace needs an owner. Make somebody else owner first.", {
      reason: "last_owner",
    });
  }
  if (role) await transaction.update(memberships).set({ role }).where(isMember);
  else await transaction.delete(memberships).where(isMember);
}
