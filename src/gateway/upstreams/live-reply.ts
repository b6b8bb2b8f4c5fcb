import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, type Zlib } from "node:zlib";
import { Problem } from "../../platform/errors.ts";
import type { UpstreamCall, UpstreamFlow, UpstreamHeaders, UpstreamTransport } from "../../ports/model-upstream.ts";

/** What is needed of an AbortSignal here. Real ones cost a request more than its key, scope and limit together. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", tell: () => void, options?: { once: true }): void;
  removeEventListener(type: "abort", tell: () => void): void;
}

export interface ReplyReader {
  onData(chunk: Buffer): void;
  onEnd(): void;
  onFailure(error: Error): void;
}

/** A reply whose head has come. Its bytes wait until somebody reads them. */
export class LiveReply {
  readonly status: number;
  readonly headers: UpstreamHeaders;
  readonly #flow: UpstreamFlow;
  readonly #abort: () => void;
  #waiting: (() => void)[] = [];
  #reader: ReplyReader | undefined;

  constructor(status: number, headers: UpstreamHeaders, flow: UpstreamFlow, abort: () => void) {
    this.status = status;
    this.headers = headers;
    this.#flow = flow;
    this.#abort = abort;
  }

  header(name: string): string | undefined {
    const value = this.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The bytes as the upstream meant them: compression that we did not ask for is undone. */
  read(reader: ReplyReader): void {
    const encoding = this.header("content-encoding")?.trim().toLowerCase();
    this.#reader = encoding && encoding !== "identity" ? decompress(encoding, reader, this) : reader;
    for (const tell of this.#waiting.splice(0)) tell();
  }

  pause(): void {
    this.#flow.pause();
  }

  resume(): void {
    this.#flow.resume();
  }

  abort(): void {
    this.#abort();
  }

  receive(tell: (reader: ReplyReader) => void): void {
    if (this.#reader) tell(this.#reader);
    else this.#waiting.push(() => tell(this.#reader!));
  }

  /** All of it, up to `limit`. */
  whole(limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      this.read({
        onData: (chunk) => {
          size += chunk.length;
          if (size > limit) {
            this.abort();
            reject(new Error(`the reply is larger than ${limit} bytes`));
          } else chunks.push(chunk);
        },
        onEnd: () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)),
        onFailure: reject,
      });
    });
  }
}

/** Sends and waits for the head. */
export function openReply(transport: UpstreamTransport, call: UpstreamCall, signal: StopSignal): Promise<LiveReply> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let live: LiveReply | undefined;
    const onAbort = () => abort();
    const abort = transport.send(call, {
      onHead(status, headers, flow) {
        signal.removeEventListener("abort", onAbort);
        live = new LiveReply(status, headers, flow, abort);
        resolve(live);
      },
      onData: (chunk) => live!.receive((reader) => reader.onData(chunk)),
      onEnd: () => live!.receive((reader) => reader.onEnd()),
      onFailure(error) {
        signal.removeEventListener("abort", onAbort);
        if (live) live.receive((reader) => reader.onFailure(error));
        else reject(error);
      },
    });
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

function decompress(encoding: string, reader: ReplyReader, live: LiveReply): ReplyReader {
  const decoder = createDecoder(encoding);
  if (!decoder) {
    live.abort();
    queueMicrotask(() => reader.onFailure(new Problem("upstream_failed", "The upstream's reply could not be read.")));
    return { onData() {}, onEnd() {}, onFailure() {} };
  }
  let isOver = false;
  const fail = (error: Error) => {
    if (isOver) return;
    isOver = true;
    live.abort();
    reader.onFailure(error);
  };
  decoder.on("data", (chunk: Buffer) => reader.onData(chunk));
  decoder.on("error", fail);
  decoder.on("end", () => {
    if (isOver) return;
    isOver = true;
    reader.onEnd();
  });
  return {
    onData(chunk) {
      if (decoder.write(chunk)) return;
      live.pause();
      decoder.once("drain", () => live.resume());
    },
    onEnd: () => void decoder.end(),
    onFailure: fail,
  };
}

function createDecoder(encoding: string): (Transform & Zlib) | undefined {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "deflate") return createInflate();
  if (encoding === "br") return createBrotliDecompress();
  return undefined;
}
