import { and, asc, eq } from "drizzle-orm";
import { workspaces } from "../../accounts/tables.ts";
import { audit } from "../../audit/audit.ts";
import { Problem } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { Queries } from "../../ports/database.ts";
import type { Handlers, Visit } from "../context.ts";
import type { DashboardParts } from "../parts.ts";
import { type AccessLink, accessLinks, memberships, type UserRecord, users } from "../tables.ts";
import { choosePassword } from "./choose-password.ts";
import type { Entry } from "./entry.ts";
import { getLink, takeLink } from "./links.ts";
import { withoutSecondFactor } from "./second-factor.ts";
import { isSetUp } from "./setup-link.ts";

type Mine = "checkSetupLink" | "setUp" | "checkInvitation" | "acceptInvitation" | "checkResetLink" | "resetPassword";

/** What the three kinds of links do. Each works once. */
export function linkHandlers({ database, clock }: DashboardParts, entry: Entry): Handlers<Mine> {
  const { queries } = database;

  async function findUser(email: string | null): Promise<UserRecord | undefined> {
    const [found] = await queries
      .select()
      .from(users)
      .where(eq(users.email, email ?? ""));
    return found;
  }

  async function getInvitation(token: string) {
    const link = await getLink(queries, clock, "invitation", token);
    const [workspace] = await queries.select().from(workspaces).where(eq(workspaces.id, link.workspaceId!));
    return { link, workspace: workspace! };
  }

  async function newUser(
    link: AccessLink,
    { name, password }: { name?: string | undefined; password?: string | undefined },
  ) {
    if (await findUser(link.email)) {
      throw new Problem("conflict", "There is an account with this address. Sign in to accept the invitation.", {
        reason: "sign_in_first",
      });
    }
    if (!name) throw new Problem("invalid_request", '"name" is required.', { field: "name" });
    if (!password) throw new Problem("invalid_request", '"password" is required.', { field: "password" });
    const about = { name, email: link.email! };
    return { id: newId("usr_"), ...about, passwordHash: await choosePassword(password, about, "password") };
  }

  return {
    async checkSetupLink({ body }) {
      const link = await getLink(queries, clock, "setup", body.token);
      return { expiresAt: link.expiresAt.toISOString() };
    },

    async setUp({ body }, visit) {
      await getLink(queries, clock, "setup", body.token);
      const passwordHash = await choosePassword(body.password, body, "password");
      const user = await queries.transaction(async (transaction) => {
        await takeLink(transaction, clock, "setup", body.token);
        if (await isSetUp(transaction)) throw new Problem("conflict", "This installation has its owner already.");
        const [first] = await transaction
          .select()
          .from(workspaces)
          .orderBy(asc(workspaces.createdAt), asc(workspaces.id));
        const { name, email } = body;
        const made = await insertUser(transaction, {
          id: newId("usr_"),
          name,
          email,
          passwordHash,
          isInstallationOwner: true,
        });
        if (first)
          await transaction.insert(memberships).values({ workspaceId: first.id, userId: made.id, role: "owner" });
        await audit(transaction, {
          action: "installation-set-up",
          actor: made,
          ...(first ? { workspace: first } : {}),
          address: visit.address,
        });
        return made;
      });
      await entry.begin(user, visit);
      return {};
    },

    async checkInvitation({ body }) {
      const { link, workspace } = await getInvitation(body.token);
      const [inviter] = link.createdBy ? await queries.select().from(users).where(eq(users.id, link.createdBy)) : [];
      return {
        workspace: workspace.name,
        role: link.role!,
        email: link.email!,
        invitedBy: inviter?.name ?? "",
        expiresAt: link.expiresAt.toISOString(),
        hasAccount: (await findUser(link.email)) !== undefined,
      };
    },

    async acceptInvitation({ body }, visit) {
      const { link, workspace } = await getInvitation(body.token);
      const { current, address } = visit;
      if (current && current.user.email !== link.email) {
        throw new Problem(
          "missing_scope",
          `This invitation is for ${link.email}. Sign out first, or ask for one of your own.`,
        );
      }
      const wanted = current ? undefined : await newUser(link, body);
      const user = await queries.transaction(async (transaction) => {
        const taken = await takeLink(transaction, clock, "invitation", body.token);
        const joined = current?.user ?? (await insertUser(transaction, wanted!));
        await transaction
          .insert(memberships)
          .values({ workspaceId: workspace.id, userId: joined.id, role: taken.role! })
          .onConflictDoNothing();
        const details = { role: taken.role! };
        await audit(transaction, {
          action: "member-joined",
          actor: joined,
          workspace,
          target: joined.email,
          details,
          address,
        });
        return joined;
      });
      if (!current) await entry.begin(user, visit);
      return { workspaceId: workspace.id };
    },

    async checkResetLink({ body }) {
      const link = await getLink(queries, clock, "reset", body.token);
      const [user] = await queries.select().from(users).where(eq(users.id, link.userId!));
      return { email: user!.email, expiresAt: link.expiresAt.toISOString() };
    },

    async resetPassword({ body }, visit: Visit) {
      const link = await getLink(queries, clock, "reset", body.token);
      const [user] = await queries.select().from(users).where(eq(users.id, link.userId!));
      const passwordHash = await choosePassword(body.password, user!, "password");
      await queries.transaction(async (transaction) => {
        const taken = await takeLink(transaction, clock, "reset", body.token);
        const change = { passwordHash, ...(taken.removesSecondFactor ? withoutSecondFactor : {}) };
        await transaction.update(users).set(change).where(eq(users.id, user!.id));
        await transaction
          .delete(accessLinks)
          .where(and(eq(accessLinks.userId, user!.id), eq(accessLinks.kind, "reset")));
        await entry.sessions.end(transaction, user!.id, {});
        const [maker] = taken.createdBy
          ? await transaction.select().from(users).where(eq(users.id, taken.createdBy))
          : [];
        const details = { linkBy: maker?.email ?? "command line", removesSecondFactor: taken.removesSecondFactor };
        await audit(transaction, { action: "password-reset", actor: user!, details, address: visit.address });
      });
      return {};
    },
  };
}

/** Two who use the same address at once: one gets it. */
async function insertUser(transaction: Queries, wanted: typeof users.$inferInsert): Promise<UserRecord> {
  const [made] = await transaction.insert(users).values(wanted).onConflictDoNothing().returning();
  if (!made)
    throw new Problem("conflict", "There is an account with this address. Sign in.", { reason: "sign_in_first" });
  return made;
}
