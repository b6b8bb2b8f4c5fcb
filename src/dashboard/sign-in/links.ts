import { and, eq, gt, lt, ne } from "drizzle-orm";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import { hashSecret, newId } from "../../platform/ids.ts";
import type { Queries } from "../../ports/database.ts";
import { mayMake } from "../people/authority.ts";
import { type AccessLink, accessLinks } from "../tables.ts";

const tokenLength = 43;
const minuteMs = 60_000;

/** PocketBase's half hour: long enough to copy it, too short to be found in a log later. */
export const setupTermMs = 30 * minuteMs;
/** An admin makes it while the person waits. */
export const resetTermMs = 24 * 60 * minuteMs;

export const linkPaths = { setup: "/setup", invitation: "/invite", reset: "/reset" } as const;

export interface NewLink extends Pick<AccessLink, "kind"> {
  termMs: number;
  workspaceId?: string;
  userId?: string;
  email?: string;
  role?: AccessLink["role"];
  removesSecondFactor?: boolean;
  createdBy?: string;
}

export interface MadeLink {
  link: AccessLink;
  /** What comes after the # of its address; only its hash is stored. */
  token: string;
}

export async function createLink(queries: Queries, clock: Clock, wanted: NewLink): Promise<MadeLink> {
  const { termMs, ...rest } = wanted;
  const token = newId("", tokenLength);
  // Expired invitations stay in their list; nobody looks at the others any more.
  const isOver = and(ne(accessLinks.kind, "invitation"), lt(accessLinks.expiresAt, new Date(clock.now())));
  await queries.delete(accessLinks).where(isOver);
  const [link] = await queries
    .insert(accessLinks)
    .values({ id: newId("lnk_"), hash: hashSecret(token), expiresAt: new Date(clock.now() + termMs), ...rest })
    .returning();
  return { link: link!, token };
}

/** The link of a token, as long as it is good: not over, and still in the power of whoever made it. */
export async function getLink(
  queries: Queries,
  clock: Clock,
  kind: AccessLink["kind"],
  token: string,
): Promise<AccessLink> {
  const [found] = await queries
    .select()
    .from(accessLinks)
    .where(isGood(clock, kind, token));
  if (!found || !(await mayMake(queries, found))) throw expired();
  return found;
}

/** The same, for the one who uses it up: of two at once, one gets it. */
export async function takeLink(
  queries: Queries,
  clock: Clock,
  kind: AccessLink["kind"],
  token: string,
): Promise<AccessLink> {
  const [taken] = await queries
    .delete(accessLinks)
    .where(isGood(clock, kind, token))
    .returning();
  if (!taken || !(await mayMake(queries, taken))) throw expired();
  return taken;
}

function isGood(clock: Clock, kind: AccessLink["kind"], token: string) {
  return and(
    eq(accessLinks.hash, hashSecret(token)),
    eq(accessLinks.kind, kind),
    gt(accessLinks.expiresAt, new Date(clock.now())),
  );
}

function expired(): Problem {
  return new Problem("not_found", "This link is used up or has expired. Ask for a new one.", {
    reason: "link_expired",
  });
}
