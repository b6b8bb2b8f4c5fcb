import { audit } from "../../audit/audit.ts";
import { MemoryStore } from "../../limits/memory-store.ts";
import { SlidingWindow } from "../../limits/sliding-window.ts";
import { networkOf } from "../../platform/client-address.ts";
import type { DashboardParts } from "../parts.ts";
import type { UserRecord } from "../tables.ts";

/** A guess: a person who tries to get in is seen, and a flood does not fill the disk. */
const perMinute = { fromOnePlace: 1, onAccounts: 60, onNobody: 60 };

export interface FailedSignIn {
  email: string;
  address: string;
  /** Whose account it is; undefined when there is none. */
  user: UserRecord | undefined;
  reason: "wrong-password" | "wrong-code" | "no-account";
}

/** Tells the audit log of failed sign-ins: for one account from one address once a minute, and never what was typed. */
export function noteFailures({ database, clock, log }: DashboardParts): (failed: FailedSignIn) => void {
  const window = new SlidingWindow(new MemoryStore(60_000, clock));
  const note = async ({ email, address, user, reason }: FailedSignIn): Promise<void> => {
    if (!(await window.take(`${networkOf(address)} ${email}`, perMinute.fromOnePlace)).isAllowed) return;
    // Guesses at names must not use up the lines about accounts that exist.
    const [kind, most] = user
      ? (["accounts", perMinute.onAccounts] as const)
      : (["nobody", perMinute.onNobody] as const);
    if (!(await window.take(kind, most)).isAllowed) return;
    const target = user ? { target: user.email } : {};
    await audit(database.queries, { action: "sign-in-failed", address, ...target, details: { reason } });
  };
  // Behind the reply: how long it takes must not tell whether there is an account.
  return (failed) => {
    note(failed).catch((error) => log.warn({ error: String(error) }, "a failed sign-in is not in the audit log"));
  };
}
