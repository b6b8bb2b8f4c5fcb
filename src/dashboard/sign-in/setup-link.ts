import { eq } from "drizzle-orm";
import { audit, type By } from "../../audit/audit.ts";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import type { Queries } from "../../ports/database.ts";
import { mayReset } from "../people/authority.ts";
import { accessLinks, type UserRecord, users } from "../tables.ts";
import { createLink, linkPaths, resetTermMs, setupTermMs } from "./links.ts";

export async function isSetUp(queries: Queries): Promise<boolean> {
  return (await queries.select({ id: users.id }).from(users).limit(1)).length > 0;
}

/** The link by which the first person becomes the owner. A new one ends the one before. */
export async function createSetupLink(queries: Queries, clock: Clock, publicUrl: string, by: By = {}): Promise<string> {
  if (await isSetUp(queries)) {
    throw new Problem(
      "conflict",
      "This installation has its owner already. For a lost password: ./parlance users reset-link EMAIL",
    );
  }
  const { token } = await queries.transaction(async (transaction) => {
    await transaction.delete(accessLinks).where(eq(accessLinks.kind, "setup"));
    await audit(transaction, { action: "setup-link-created", ...by });
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
  by: By,
): Promise<ResetLink> {
  const [target] = await queries.select().from(users).where(eq(users.email, email.trim().toLowerCase()));
  if (!target) throw new Problem("not_found", `There is no account with the address "${email}".`);
  return makeResetLink(queries, clock, publicUrl, { target, removesSecondFactor }, by);
}

export function makeResetLink(
  queries: Queries,
  clock: Clock,
  publicUrl: string,
  { target, removesSecondFactor, workspace }: NewResetLink,
  by: By,
): Promise<ResetLink> {
  return queries.transaction(async (transaction) => {
    if (by.actor && !(await mayReset(transaction, by.actor.id, target))) {
      throw new Problem(
        "missing_scope",
        "This person has rights that you do not have, here or in another workspace. Ask the owner of the installation for the link.",
      );
    }
    const { link, token } = await createLink(transaction, clock, {
      kind: "reset",
      termMs: resetTermMs,
      userId: target.id,
      removesSecondFactor,
      ...(by.actor ? { createdBy: by.actor.id } : {}),
    });
    await audit(transaction, {
      action: "reset-link-created",
      ...by,
      ...(workspace ? { workspace } : {}),
      target: target.email,
      details: { removesSecondFactor },
    });
    return { url: `${publicUrl}${linkPaths.reset}#${token}`, expiresAt: link.expiresAt.toISOString() };
  });
}

interface NewResetLink {
  target: UserRecord;
  removesSecondFactor: boolean;
  workspace?: { id: string; name: string };
}

interface ResetLink {
  url: string;
  expiresAt: string;
}
