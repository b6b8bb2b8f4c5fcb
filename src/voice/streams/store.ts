import { and, eq, gt, isNull, lt } from "drizzle-orm";
import { apiKeys } from "../../accounts/tables.ts";
import type { UnknownKeyLimit } from "../../limits/unknown-key-limit.ts";
import type { Clock } from "../../platform/clock.ts";
import { hashSecret, newId } from "../../platform/ids.ts";
import { makeRoom } from "../../platform/make-room.ts";
import type { Queries } from "../../ports/database.ts";
import { openSettings, sealSettings } from "./seal-settings.ts";
import { realtimeTokens } from "./tables.ts";

/** What a token opens. */
export type TokenKind = "tts" | "stt" | "stt/auto" | "stt/lang" | "session";

export interface Pass {
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly keyId: string;
  /** What was asked for when the token was minted. */
  readonly settings: Record<string, unknown>;
}

export interface NewPass extends Omit<Pass, "sessionId"> {
  readonly kind: TokenKind;
  readonly ttlSeconds: number;
}

export interface MintedToken {
  readonly sessionId: string;
  readonly token: string;
  readonly expiresAt: Date;
}

export interface TokenStore {
  mint(wanted: NewPass): Promise<MintedToken>;
  /** Whether a token is good, without using it up. Throws for an address that has sent too many that were not; tokens that were minted
   *  here are never affected. */
  isGood(token: string, kind: TokenKind, address: string): Promise<boolean>;
  /** Uses a token up. Undefined when it is unknown, used, expired or for something else: whoever asks first, in whichever
   *  process, is the only one to get it. A token also dies with the key that minted it. Throws as `isGood` does. */
  redeem(token: string, kind: TokenKind, address: string): Promise<Pass | undefined>;
  /** Makes a token good again that opened nothing after all. */
  restore(token: string): Promise<void>;
}

/** API keys begin otherwise. */
export const TOKEN_PREFIX = "prt_";

/** More than can be open, and than come within the ten minutes that tokens live for. A guess. */
const mostMinted = 10_000;

function looksLikeToken(token: string): boolean {
  return /^prt_\w{1,100}$/.test(token);
}

const sweepEveryMs = 60_000;
/** Spent tokens stay a while, for whoever has to find out what happened. */
const keepMs = 3_600_000;

export function createTokenStore(queries: Queries, clock: Clock, unknown: UnknownKeyLimit): TokenStore {
  let sweptAtMs = 0;
  /** Hashes of tokens that were minted here lately. */
  const minted = new Set<string>();

  async function mint({ kind, ttlSeconds, ...pass }: NewPass): Promise<MintedToken> {
    const token = newId(TOKEN_PREFIX, 40);
    const sessionId = newId("rts_");
    const expiresAt = new Date(clock.now() + ttlSeconds * 1000);
    const settings = sealSettings(pass.settings, token);
    await queries
      .insert(realtimeTokens)
      .values({ ...pass, settings, hash: hashSecret(token), sessionId, kind, expiresAt });
    makeRoom(minted, mostMinted);
    minted.add(hashSecret(token));
    if (clock.now() - sweptAtMs > sweepEveryMs) {
      sweptAtMs = clock.now();
      await queries.delete(realtimeTokens).where(lt(realtimeTokens.expiresAt, new Date(clock.now() - keepMs)));
    }
    return { sessionId, token, expiresAt };
  }

  function isUsable(token: string, kind: TokenKind, now: Date) {
    const isMeant = and(eq(realtimeTokens.hash, hashSecret(token)), eq(realtimeTokens.kind, kind));
    return and(isMeant, isNull(realtimeTokens.usedAt), gt(realtimeTokens.expiresAt, now));
  }

  async function isGood(token: string, kind: TokenKind, address: string): Promise<boolean> {
    if (!minted.has(hashSecret(token))) unknown.check(address);
    const now = new Date(clock.now());
    // Guesses cost a look, and no write.
    const found = looksLikeToken(token)
      ? await queries
          .select({ hash: realtimeTokens.hash })
          .from(realtimeTokens)
          .where(isUsable(token, kind, now))
      : [];
    if (found.length === 0) unknown.note(address);
    return found.length > 0;
  }

  async function redeem(token: string, kind: TokenKind, address: string): Promise<Pass | undefined> {
    if (!(await isGood(token, kind, address))) return undefined;
    const now = new Date(clock.now());
    const [pass] = await queries
      .update(realtimeTokens)
      .set({ usedAt: now })
      .where(isUsable(token, kind, now))
      .returning();
    if (!pass) return undefined;
    const [key] = await queries.select().from(apiKeys).where(eq(apiKeys.id, pass.keyId));
    const isKeyGood = key && !key.revokedAt && (!key.expiresAt || key.expiresAt > now);
    return isKeyGood ? { ...pass, settings: openSettings(pass.settings, token) } : undefined;
  }

  async function restore(token: string): Promise<void> {
    await queries
      .update(realtimeTokens)
      .set({ usedAt: null })
      .where(eq(realtimeTokens.hash, hashSecret(token)));
  }

  return { mint, isGood, redeem, restore };
}
