import { eq, inArray } from "drizzle-orm";
import type { Clock } from "../platform/clock.ts";
import { hashSecret } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import type { Scope } from "./scopes.ts";
import { apiKeys, workspaces } from "./tables.ts";
import type { Workspace } from "./workspaces.ts";

/** Who is calling, as every slice sees it. */
export interface Caller {
  keyId: string;
  scopes: ReadonlySet<Scope>;
  ratePerMinute: number | null;
  workspace: Workspace;
}

/** A revoked key must be refused within a second everywhere, so nothing is believed for longer than this. */
const freshMs = 500;
/** A key in use is read again before that, so that no request of a busy key waits for the database. */
const renewMs = 250;
const lastUsedEveryMs = 60_000;
const mostEntries = 10_000;

type Known = (Caller & { expiresAtMs: number | undefined }) | undefined;

interface Entry {
  known: Known;
  /** When the read began that `known` comes from. */
  readAtMs: number;
  reading: Promise<Known> | undefined;
}

export interface KeyVerifier {
  /** Undefined for a key that is unknown, revoked or expired. At once for a key that was read a moment ago. */
  verify(key: string): Caller | undefined | Promise<Caller | undefined>;
  /** Writes down when keys were last used. */
  flush(): Promise<void>;
}

/** Looks keys up by their hash and remembers the answer for half a second, so that a busy key costs four reads a second. */
export function createKeyVerifier(queries: Queries, clock: Clock): KeyVerifier {
  const entries = new Map<string, Entry>();
  /** Of keys seen in the last half second, so that a busy one is not hashed for every request. */
  let hashes = new Map<string, string>();
  let hashedAtMs = clock.now();
  const used = new Map<string, number>();
  let flushedAtMs = clock.now();

  function verify(key: string): Caller | undefined | Promise<Caller | undefined> {
    const now = clock.now();
    const hash = hashOf(key, now);
    const entry = entries.get(hash);
    const ageMs = entry ? now - entry.readAtMs : Number.POSITIVE_INFINITY;
    if (!entry || ageMs >= freshMs) return readAgain(hash, entry, now).then(admit);
    if (ageMs >= renewMs) readAgain(hash, entry, now).catch(() => {});
    return admit(entry.known);
  }

  function hashOf(key: string, now: number): string {
    if (now - hashedAtMs > freshMs || hashes.size >= mostEntries) {
      hashes = new Map();
      hashedAtMs = now;
    }
    let hash = hashes.get(key);
    if (hash === undefined) {
      hash = hashSecret(key);
      hashes.set(key, hash);
    }
    return hash;
  }

  function readAgain(hash: string, entry: Entry | undefined, now: number): Promise<Known> {
    if (entry?.reading) return entry.reading;
    const renewed = entry ?? { known: undefined, readAtMs: Number.NEGATIVE_INFINITY, reading: undefined };
    if (!entry) {
      if (entries.size >= mostEntries) entries.clear();
      entries.set(hash, renewed);
    }
    renewed.reading = read(hash).then(
      (known) => {
        renewed.reading = undefined;
        renewed.known = known;
        renewed.readAtMs = now;
        return known;
      },
      (error) => {
        // A failed read must not be remembered: the next request asks again.
        renewed.reading = undefined;
        throw error;
      },
    );
    return renewed.reading;
  }

  function admit(known: Known): Caller | undefined {
    const now = clock.now();
    if (!known || (known.expiresAtMs !== undefined && known.expiresAtMs <= now)) return undefined;
    used.set(known.keyId, now);
    if (now - flushedAtMs > lastUsedEveryMs) flush().catch(() => {});
    return known;
  }

  async function read(hash: string): Promise<Known> {
    const [row] = await queries
      .select()
      .from(apiKeys)
      .innerJoin(workspaces, eq(apiKeys.workspaceId, workspaces.id))
      .where(eq(apiKeys.hash, hash));
    if (!row || row.api_keys.revokedAt) return undefined;
    return {
      keyId: row.api_keys.id,
      scopes: new Set(row.api_keys.scopes),
      ratePerMinute: row.api_keys.ratePerMinute,
      workspace: row.workspaces,
      expiresAtMs: row.api_keys.expiresAt?.getTime(),
    };
  }

  async function flush(): Promise<void> {
    flushedAtMs = clock.now();
    const ids = [...used.keys()];
    used.clear();
    if (ids.length === 0) return;
    await queries
      .update(apiKeys)
      .set({ lastUsedAt: new Date(flushedAtMs) })
      .where(inArray(apiKeys.id, ids));
  }

  return { verify, flush };
}
