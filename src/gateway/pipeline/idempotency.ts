import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import { copyReply, type Recorder } from "./copy-reply.ts";

/** A reply that may be asked for again, or the place of one that is still being made. */
export interface Kept {
  readonly hash: string;
  /** Whose memory it takes. */
  readonly workspaceId: string;
  expiresAtMs: number;
  reply: { status: number; headers: Record<string, string>; body: Buffer } | undefined;
}

const keptMs = 10 * 60_000;
/** Four pictures in base64. */
const largestReply = 16_000_000;
const mostBytes = 64_000_000;

export type RepeatableRequest = Pick<FastifyRequest, "headers" | "caller" | "routeConfig">;

export interface Replays {
  /** Undefined without an Idempotency-Key. "replayed" when the reply was sent again and there is nothing left to do. */
  begin(request: RepeatableRequest, reply: FastifyReply, body: () => Buffer): Recorder | "replayed" | undefined;
  /** What is kept under a name, here. */
  find(name: string): Kept | undefined;
  /** Keeps a reply that another server has given. */
  adopt(name: string, kept: Kept): void;
}

/** What a repeated request is known by; undefined for one that cannot be repeated. */
export function nameOf({ headers, caller }: RepeatableRequest): string | undefined {
  const key = headers["idempotency-key"];
  return typeof key === "string" && key !== "" ? `${caller.keyId} ${key}` : undefined;
}

/** Honours Idempotency-Key: a repeated request gets the first one's reply and is charged once. Replies are kept in memory
 *  only, for ten minutes, and only those that were asked for with such a key: nothing of them ever reaches the disk. */
export function createReplays(clock: Clock): Replays {
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const bytesOf = new Map<string, number>();

  function count({ workspaceId, reply }: Kept, sign: 1 | -1): void {
    const more = sign * (reply?.body.length ?? 0);
    bytes += more;
    const held = (bytesOf.get(workspaceId) ?? 0) + more;
    if (held > 0) bytesOf.set(workspaceId, held);
    else bytesOf.delete(workspaceId);
  }

  function forget(name: string): void {
    const entry = kept.get(name);
    if (entry) count(entry, -1);
    kept.delete(name);
  }

  function makeRoom(): void {
    for (const [name, entry] of kept) {
      if (entry.expiresAtMs > clock.now()) break;
      forget(name);
    }
    while (bytes > mostBytes) forget(oldestOf(largestHolder()));
  }

  /** Whoever has most gives way, so that nobody can push out the replies of others. */
  function largestHolder(): string {
    let [largest, most] = ["", -1];
    for (const [workspaceId, held] of bytesOf) if (held > most) [largest, most] = [workspaceId, held];
    return largest;
  }

  /** A request that is still running keeps its place, or its twin would run beside it. */
  function oldestOf(workspaceId: string): string {
    for (const [name, entry] of kept) if (entry.reply && entry.workspaceId === workspaceId) return name;
    throw new Error(`nothing is kept for ${workspaceId}`);
  }

  return {
    begin(request, reply, body) {
      const name = nameOf(request);
      if (name === undefined) return undefined;
      const key = request.headers["idempotency-key"] as string;
      if (key.length > 255) throw new Problem("invalid_request", "The Idempotency-Key is longer than 255 characters.");
      makeRoom();
      const hash = createHash("sha256").update(`${request.routeConfig.url}\n`).update(body()).digest("base64");
      const known = kept.get(name);
      if (known && known.hash !== hash) {
        throw new Problem("conflict", "This Idempotency-Key was used for another request.");
      }
      if (known?.reply && known.expiresAtMs > clock.now()) {
        const { status, headers } = known.reply;
        reply
          .code(status)
          .headers({ ...headers, "idempotent-replayed": "true" })
          .send(known.reply.body);
        return "replayed";
      }
      if (known && !known.reply) {
        throw new Problem("conflict", "A request with this Idempotency-Key is still running.", {
          retryAfterSeconds: 1,
        });
      }
      forget(name);
      const { id: workspaceId } = request.caller.workspace;
      const entry: Kept = { hash, workspaceId, expiresAtMs: Number.POSITIVE_INFINITY, reply: undefined };
      kept.set(name, entry);
      return record(entry, name);
    },
    find(name) {
      const entry = kept.get(name);
      return entry && entry.expiresAtMs > clock.now() ? entry : undefined;
    },
    adopt(name, given) {
      forget(name);
      kept.set(name, given);
      count(given, 1);
      makeRoom();
    },
  };

  function record(entry: Kept, name: string): Recorder {
    return copyReply(
      largestReply,
      (copied) => {
        // Given up before, and the name may be another's by now.
        if (kept.get(name) !== entry) return;
        // Too large to keep: better to forget the key than to repeat half a reply.
        if (!copied) return forget(name);
        entry.reply = copied;
        entry.expiresAtMs = clock.now() + keptMs;
        count(entry, 1);
        makeRoom();
      },
      () => {
        if (!entry.reply && kept.get(name) === entry) forget(name);
      },
    );
  }
}

/** Keeps a reply that the framework sends, or whoever writes past it. One that failed, or that nobody waited for, may be tried again. */
export function recordReply(reply: FastifyReply, recorder: Recorder): void {
  const { raw } = reply;
  const writeHead = raw.writeHead as (...args: unknown[]) => typeof raw;
  const write = raw.write as (...args: unknown[]) => boolean;
  const end = raw.end as (...args: unknown[]) => typeof raw;
  let said: object = {};
  const keep = (chunk: unknown) => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) recorder.write(chunk as Buffer);
  };
  raw.writeHead = (...args: unknown[]) => {
    said = { ...reply.getHeaders(), ...(args.at(-1) as object) };
    return writeHead.apply(raw, args);
  };
  raw.write = (...args: unknown[]) => {
    keep(args[0]);
    return write.apply(raw, args);
  };
  raw.end = (...args: unknown[]) => {
    keep(args[0]);
    return end.apply(raw, args);
  };
  raw.once("close", () => {
    if (!raw.writableFinished || raw.statusCode >= 300) {
      recorder.abandon();
      return;
    }
    // The rest is said anew each time.
    const about = Object.entries(said).filter(([name]) => name === "content-type" || name.startsWith("x-svc-"));
    recorder.start(raw.statusCode, Object.fromEntries(about.map(([name, value]) => [name, String(value)])));
    recorder.complete();
  });
}
