import { eq } from "drizzle-orm";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import { accessLinks, users } from "../tables.ts";
import { createLink, linkPaths, resetTermMs, setupTermMs } from "./links.ts";

export async function isSetUp(queries: Queries): Promise<boolean> {
  return (await queries.select({ id: users.id }).from(users).limit(1)).length > 0;
}

/** The link by which the first person becomes the owner. A new one ends the one before. */
export async function createSetupLink(queries: Queries, clock: Clock, publicUrl: string): Promise<string> {
  if (await isSetUp(queries)) {
    throw new Problem(
      "conflict",
      "This installation has its owner already. For a lost password: ./parlance users reset-link EMAIL",
    );
  }
  const { token } = await queries.transaction(async (transaction) => {
    await transaction.delete(accessLinks).where(eq(accessLinks.kind, "setup"));
    return createLink(transaction, clock, { kind: "setup", termMs: setupTermMs });
  });
  return `${publicUrl}${linkPaths.setup}#${token}`;
}

/** For whoever has the machine: the account's next password, by its address. */
export async function createResetLinkFor(
  queries: Queries,
  clock: Clock,
  publicUrl: string,
  { email, removesSecondFactor }: { email: string; removesSecondFactor: boolean },
): Promise<{ url: string; expiresAt: string }> {
  const [user] = await queries.select().from(users).where(eq(users.email, email.trim().toLowerCase()));
  if (!user) throw new Problem("not_found", `There is no account with the address "${email}".`);
  return makeResetLink(queries, clock, publicUrl, { userId: user.id, removesSecondFactor });
}

export async function makeResetLink(
  queries: Queries,
  clock: Clock,
  publicUrl: string,
  wanted: { userId: string; removesSecondFactor: boolean; createdBy?: string },
): Promise<{ url: string; expiresAt: string }> {
  const { link, token } = await createLink(queries, clock, { kind: "reset", termMs: resetTermMs, ...wanted });
  return { url: `${publicUrl}${linkPaths.reset}#${token}`, expiresAt: link.expiresAt.toISOString() };
}
