import { and, arrayContains, eq, lt, sql } from "drizzle-orm";
import { audit } from "../../audit/audit.ts";
import { Problem } from "../../platform/errors.ts";
import { hashSecret, newId } from "../../platform/ids.ts";
import type { Handlers, UserVisit } from "../context.ts";
import type { DashboardParts } from "../parts.ts";
import { type UserRecord, users } from "../tables.ts";
import type { Entry } from "./entry.ts";
import { findStep, newTotpSecret, totpUri } from "./totp.ts";

const recoveryCodeCount = 10;

type Mine = "beginSecondFactor" | "confirmSecondFactor" | "removeSecondFactor" | "renewRecoveryCodes";

export function secondFactorHandlers(parts: DashboardParts, entry: Entry): Handlers<Mine> {
  const { secrets, clock } = parts;
  const { queries } = parts.database;

  /** Password and code: what protects the account can only be changed by whoever has both. */
  async function confirmBoth(visit: UserVisit, { password, code }: { password: string; code: string }): Promise<void> {
    const { user, address } = visit;
    if (!user.totpConfirmedAt) throw new Problem("conflict", "This account has no second factor.");
    await entry.confirm(user, password, visit, "password");
    entry.throttle.attempt(user.email, address, true);
    if (!(await isCode(parts, user, code))) throw wrongCode();
    entry.throttle.succeed(user.email, address);
  }

  return {
    async beginSecondFactor({ body }, visit) {
      const { user } = visit;
      if (user.totpConfirmedAt) throw new Problem("conflict", "This account has a second factor. Remove it first.");
      await entry.confirm(user, body.password, visit, "password");
      const secret = newTotpSecret();
      const totpSecret = secrets.seal(purpose, secret);
      await queries.update(users).set({ totpSecret, totpStep: 0 }).where(eq(users.id, user.id));
      return { secret, uri: totpUri(secret, user.email, "Parlance") };
    },

    async confirmSecondFactor({ body }, { user, address }) {
      if (!user.totpSecret || user.totpConfirmedAt)
        throw new Problem("conflict", "Begin with a new second factor first.");
      entry.throttle.attempt(user.email, address, true);
      const step = stepOf(parts, user, body.code);
      if (step === undefined) throw wrongCode();
      entry.throttle.succeed(user.email, address);
      const { codes, hashes } = newRecoveryCodes();
      await queries.transaction(async (transaction) => {
        await transaction
          .update(users)
          .set({ totpConfirmedAt: new Date(clock.now()), totpStep: step, recoveryHashes: hashes })
          .where(eq(users.id, user.id));
        await audit(transaction, { action: "second-factor-added", actor: user, address });
      });
      return { recoveryCodes: codes };
    },

    async removeSecondFactor({ body }, visit) {
      const { user, address } = visit;
      await confirmBoth(visit, body);
      await queries.transaction(async (transaction) => {
        await transaction.update(users).set(withoutSecondFactor).where(eq(users.id, user.id));
        await audit(transaction, { action: "second-factor-removed", actor: user, address });
      });
      return {};
    },

    async renewRecoveryCodes({ body }, visit) {
      const { user, address } = visit;
      await confirmBoth(visit, body);
      const { codes, hashes } = newRecoveryCodes();
      await queries.transaction(async (transaction) => {
        await transaction.update(users).set({ recoveryHashes: hashes }).where(eq(users.id, user.id));
        await audit(transaction, { action: "recovery-codes-renewed", actor: user, address });
      });
      return { recoveryCodes: codes };
    },
  };
}

export const withoutSecondFactor = { totpSecret: null, totpConfirmedAt: null, totpStep: 0, recoveryHashes: [] };

/** Whether this is the account's present code or one of its recovery codes. Uses it up: of two at once, one is right. */
export async function isCode(parts: DashboardParts, user: UserRecord, code: string): Promise<boolean> {
  const { queries } = parts.database;
  const step = stepOf(parts, user, code);
  if (step !== undefined) {
    const isUnused = and(eq(users.id, user.id), lt(users.totpStep, step));
    const used = await queries.update(users).set({ totpStep: step }).where(isUnused).returning({ id: users.id });
    return used.length > 0;
  }
  const hash = hashRecoveryCode(code);
  const used = await queries
    .update(users)
    .set({ recoveryHashes: sql`array_remove(${users.recoveryHashes}, ${hash})` })
    .where(and(eq(users.id, user.id), arrayContains(users.recoveryHashes, [hash])))
    .returning({ id: users.id });
  return used.length > 0;
}

/** Without the installation's key there is no right code; a recovery code still is one. */
function stepOf({ secrets, clock, log }: DashboardParts, user: UserRecord, code: string): number | undefined {
  const secret = user.totpSecret === null ? undefined : secrets.open(purpose, user.totpSecret);
  if (secret === undefined && user.totpSecret !== null)
    log.error(
      { user: user.id },
      "a second factor was sealed with another installation key; was one restored without its keys?",
    );
  return secret === undefined ? undefined : findStep(secret, code, clock.now(), user.totpStep);
}

const purpose = "second-factor";

/** Ten characters of 36 are 51 bits, and the throttle lets a handful of guesses through: a plain hash is enough. */
function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    newId("", 10)
      .toLowerCase()
      .replace(/^(.{5})/, "$1-"),
  );
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

function hashRecoveryCode(code: string): string {
  return hashSecret(code.toLowerCase().replace(/[^a-z0-9]/g, ""));
}

function wrongCode(): Problem {
  return new Problem("invalid_request", "This code is wrong or was used already.", {
    field: "code",
    reason: "wrong_code",
  });
}
