import { and, eq, exists, gt, inArray, isNull, lt, ne, sql } from "drizzle-orm";
import { apiKeys } from "../../accounts/tables.ts";
import type { Clock } from "../../platform/clock.ts";
import { dayMs } from "../../platform/days.ts";
import { hashSecret, newId } from "../../platform/ids.ts";
import { storableText } from "../../platform/storable.ts";
import type { Queries } from "../../ports/database.ts";
import type { SignedIn } from "../context.ts";
import { type SessionRecord, type UserRecord, userSessions, users } from "../tables.ts";

/** A browser that is not used for so long is signed out, and every browser after so long. */
const idleMs = 14 * dayMs;
export const longestMs = 30 * dayMs;
/** Ended sessions are kept for as long as their addresses count as known. */
const keptMs = 90 * dayMs;
const seenEveryMs = 60_000;
/** 43 characters of 62 are 256 bits. */
const tokenLength = 43;

export interface SessionStore {
  /** Whoever holds this token. */
  find(token: string): Promise<SignedIn | undefined>;
  create(user: UserRecord, from: { address: string; userAgent: string }): Promise<{ token: string; id: string }>;
  list(userId: string): Promise<SessionRecord[]>;
  /** Ends sessions of a user, and the playground keys made in them. Returns how many. */
  end(queries: Queries, userId: string, which: { only?: string; allBut?: string }): Promise<number>;
  /** The account of an address, and whether it has signed in from here before: one question, whoever exists. */
  findForSignIn(email: string, address: string): Promise<{ user: UserRecord; isKnownAddress: boolean } | undefined>;
}

export function createSessionStore(queries: Queries, clock: Clock): SessionStore {
  const isAlive = () =>
    and(
      isNull(userSessions.endedAt),
      gt(userSessions.expiresAt, new Date(clock.now())),
      gt(userSessions.lastSeenAt, new Date(clock.now() - idleMs)),
    );

  return {
    async find(token) {
      if (!/^\w{43}$/.test(token)) return undefined;
      const [found] = await queries
        .select()
        .from(userSessions)
        .innerJoin(users, eq(userSessions.userId, users.id))
        .where(and(eq(userSessions.hash, hashSecret(token)), isAlive()));
      if (!found) return undefined;
      const { user_sessions: session, users: user } = found;
      if (clock.now() - session.lastSeenAt.getTime() > seenEveryMs) {
        await queries
          .update(userSessions)
          .set({ lastSeenAt: new Date(clock.now()) })
          .where(eq(userSessions.id, session.id));
      }
      return { session, user };
    },

    async create(user, { address, userAgent }) {
      const token = newId("", tokenLength);
      const now = clock.now();
      const id = newId("ses_");
      await queries.insert(userSessions).values({
        id,
        hash: hashSecret(token),
        userId: user.id,
        createdAt: new Date(now),
        lastSeenAt: new Date(now),
        expiresAt: new Date(now + longestMs),
        address,
        userAgent: storableText(userAgent, 300),
      });
      await queries.delete(userSessions).where(lt(userSessions.createdAt, new Date(now - keptMs)));
      return { token, id };
    },

    list(userId) {
      return queries
        .select()
        .from(userSessions)
        .where(and(eq(userSessions.userId, userId), isAlive()))
        .orderBy(sql`${userSessions.lastSeenAt} DESC`, userSessions.id);
    },

    async end(transaction, userId, { only, allBut }) {
      const ended = await transaction
        .update(userSessions)
        .set({ endedAt: new Date(clock.now()) })
        .where(
          and(
            eq(userSessions.userId, userId),
            isNull(userSessions.endedAt),
            only ? eq(userSessions.id, only) : undefined,
            allBut ? ne(userSessions.id, allBut) : undefined,
          ),
        )
        .returning({ id: userSessions.id });
      const ids = ended.map(({ id }) => id);
      if (ids.length > 0) {
        await transaction
          .update(apiKeys)
          .set({ revokedAt: new Date(clock.now()) })
          .where(and(inArray(apiKeys.sessionId, ids), isNull(apiKeys.revokedAt)));
      }
      return ids.length;
    },

    async findForSignIn(email, address) {
      const [found] = await queries
        .select({
          user: users,
          isKnownAddress: sql<boolean>`${exists(
            queries
              .select({ id: userSessions.id })
              .from(userSessions)
              .where(and(eq(userSessions.userId, users.id), eq(userSessions.address, address))),
          )}`,
        })
        .from(users)
        .where(eq(users.email, email));
      return found;
    },
  };
}
