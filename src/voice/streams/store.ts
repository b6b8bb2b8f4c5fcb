import { and, eq, gt, isNull, lt } from "drizzle-orm";
import { apiKeys } from "../../accounts/tables.ts";
import type { Clock } from "../../platform/clock.ts";
import { hashSecret, newId } from "../../platform/ids.ts";
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
  /** Uses a token up. Undefined when it is unknown, used, expired or for something else: whoever asks first, in whichever
   *  process, is the only one to get it. A token also dies with the key that minted it. */
  redeem(token: string, kind: TokenKind): Promise<Pass | undefined>;
  /** Makes a token good again that opened nothing after all. */
  restore(token: string): Promise<void>;
}

/** API keys begin otherwise. */
export const TOKEN_PREFIX = "prt_";

const sweepEveryMs = 60_000;
/** Spent tokens stay a while, for whoever has to find out what happened. */
const keepMs = 3_600_000;

export function createTokenStore(queries: Queries, clock: Clock): TokenStore {
  let sweptAtMs = 0;

  async function mint({ kind, ttlSeconds, ...pass }: NewPass): Promise<MintedToken> {
    const token = newId(TOKEN_PREFIX, 40);
    const sessionId = newId("rts_");
    const expiresAt = new Date(clock.now() + ttlSeconds * 1000);
    const settings = sealSettings(pass.settings, token);
    await queries
      .insert(realtimeTokens)
      .values({ ...pass, settings, hash: hashSecret(token), sessionId, kind, expiresAt });
    if (clock.now() - sweptAtMs > sweepEveryMs) {
      sweptAtMs = clock.now();
      await queries.delete(realtimeTokens).where(lt(realtimeTokens.expiresAt, new Date(clock.now() - keepMs)));
    }
    return { sessionId, token, expiresAt };
  }

  async function redeem(token: string, kind: TokenKind): Promise<Pass | undefined> {
    const now = new Date(clock.now());
    const [pass] = await queries
      .update(realtimeTokens)
      .set({ usedAt: now })
      .where(
        and(
          eq(realtimeTokens.hash, hashSecret(token)),
          eq(realtimeTokens.kind, kind),
          isNull(realtimeTokens.usedAt),
          gt(realtimeTokens.expiresAt, now),
        ),
      )
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

  return { mint, redeem, restore };
}
