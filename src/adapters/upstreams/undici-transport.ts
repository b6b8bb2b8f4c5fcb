import { type Dispatcher, Pool } from "undici";
import type {
  UpstreamCall,
  UpstreamFlow,
  UpstreamHead,
  UpstreamReceiver,
  UpstreamTransport,
} from "../../ports/model-upstream.ts";

export interface TransportOptions {
  origin: string;
  /** How long the upstream may be silent, before its head and between two chunks. */
  silenceMs: number;
}

const connections = 512;
const connectMs = 5_000;

/** Keeps connections to one host open and hands bytes on as they come. */
export function createUndiciTransport({ origin, silenceMs }: TransportOptions): UpstreamTransport {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    keepAliveTimeout: 30_000,
    connect: { timeout: connectMs },
  });
  return {
    origin,
    send: (call, receiver) => send(pool, call, receiver),
    close: () => pool.destroy(),
  };
}

function send(pool: Pool, call: UpstreamCall, receiver: UpstreamReceiver): () => void {
  const exchange = new Exchange(receiver);
  const { method, path, headers, body = null } = call;
  pool.dispatch({ method, path, headers: headers as Record<string, string>, body }, exchange);
  exchange.hasReturned = true;
  return () => exchange.breakOff();
}

/** One request and its reply, as undici's own client sees them. Its newer handlers put every header into an object that nobody
 *  here looks at, which costs as much as all the rest of them. */
class Exchange implements Dispatcher.DispatchHandler, UpstreamHead, UpstreamFlow {
  status = 0;
  hasReturned = false;
  readonly #receiver: UpstreamReceiver;
  #headers: readonly Buffer[] = [];
  #abort: ((error: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #isPaused = false;
  #isAborted = false;
  #isOver = false;

  constructor(receiver: UpstreamReceiver) {
    this.#receiver = receiver;
  }

  header(name: string): string | undefined {
    const headers = this.#headers;
    for (let at = 0; at < headers.length; at += 2) {
      const given = headers[at]!;
      if (given.length === name.length && given.toString("latin1").toLowerCase() === name) {
        return headers[at + 1]!.toString("latin1");
      }
    }
    return undefined;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#resume?.();
  }

  breakOff(): void {
    this.#isAborted = true;
    if (!this.#isOver) this.#abort?.(new AbortedError());
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    if (this.#isAborted) abort(new AbortedError());
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void): boolean {
    // 1xx are said on the way; the reply's own head follows.
    if (status < 200) return true;
    this.status = status;
    this.#headers = headers;
    this.#resume = resume;
    this.#receiver.onHead(this, this);
    return !this.#isPaused;
  }

  onData(chunk: Buffer): boolean {
    this.#receiver.onData(chunk);
    return !this.#isPaused;
  }

  onComplete(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#receiver.onEnd();
  }

  onError(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // Never on the stack of `send`: its caller has not yet got what it needs to handle it.
    if (this.hasReturned) this.#receiver.onFailure(error);
    else queueMicrotask(() => this.#receiver.onFailure(error));
  }
}

class AbortedError extends Error {
  constructor() {
    super("broken off");
    this.name = "AbortedError";
  }
}
