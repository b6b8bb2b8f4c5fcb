import { eq } from "drizzle-orm";
import { audit } from "../../audit/audit.ts";
import { Problem } from "../../platform/errors.ts";
import { packageVersion } from "../../platform/package-root.ts";
import type { Handlers } from "../context.ts";
import type { User } from "../contract/session.ts";
import type { DashboardParts } from "../parts.ts";
import { listMemberships } from "../people/memberships.ts";
import { accessLinks, type UserRecord, users } from "../tables.ts";
import { choosePassword } from "./choose-password.ts";
import type { Entry } from "./entry.ts";
import { isPassword } from "./hash-password.ts";
import { noteFailures } from "./note-failures.ts";
import { isCode } from "./second-factor.ts";
import { isSetUp } from "./setup-link.ts";

type Mine =
  | "getStart"
  | "signIn"
  | "signOut"
  | "listSessions"
  | "revokeSession"
  | "revokeOtherSessions"
  | "updateProfile"
  | "changePassword";

export function sessionHandlers(parts: DashboardParts, entry: Entry): Handlers<Mine> {
  const { queries } = parts.database;
  const { sessions, throttle } = entry;
  const noteFailure = noteFailures(parts);
  return {
    async getStart(_input, { current }) {
      return {
        isSetUp: current !== undefined || (await isSetUp(queries)),
        user: current ? showUser(current.user) : null,
        workspaces: current ? await listMemberships(queries, current.user.id) : [],
        installation: { version: packageVersion(), publicUrl: parts.publicUrl(), services: parts.services },
      };
    },

    async signIn({ body }, visit) {
      const { email, password, code } = body;
      const found = await sessions.findForSignIn(email, visit.address);
      throttle.attempt(email, visit.address, found?.isKnownAddress ?? false);
      if (!(await isPassword(password, found?.user.passwordHash)) || !found) {
        const reason = found ? "wrong-password" : "no-account";
        noteFailure({ email, address: visit.address, user: found?.user, reason });
        throw new Problem("unauthorized", "The e-mail address or the password is wrong.", {
          reason: "wrong_credentials",
        });
      }
      const { user } = found;
      if (user.totpConfirmedAt) {
        if (!code) return { status: "second_factor_required" };
        if (!(await isCode(parts, user, code))) {
          noteFailure({ email, address: visit.address, user, reason: "wrong-code" });
          throw new Problem("unauthorized", "This code is wrong or was used already.", { reason: "wrong_code" });
        }
      }
      throttle.succeed(email, visit.address);
      await entry.begin(user, visit);
      await audit(queries, { action: "signed-in", actor: user, address: visit.address });
      return { status: "signed_in" };
    },

    async signOut(_input, visit) {
      await entry.end(visit);
      return {};
    },

    async listSessions(_input, { user, session }) {
      const all = await sessions.list(user.id);
      return {
        sessions: all.map((one) => ({
          id: one.id,
          createdAt: one.createdAt.toISOString(),
          lastSeenAt: one.lastSeenAt.toISOString(),
          expiresAt: one.expiresAt.toISOString(),
          address: one.address,
          userAgent: one.userAgent,
          isCurrent: one.id === session.id,
        })),
      };
    },

    async revokeSession({ params }, { user, address }) {
      await queries.transaction(async (transaction) => {
        const ended = await sessions.end(transaction, user.id, { only: params.sessionId });
        if (ended === 0) throw new Problem("not_found", "There is no such session.");
        await audit(transaction, { action: "session-revoked", actor: user, address });
      });
      return {};
    },

    async revokeOtherSessions(_input, { user, session, address }) {
      const revoked = await queries.transaction(async (transaction) => {
        const ended = await sessions.end(transaction, user.id, { allBut: session.id });
        await audit(transaction, { action: "session-revoked", actor: user, details: { sessions: ended }, address });
        return ended;
      });
      return { revoked };
    },

    async updateProfile({ body }, { user }) {
      const [changed] = await queries.update(users).set({ name: body.name }).where(eq(users.id, user.id)).returning();
      return showUser(changed!);
    },

    async changePassword({ body }, visit) {
      const { user, address } = visit;
      await entry.confirm(user, body.current, visit, "current");
      const passwordHash = await choosePassword(body.next, user, "next");
      await queries.transaction(async (transaction) => {
        await transaction.update(users).set({ passwordHash }).where(eq(users.id, user.id));
        await transaction.delete(accessLinks).where(eq(accessLinks.userId, user.id));
        await sessions.end(transaction, user.id, {});
        await audit(transaction, { action: "password-changed", actor: user, address });
      });
      await entry.begin(user, visit);
      return {};
    },
  };
}

function showUser({ id, name, email, totpConfirmedAt, isInstallationOwner }: UserRecord): User {
  return { id, name, email, hasSecondFactor: totpConfirmedAt !== null, isInstallationOwner };
}
