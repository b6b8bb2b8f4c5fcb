import type { Socket } from "node:net";
import { type ParsedReply, ReplyParser } from "../../platform/http1/reply-parser.ts";
import { SilentError, UnreachableError, type UpstreamHead } from "../../ports/model-upstream.ts";
import type { Exchange } from "./exchange.ts";

/** How a socket hands over what it reads: in a buffer that is lent, without a stream between. */
export interface ReadInto {
  buffer: Buffer;
  callback(bytes: number, buffer: Uint8Array): boolean;
}

export interface ConnectionParts {
  connect(onread: ReadInto): Socket;
  connectMs: number;
  silenceMs: number;
  /** How long it may lie idle, unless the upstream says less. */
  idleMs: number;
  /** Ready for another request. */
  onFree(connection: Connection): void;
  onGone(connection: Connection): void;
  /** A request that may be asked again: this connection was used before, and has ended without a word about it. */
  onStale(exchange: Exchange): void;
}

/** All sockets read into this one: what they read is looked at, and copied where it must last, before the next one reads. */
const lent = Buffer.allocUnsafeSlow(65_536);
/** An upstream that closes idle connections does so a little sooner or later than it says. */
const marginMs = 1_000;
/** A connection that the upstream had given up before it was used again ends within a round trip; one that ends later may have
 *  been at work on the request, which is then not sent twice. Twice the round trip of a satellite. */
const staleWithinMs = 1_500;

let unsent: Connection[] = [];

/** Once this turn of the event loop has read what there is. An upstream on the same machine that is woken for each request apart
 *  takes the processor away from whoever writes the next one. */
function sendSoon(connection: Connection): void {
  if (unsent.length === 0) setImmediate(sendAll);
  unsent.push(connection);
}

function sendAll(): void {
  const connections = unsent;
  unsent = [];
  for (const connection of connections) connection.send();
}

/** One connection to an upstream, with one request on it at a time. */
export class Connection implements ParsedReply {
  readonly #parts: ConnectionParts;
  readonly #socket: Socket;
  #exchange: Exchange | undefined;
  #parser: ReplyParser | undefined;
  /** Read, but not wanted yet. */
  #unread: Buffer | undefined;
  #isConnected = false;
  #isUsed = false;
  #isGone = false;
  #isSent = false;
  #sentAtMs = 0;
  #hasHeard = false;
  #untilMs: number;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#untilMs = performance.now() + parts.connectMs;
    this.#socket = parts.connect({
      buffer: lent,
      callback: (count) => {
        this.#read(lent.subarray(0, count));
        return true;
      },
    });
    this.#socket.on("end", () => this.#end());
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("the upstream closed the connection")));
    // Without this the end of what is read would never be told.
    this.#socket.resume();
  }

  /** Whether an idle connection can be trusted to be there still. */
  isFresh(nowMs: number): boolean {
    return !this.#isGone && nowMs < this.#untilMs;
  }

  onConnect(): void {
    this.#isConnected = true;
    this.#wait(this.#parts.silenceMs);
  }

  take(exchange: Exchange): void {
    exchange.connection = this;
    this.#exchange = exchange;
    this.#parser = new ReplyParser(this);
    this.#hasHeard = false;
    this.#isSent = false;
    if (this.#isConnected) this.#wait(this.#parts.silenceMs);
    sendSoon(this);
  }

  send(): void {
    if (!this.#exchange) return;
    this.#isSent = true;
    this.#sentAtMs = performance.now();
    for (const piece of this.#exchange.pieces) this.#socket.write(piece);
  }

  pause(): void {
    this.#parser!.isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#parser?.isPaused) return;
    this.#parser.isPaused = false;
    this.#wait(this.#parts.silenceMs);
    const unread = this.#unread;
    this.#unread = undefined;
    if (unread) this.#read(unread);
    if (!this.#isGone && !this.#parser?.isPaused) this.#socket.resume();
  }

  destroy(): void {
    this.#fail(new Error("the connection was destroyed"));
  }

  /** Ends what has taken too long. A reply that the receiver itself holds up may take as long as it likes. */
  checkTime(nowMs: number): void {
    if (nowMs < this.#untilMs || this.#parser?.isPaused) return;
    // Whoever has waited this long shall not wait for it again.
    this.#hasHeard = true;
    this.#fail(this.#isConnected ? new SilentError("the upstream was silent for too long") : connectingTook());
  }

  onHead(head: UpstreamHead): void {
    this.#exchange?.head(head);
  }

  onBody(bytes: Buffer): void {
    this.#exchange?.data(Buffer.from(bytes));
  }

  #read(bytes: Buffer): void {
    const parser = this.#parser;
    // Nobody has asked anything: whatever this is, it would be taken for the next reply.
    if (!parser || !this.#isSent) this.destroy();
    if (!parser || this.#isGone) return;
    this.#hasHeard = true;
    this.#wait(this.#parts.silenceMs);
    try {
      const count = parser.push(bytes);
      if (this.#isGone) return;
      if (parser.isOver) this.#finish(parser, parser.isReusable && count === bytes.length);
      else if (count < bytes.length) this.#keep(bytes.subarray(count));
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** More than once: TLS brings what it has decrypted even after a pause. */
  #keep(bytes: Buffer): void {
    this.#unread = Buffer.concat(this.#unread ? [this.#unread, bytes] : [bytes]);
  }

  #finish({ keepAliveMs = Number.POSITIVE_INFINITY, isPaused }: ReplyParser, isReusable: boolean): void {
    const exchange = this.#exchange;
    const keptMs = Math.min(this.#parts.idleMs, keepAliveMs - marginMs);
    this.#exchange = undefined;
    this.#parser = undefined;
    if (isPaused) this.#socket.resume();
    // An upstream that has answered before it had the whole request may take the rest of it for the next one.
    if (!isReusable || keptMs <= 0 || this.#socket.writableLength > 0) this.destroy();
    else {
      this.#isUsed = true;
      this.#wait(keptMs);
      this.#parts.onFree(this);
    }
    exchange?.end();
  }

  #end(): void {
    const parser = this.#parser;
    try {
      parser?.end();
      if (parser) this.#finish(parser, false);
      else this.destroy();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #fail(error: Error): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#socket.destroy();
    this.#parts.onGone(this);
    if (!exchange || exchange.isOver) return;
    if (this.#wasStale && !exchange.isRepeated) this.#parts.onStale(exchange);
    else exchange.fail(this.#isConnected ? error : unreachable(error));
  }

  /** It was used before, and has ended without a word about this request. */
  get #wasStale(): boolean {
    const isLate = this.#isSent && performance.now() - this.#sentAtMs > staleWithinMs;
    return this.#isUsed && !this.#hasHeard && !isLate;
  }

  #wait(ms: number): void {
    this.#untilMs = performance.now() + ms;
  }
}

function connectingTook(): Error {
  return new UnreachableError("connecting took too long");
}

function unreachable(cause: Error): Error {
  return cause instanceof UnreachableError ? cause : new UnreachableError(cause.message, { cause });
}
