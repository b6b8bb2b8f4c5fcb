import { and, asc, count, eq, gt, inArray, isNull, or } from "drizzle-orm";
import { apiKeys } from "../../accounts/tables.ts";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import type { Departure, KeysChoice } from "../contract/workspaces.ts";
import { accessLinks, memberships, userSessions, users } from "../tables.ts";
import { endLinks } from "./authority.ts";
import { setRole } from "./memberships.ts";

/** What hangs on a member: the links end with the membership, of the keys somebody must say what becomes of them. */
export async function readDeparture(
  queries: Queries,
  workspaceId: string,
  userId: string,
  now: Date,
): Promise<Departure> {
  const isOpen = and(eq(accessLinks.createdBy, userId), gt(accessLinks.expiresAt, now));
  const [invited] = await queries
    .select({ count: count() })
    .from(accessLinks)
    .where(and(isOpen, eq(accessLinks.kind, "invitation"), eq(accessLinks.workspaceId, workspaceId)));
  const [resets] = await queries
    .select({ count: count() })
    .from(accessLinks)
    .innerJoin(memberships, eq(memberships.userId, accessLinks.userId))
    .innerJoin(users, eq(users.id, accessLinks.createdBy))
    // The owner of the installation may reset everybody, from inside and from outside.
    .where(and(isOpen, eq(memberships.workspaceId, workspaceId), eq(users.isInstallationOwner, false)));
  const keys = await queries
    .select({ id: apiKeys.id, name: apiKeys.name, hint: apiKeys.hint, lastUsedAt: apiKeys.lastUsedAt })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.workspaceId, workspaceId),
        eq(apiKeys.createdBy, userId),
        isNull(apiKeys.sessionId),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
      ),
    )
    .orderBy(asc(apiKeys.createdAt), apiKeys.id);
  return {
    invitations: invited!.count,
    links: resets!.count,
    keys: keys.map((key) => ({ ...key, lastUsedAt: key.lastUsedAt?.toISOString() ?? null })),
  };
}

/** Ends a membership and all that hangs on it. Keys may run in production, so that nothing happens until somebody says what becomes of
 *  them: `end`, or `transfer` to the heir. Returns what the audit log is told. */
export async function endMembership(
  transaction: Queries,
  {
    workspaceId,
    userId,
    keys,
    heir,
  }: { workspaceId: string; userId: string; keys?: KeysChoice | undefined; heir?: string | undefined },
  now: Date,
) {
  await setRole(transaction, workspaceId, userId, undefined);
  const departure = await readDeparture(transaction, workspaceId, userId, now);
  const ids = departure.keys.map(({ id }) => id);
  if (ids.length > 0 && keys === undefined) throw undecided(departure);
  if (ids.length > 0) {
    const change =
      keys === "end" ? { revokedAt: now } : { createdBy: heir ?? (await findHeir(transaction, workspaceId)) };
    await transaction.update(apiKeys).set(change).where(inArray(apiKeys.id, ids));
  }
  await revokePlaygroundKeys(transaction, workspaceId, userId, now);
  const ended = await endLinks(transaction, userId);
  return { ...ended, ...(ids.length > 0 ? { keys, keyIds: ids } : {}) };
}

/** Whoever has been owner for longest. */
async function findHeir(transaction: Queries, workspaceId: string): Promise<string> {
  const [owner] = await transaction
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.role, "owner")))
    .orderBy(asc(memberships.joinedAt), memberships.userId);
  return owner!.userId;
}

/** The keys of the playground that somebody has made here die with the membership. */
async function revokePlaygroundKeys(
  transaction: Queries,
  workspaceId: string,
  userId: string,
  now: Date,
): Promise<void> {
  const own = transaction.select({ id: userSessions.id }).from(userSessions).where(eq(userSessions.userId, userId));
  await transaction
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.workspaceId, workspaceId), inArray(apiKeys.sessionId, own), isNull(apiKeys.revokedAt)));
}

function undecided({ invitations, links, keys }: Departure): Problem {
  const counts = [some(invitations, "invitation"), some(links, "link"), some(keys.length, "key")];
  const hangs = counts.filter((text) => text !== "").join(", ");
  return new Problem(
    "conflict",
    `On this person hang: ${hangs}. Links end; keys may be in use, so say what becomes of them: keys=end or keys=transfer.`,
    { reason: "keys_undecided", field: "keys" },
  );
}

function some(count: number, thing: string): string {
  return count === 0 ? "" : `${count} ${thing}${count === 1 ? "" : "s"}`;
}
