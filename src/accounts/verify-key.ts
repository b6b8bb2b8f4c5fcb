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
const lastUsedEveryMs = 60_000;
const mostEntries = 10_000;

interface Entry {
  caller: Promise<(Caller & { expiresAtMs: number | undefined }) | undefined>;
  readAtMs: number;
}

export interface KeyVerifier {
  /** Undefined for a key that is unknown, revoked or expired. */
  verify(key: string): Promise<Caller | undefined>;
  /** Writes down when keys were last used. */
  flush(): Promise<void>;
}

/** Looks keys up by their hash and remembers the answer for half a second, so that a busy key costs two reads a second. */
export function createKeyVerifier(queries: Queries, clock: Clock): KeyVerifier {
  const entries = new Map<string, Entry>();
  const used = new Map<string, number>();
  let flushedAtMs = clock.now();

  async function verify(key: string): Promise<Caller | undefined> {
    const hash = hashSecret(key);
    const now = clock.now();
    let entry = entries.get(hash);
    if (!entry || now - entry.readAtMs >= freshMs) {
      entry = { caller: read(hash), readAtMs: now };
      if (entries.size >= mostEntries) entries.clear();
      entries.set(hash, entry);
      // A failed read must not be remembered: the next request asks again.
      entry.caller.catch(() => entries.delete(hash));
    }
    const caller = await entry.caller;
    if (!caller || (caller.expiresAtMs !== undefined && caller.expiresAtMs <= clock.now())) return undefined;
    used.set(caller.keyId, now);
    if (now - flushedAtMs > lastUsedEveryMs) flush().catch(() => {});
    return caller;
  }

  async function read(hash: string): Promise<(Caller & { expiresAtMs: number | undefined }) | undefined> {
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
