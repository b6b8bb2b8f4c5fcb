/** A request on its way to an upstream. Only what stands here is sent: nothing of the caller's own headers. */
export interface UpstreamCall {
  readonly method: "GET" | "POST";
  /** Path and query, from the root of the upstream's host. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** A reply whose head has come. What it brings waits until somebody reads it, and the upstream is held up meanwhile. */
export interface UpstreamReply {
  readonly status: number;
  /** By its name in lower case; the first where there are several. */
  header(name: string): string | undefined;
  /** What comes next, without the compression that nobody asked for; undefined at the end. Throws when the reply breaks off, and the
   *  signal's reason when that has aborted. */
  read(): Promise<Buffer | undefined>;
  /** Nothing more of it is wanted: frees the connection at once. */
  cancel(): void;
}

/** No connection came about: nothing was sent, and the request may be sent again. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** The upstream took the request and said nothing: it may be at work on it, so it must not be asked twice. */
export class SilentError extends Error {
  override readonly name = "SilentError";
}

/** Connections to one host that serves models. */
export interface UpstreamClient {
  readonly origin: string;
  /** Throws `UnreachableError`, `SilentError`, what the connection failed with, or the signal's reason. The signal also ends a reply
   *  that is being read. */
  ask(call: UpstreamCall, signal: AbortSignal): Promise<UpstreamReply>;
  close(): Promise<void>;
}

/** All that is left of a reply. */
export async function readWhole(reply: UpstreamReply, limit: number): Promise<Buffer> {
  const first = await reply.read();
  if (first === undefined) return Buffer.alloc(0);
  const chunks = [first];
  let size = first.length;
  for (let chunk = await reply.read(); chunk; chunk = await reply.read()) {
    size += chunk.length;
    chunks.push(chunk);
    if (size > limit) break;
  }
  if (size > limit) {
    reply.cancel();
    throw new Error(`the reply is larger than ${limit} bytes`);
  }
  return chunks.length === 1 ? first : Buffer.concat(chunks, size);
}
