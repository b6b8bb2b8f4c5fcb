import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import { type Endpoint, passedHeaders } from "../upstreams/kinds/kind.ts";
import { type Copied, copyReply, type Recorder } from "./copy-reply.ts";

export interface CachedReply extends Copied {
  readonly ageSeconds: number;
}

/** What a request that asks for it finds in the cache, or how its own reply gets there. */
export interface CacheTurn {
  readonly found: CachedReply | undefined;
  readonly recorder: Recorder;
}

export interface ResponseCache {
  /** Undefined where the request does not ask for it with X-Svc-Cache-Ttl. */
  open(request: CacheableRequest, endpoint: Endpoint, body: () => Buffer): CacheTurn | undefined;
}

export type CacheableRequest = Pick<FastifyRequest, "headers" | "caller" | "routeConfig">;

interface Kept {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly sealed: Buffer;
  readonly keptAtMs: number;
  readonly expiresAtMs: number;
}

/** A reply of some four thousand tokens is 20 kB; these are guesses. */
const largestReply = 2_000_000;
const mostOfWorkspace = 16_000_000;
const mostInAll = 128_000_000;
const longestTtlSeconds = 86_400;

/** Whose replies are the same for the same request: no tokens of sessions, and no forms. */
const cacheable = new Set<Endpoint>([
  "chat/completions",
  "responses",
  "messages",
  "completions",
  "language-model",
  "embedding-model",
  "image-model",
  "embeddings",
  "rerank",
  "moderations",
  "images/generations",
  "audio/speech",
]);

/** What else changes a reply; the AI SDK's own headers begin with `ai-`. */
const tellingHeaders = new Set([...passedHeaders, "x-svc-usage-cost"]);
const isTelling = (name: string) => tellingHeaders.has(name) || name.startsWith("ai-");

/** Gives the same request of the same workspace the same reply, byte for byte. Only in memory, where a reply lies under a hash that
 *  only this process can make, sealed by a key that only its request makes. */
export function createResponseCache(clock: Clock): ResponseCache {
  const processKey = randomBytes(32);
  const ofWorkspaces = new Map<string, Shelf>();
  let bytes = 0;

  function forget(workspaceId: string, shelf: Shelf, name: string): void {
    const size = shelf.entries.get(name)?.sealed.length ?? 0;
    shelf.entries.delete(name);
    shelf.bytes -= size;
    bytes -= size;
    if (shelf.entries.size === 0) ofWorkspaces.delete(workspaceId);
  }

  function keep(workspaceId: string, name: string, kept: Kept): void {
    const shelf = ofWorkspaces.get(workspaceId) ?? { entries: new Map(), bytes: 0 };
    forget(workspaceId, shelf, name);
    ofWorkspaces.set(workspaceId, shelf);
    shelf.entries.set(name, kept);
    shelf.bytes += kept.sealed.length;
    bytes += kept.sealed.length;
    while (shelf.bytes > mostOfWorkspace) forgetOldest(workspaceId, shelf);
    // Whoever has most gives way, so that nobody can push out the replies of others.
    while (bytes > mostInAll) forgetOldest(...largestHolder());
  }

  function forgetOldest(workspaceId: string, shelf: Shelf): void {
    forget(workspaceId, shelf, shelf.entries.keys().next().value!);
  }

  function largestHolder(): [string, Shelf] {
    return [...ofWorkspaces].reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most));
  }

  function find(workspaceId: string, name: string, secret: Buffer, ttlMs: number): CachedReply | undefined {
    const shelf = ofWorkspaces.get(workspaceId);
    const kept = shelf?.entries.get(name);
    if (!shelf || !kept) return undefined;
    const ageMs = clock.now() - kept.keptAtMs;
    // A clock that was set back must not make an old reply look new.
    const isExpired = ageMs < 0 || clock.now() >= kept.expiresAtMs;
    if (isExpired) forget(workspaceId, shelf, name);
    if (isExpired || ageMs >= ttlMs) return undefined;
    const { status, headers, sealed } = kept;
    return { status, headers, body: open(secret, sealed), ageSeconds: Math.floor(ageMs / 1000) };
  }

  return {
    open({ headers, caller, routeConfig }, endpoint, body) {
      const ttlMs = readTtl(headers["x-svc-cache-ttl"]) * 1000;
      if (ttlMs === 0 || !cacheable.has(endpoint)) return undefined;
      const { id } = caller.workspace;
      const said = body();
      const telling = Object.keys(headers).filter(isTelling).sort();
      const about = [id, routeConfig.url, telling.map((name) => [name, headers[name]])];
      const hash = (use: string) =>
        createHmac("sha256", processKey)
          .update(`${use}\n${JSON.stringify(about)}\n`)
          .update(said)
          .digest();
      const name = hash("name").toString("base64");
      const secret = hash("seal");
      const recorder = copyReply(largestReply, (copied) => {
        if (copied?.status !== 200) return;
        const keptAtMs = clock.now();
        const { status, headers: told, body: bytes } = copied;
        keep(id, name, { status, headers: told, sealed: seal(secret, bytes), keptAtMs, expiresAtMs: keptAtMs + ttlMs });
      });
      return { found: find(id, name, secret, ttlMs), recorder };
    },
  };
}

interface Shelf {
  /** The oldest first. */
  readonly entries: Map<string, Kept>;
  bytes: number;
}

/** Seconds; 0 where nothing is asked for. */
function readTtl(given: string | string[] | undefined): number {
  if (given === undefined || given === "0") return 0;
  const seconds = typeof given === "string" && /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (seconds <= longestTtlSeconds) return seconds;
  throw new Problem(
    "invalid_request",
    `X-Svc-Cache-Ttl must be a whole number of seconds, at most ${longestTtlSeconds}.`,
  );
}

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

function seal(secret: Buffer, body: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, secret, nonce);
  return Buffer.concat([nonce, sealing.update(body), sealing.final(), sealing.getAuthTag()]);
}

function open(secret: Buffer, sealed: Buffer): Buffer {
  const opening = createDecipheriv(cipher, secret, sealed.subarray(0, nonceBytes));
  opening.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([opening.update(sealed.subarray(nonceBytes, -tagBytes)), opening.final()]);
}
