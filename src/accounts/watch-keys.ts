import { and, gt, inArray, isNull, or } from "drizzle-orm";
import type { Clock } from "../platform/clock.ts";
import type { Queries } from "../ports/database.ts";
import { apiKeys } from "./tables.ts";

/** A revoked key must be refused within a second everywhere; open streams are no exception. */
const everyMs = 500;

/** Ends what was opened with a key when the key is revoked or expires. */
export interface KeyWatch {
  /** Calls back once when the key is no longer good. Returns how to stop watching. */
  watch(keyId: string, onRevoked: () => void): () => void;
  close(): void;
}

/** One query every half second for all open streams and calls, and none while there are none. */
export function createKeyWatch(queries: Queries, clock: Clock): KeyWatch {
  const watched = new Map<string, Set<() => void>>();
  let isAsking = false;
  const timer = setInterval(() => {
    if (watched.size === 0 || isAsking) return;
    isAsking = true;
    // While the database is away nothing is known to be revoked; the next look tells.
    check()
      .catch(() => {})
      .finally(() => {
        isAsking = false;
      });
  }, everyMs);
  timer.unref();

  async function check(): Promise<void> {
    const ids = [...watched.keys()];
    const isGood = and(
      inArray(apiKeys.id, ids),
      isNull(apiKeys.revokedAt),
      or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, new Date(clock.now()))),
    );
    const good = new Set((await queries.select({ id: apiKeys.id }).from(apiKeys).where(isGood)).map(({ id }) => id));
    for (const id of ids) {
      if (good.has(id)) continue;
      for (const tell of watched.get(id) ?? []) tell();
      watched.delete(id);
    }
  }

  return {
    watch(keyId, onRevoked) {
      const tells = watched.get(keyId) ?? new Set();
      watched.set(keyId, tells.add(onRevoked));
      return () => {
        tells.delete(onRevoked);
        if (tells.size === 0 && watched.get(keyId) === tells) watched.delete(keyId);
      };
    },
    close: () => clearInterval(timer),
  };
}
