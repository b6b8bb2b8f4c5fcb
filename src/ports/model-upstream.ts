/** A request on its way to an upstream. Only what stands here is sent: nothing of the caller's own headers. */
export interface UpstreamCall {
  readonly method: "GET" | "POST";
  /** Path and query, from the root of the upstream's host. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface UpstreamHead {
  readonly status: number;
  /** By its name in lower case; the first where there are several. */
  header(name: string): string | undefined;
}

export interface UpstreamFlow {
  pause(): void;
  resume(): void;
}

/** Calls back in this order: head once, data any number of times, then end or failure once. Callbacks and not promises or
 *  streams: this is the hot path of the gateway, and they cost it five times as much. */
export interface UpstreamReceiver {
  onHead(head: UpstreamHead, flow: UpstreamFlow): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** `UnreachableError`, `SilentError`, reset or aborted. Nothing follows. */
  onFailure(error: Error): void;
}

/** No connection came about: nothing was sent, and the request may be sent again. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** The upstream took the request and said nothing: it may be at work on it, so it must not be asked twice. */
export class SilentError extends Error {
  override readonly name = "SilentError";
}

/** A connection to one host that serves models. */
export interface UpstreamTransport {
  readonly origin: string;
  /** Returns the function that breaks the request off; the receiver then hears of a failure. Calls nothing back before it has
   *  returned. */
  send(call: UpstreamCall, receiver: UpstreamReceiver): () => void;
  close(): Promise<void>;
}
