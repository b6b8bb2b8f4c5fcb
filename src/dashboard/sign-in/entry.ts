import { LoginThrottle } from "../../limits/login-throttle.ts";
import { Problem } from "../../platform/errors.ts";
import type { Visit } from "../context.ts";
import type { DashboardParts } from "../parts.ts";
import type { UserRecord } from "../tables.ts";
import type { SessionCookie } from "./cookie.ts";
import { isPassword } from "./hash-password.ts";
import { longestMs, type SessionStore } from "./sessions.ts";

/** What the ways in have in common. */
export interface Entry {
  readonly sessions: SessionStore;
  readonly throttle: LoginThrottle;
  /** Signs a browser in with a token that is new: one that somebody has put there before is worth nothing. */
  begin(user: UserRecord, visit: Visit): Promise<void>;
  end(visit: Visit): Promise<void>;
  /** Throws unless this is the password of whoever is signed in: a browser left open must not be enough. */
  confirm(user: UserRecord, password: string, visit: Visit, field: string): Promise<void>;
}

export function createEntry(
  { clock, database, cluster }: DashboardParts,
  sessions: SessionStore,
  cookie: SessionCookie,
): Entry {
  const throttle = new LoginThrottle(clock);
  throttle.share(cluster.bus, `${cluster.name}.sign-in`);
  const { queries } = database;

  async function endCurrent({ current }: Visit): Promise<void> {
    if (!current) return;
    await queries.transaction((transaction) =>
      sessions.end(transaction, current.user.id, { only: current.session.id }),
    );
  }

  return {
    sessions,
    throttle,
    async begin(user, visit) {
      await endCurrent(visit);
      const userAgent = visit.request.headers["user-agent"] ?? "";
      const { token } = await sessions.create(user, { address: visit.address, userAgent });
      visit.reply.header("set-cookie", cookie.write(token, Math.floor(longestMs / 1000)));
    },
    async end(visit) {
      await endCurrent(visit);
      visit.reply.header("set-cookie", cookie.clear());
    },
    async confirm(user, password, { address }, field) {
      throttle.attempt(user.email, address, true);
      if (!(await isPassword(password, user.passwordHash))) {
        throw new Problem("invalid_request", "This is not your present password.", {
          field,
          reason: "wrong_credentials",
        });
      }
      throttle.succeed(user.email, address);
    },
  };
}
