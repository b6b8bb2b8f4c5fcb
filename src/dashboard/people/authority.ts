import { eq } from "drizzle-orm";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import type { Role } from "../contract/fields.ts";
import { type AccessLink, accessLinks, memberships, type UserRecord, users } from "../tables.ts";
import { outranks } from "./memberships.ts";

/** Whether somebody may make this link now. Asked when it is made, and again when it is used: who has left or has a lower role since
 *  has no part in it any more, and who has risen since is out of its reach. */
export async function mayMake(queries: Queries, link: AccessLink): Promise<boolean> {
  const { kind, createdBy, workspaceId, role, userId } = link;
  if (kind === "setup") return true;
  if (kind === "invitation") return createdBy !== null && mayInvite(queries, createdBy, workspaceId!, role!);
  // Whoever has the machine made it on the command line.
  if (createdBy === null) return true;
  const [target] = await queries.select().from(users).where(eq(users.id, userId!));
  return target !== undefined && mayReset(queries, createdBy, target);
}

/** Admins manage members and admins; owners everybody. */
export async function mayInvite(queries: Queries, by: string, workspaceId: string, role: Role): Promise<boolean> {
  const own = (await rolesOf(queries, by)).get(workspaceId);
  return own !== undefined && outranks(own, "admin") && outranks(own, role);
}

/** Whoever makes a reset link can become that person. So it takes at least their rank in every workspace they belong to. */
export async function mayReset(queries: Queries, by: string, target: UserRecord): Promise<boolean> {
  const [maker] = await queries.select().from(users).where(eq(users.id, by));
  if (!maker) return false;
  if (maker.isInstallationOwner) return true;
  if (target.isInstallationOwner) return false;
  const own = await rolesOf(queries, by);
  const theirs = [...(await rolesOf(queries, target.id))];
  // Somebody who belongs nowhere any more is nobody's to reset but the owner's of the installation.
  if (theirs.length === 0) return false;
  return theirs.every(([id, role]) => {
    const mine = own.get(id);
    return mine !== undefined && outranks(mine, "admin") && outranks(mine, role);
  });
}

/** Ends the links that somebody has made and may not make any more. Returns how many of each kind. */
export async function endLinks(transaction: Queries, userId: string): Promise<{ invitations: number; links: number }> {
  const made = await transaction.select().from(accessLinks).where(eq(accessLinks.createdBy, userId));
  const ended = { invitations: 0, links: 0 };
  for (const link of made) {
    if (await mayMake(transaction, link)) continue;
    await transaction.delete(accessLinks).where(eq(accessLinks.id, link.id));
    ended[link.kind === "invitation" ? "invitations" : "links"] += 1;
  }
  return ended;
}

export function ownersOnly(): Problem {
  return new Problem("missing_scope", "Only owners make, change and remove owners.");
}

/** By workspace. Held until the end of the transaction, so that who is removed at this moment is removed before or after. */
async function rolesOf(queries: Queries, userId: string): Promise<Map<string, Role>> {
  const rows = await queries
    .select({ workspaceId: memberships.workspaceId, role: memberships.role })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(memberships.workspaceId)
    .for("share");
  return new Map(rows.map(({ workspaceId, role }) => [workspaceId, role]));
}
