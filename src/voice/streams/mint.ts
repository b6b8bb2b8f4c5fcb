import type { Caller } from "../../accounts/verify-key.ts";
import type { StreamFormat } from "../../audio/stream-codec.ts";
import type { LiveSockets } from "./live-sockets.ts";
import type { TokenKind, TokenStore } from "./store.ts";

export interface MintParts {
  readonly tokens: TokenStore;
  readonly sockets: LiveSockets;
  /** The address by which clients reach this server, never taken from a request. */
  publicUrl(): string;
}

export interface StreamWanted {
  readonly kind: Exclude<TokenKind, "session">;
  readonly ttlSeconds: number;
  readonly settings: Record<string, unknown>;
  readonly format: StreamFormat;
  readonly model: string;
  /** Goes into the address after the token. */
  readonly query?: Record<string, string>;
}

/** Exchanges a key, which must never be in an address, for a token that may. */
export async function mintStream(parts: MintParts, wanted: StreamWanted, caller: Caller) {
  parts.sockets.checkCapacity(caller.workspace.id);
  const { kind, ttlSeconds, settings } = wanted;
  const pass = { kind, ttlSeconds, settings, workspaceId: caller.workspace.id, keyId: caller.keyId };
  const { sessionId, token } = await parts.tokens.mint(pass);
  const address = `${parts.publicUrl().replace(/^http/, "ws")}/v1/realtime/${kind}/stream`;
  const extra = Object.entries(wanted.query ?? {}).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
  return {
    session_id: sessionId,
    token,
    expires_in: Math.round(ttlSeconds),
    url: `${address}?token=${encodeURIComponent(token)}${extra.join("")}`,
    stream_url: address,
    sample_rate: wanted.format.sampleRateHz,
    format: wanted.format.encoding,
    channels: 1 as const,
    model: wanted.model,
  };
}
