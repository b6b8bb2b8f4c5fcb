import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Clock } from "../platform/clock.ts";
import { hashSecret } from "../platform/ids.ts";
import { makeRoom } from "../platform/make-room.ts";
import type { Queries } from "../ports/database.ts";
import type { Scope } from "./scopes.ts";
import { apiKeys, workspaces } from "./tables.ts";
import type { Workspace } from "./workspaces.ts";

/** Who is calling, as every slice sees it. */
export interface Caller {
  keyId: string;
  scopes: ReadonlySet<Scope>;
  ratePerMinute: number | null;
  /** In pico-dollars. */
  dailyLimit: bigint | null;
  monthlyLimit: bigint | null;
  tokensPerMinute: number | null;
  /** The gateway's models that it may use; null for all. */
  models: readonly string[] | null;
  workspace: Workspace;
}

/** A revoked key must be refused within a second everywhere, so nothing is believed for longer than this. */
const freshMs = 500;
/** A key in use is read again before that, so that no request of a busy key waits for the database. */
const renewMs = 250;
/** Keys that were asked for within `inUseMs` are read along with it from this age on, so that all come to be read together. */
const renewAlongMs = 125;
/** A client within the default limit, 60 requests a minute, asks once in half of this. */
const inUseMs = 2000;
const lastUsedEveryMs = 60_000;
const mostEntries = 10_000;

type Known = (Caller & { expiresAtMs: number | undefined }) | undefined;

interface Entry {
  readonly hash: string;
  known: Known;
  /** When the read began that `known` comes from. */
  readAtMs: number;
  reading: Promise<void> | undefined;
  usedAtMs: number;
}

export interface KeyVerifier {
  /** Undefined for a key that is unknown, revoked or expired. At once for a key that was read a moment ago. */
  verify(key: string): Promise<Caller | undefined>;
  /** Whether the key was found lately. */
  isKnown(key: string): boolean;
  /** Writes down when keys were last used. */
  flush(): Promise<void>;
}

/** Looks keys up by their hash and remembers the answer for half a second, so that busy keys cost four reads a second, however many
 *  they are. */
export function createKeyVerifier(queries: Queries, clock: Clock): KeyVerifier {
  const entries = new Map<string, Entry>();
  /** Of keys seen in the last half second, so that a busy one is not hashed for every request. */
  let hashes = new Map<string, string>();
  let hashedAtMs = clock.now();
  /** Keys that are waiting to be looked up for the first time, the query that will, and the one that does. */
  let newcomers: Entry[] = [];
  let next: Promise<void> | undefined;
  let reading: Promise<void> = Promise.resolve();
  const used = new Map<string, number>();
  let flushedAtMs = clock.now();

  async function verify(key: string): Promise<Caller | undefined> {
    const now = clock.now();
    const entry = entryOf(hashOf(key, now));
    // A clock that was set back must not make an old answer look new.
    const ageMs = now < entry.readAtMs ? Number.POSITIVE_INFINITY : now - entry.readAtMs;
    entry.usedAtMs = now;
    if (ageMs < renewMs) return admit(entry.known);
    const reading =
      entry.reading ?? (entry.known ? readAgain([entry, ...othersInUse(entry, now)], now) : readNew(entry));
    if (ageMs >= freshMs) await reading;
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

  function entryOf(hash: string): Entry {
    let entry = entries.get(hash);
    if (!entry) {
      makeRoom(entries, mostEntries);
      entry = { hash, known: undefined, readAtMs: Number.NEGATIVE_INFINITY, reading: undefined, usedAtMs: 0 };
      entries.set(hash, entry);
    }
    return entry;
  }

  function othersInUse(entry: Entry, now: number): Entry[] {
    return [...entries.values()].filter(
      (other) =>
        other !== entry &&
        other.known &&
        !other.reading &&
        now - other.usedAtMs < inUseMs &&
        now - other.readAtMs >= renewAlongMs,
    );
  }

  /** Unknown keys are read one query after another, each for all that came meanwhile: thousands of them take no turns of others. */
  function readNew(entry: Entry): Promise<void> {
    next ??= reading.then(() => {
      const batch = newcomers;
      newcomers = [];
      next = undefined;
      const read = readAgain(batch, clock.now());
      reading = read.catch(() => {});
      return read;
    });
    newcomers.push(entry);
    entry.reading = next;
    next.catch(() => {});
    return next;
  }

  /** A failed read is not remembered: the next request asks again. */
  function readAgain(batch: readonly Entry[], now: number): Promise<void> {
    const reading = read(batch.map(({ hash }) => hash))
      .then((found) => {
        for (const entry of batch) {
          entry.known = found.get(entry.hash);
          entry.readAtMs = now;
        }
      })
      .finally(() => {
        for (const entry of batch) entry.reading = undefined;
      });
    for (const entry of batch) entry.reading = reading;
    reading.catch(() => {});
    return reading;
  }

  function admit(known: Known): Caller | undefined {
    const now = clock.now();
    if (!known || (known.expiresAtMs !== undefined && known.expiresAtMs <= now)) return undefined;
    used.set(known.keyId, now);
    if (now - flushedAtMs > lastUsedEveryMs) flush().catch(() => {});
    return known;
  }

  async function read(hashes: string[]): Promise<Map<string, Known>> {
    const rows = await queries
      .select()
      .from(apiKeys)
      .innerJoin(workspaces, eq(apiKeys.workspaceId, workspaces.id))
      .where(and(inArray(apiKeys.hash, hashes), isNull(apiKeys.revokedAt)));
    return new Map(
      rows.map(({ api_keys: key, workspaces: workspace }) => [
        key.hash,
        {
          keyId: key.id,
          scopes: new Set(key.scopes),
          ratePerMinute: key.ratePerMinute,
          dailyLimit: key.dailyLimit,
          monthlyLimit: key.monthlyLimit,
          tokensPerMinute: key.tokensPerMinute,
          models: key.models,
          workspace,
          expiresAtMs: key.expiresAt?.getTime(),
        },
      ]),
    );
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

  return {
    verify,
    isKnown: (key) => entries.get(hashOf(key, clock.now()))?.known !== undefined,
    flush,
  };
}
