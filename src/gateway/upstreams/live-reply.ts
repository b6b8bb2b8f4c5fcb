import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, type Zlib } from "node:zlib";
import { Problem } from "../../platform/errors.ts";
import type {
  UpstreamCall,
  UpstreamFlow,
  UpstreamHead,
  UpstreamReceiver,
  UpstreamTransport,
} from "../../ports/model-upstream.ts";

/** What is needed of an AbortSignal here. Real ones cost a request more than its key, scope and limit together. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", tell: () => void, options?: { once: true }): void;
  removeEventListener(type: "abort", tell: () => void): void;
}

interface ReplyReader {
  onData(chunk: Buffer): void;
  onEnd(): void;
  onFailure(error: Error): void;
}

/** Who waits for a reply to begin. */
interface ReplyAwaiter {
  onReply(live: LiveReply): void;
  onFailure(error: Error): void;
}

/** A reply, from when it is asked for. Once its head has come its bytes wait until somebody reads them. */
export class LiveReply implements UpstreamReceiver {
  readonly #signal: StopSignal;
  readonly #awaiter: ReplyAwaiter;
  readonly #onAbort = () => this.abort();
  #abort: () => void = () => {};
  #head: UpstreamHead | undefined;
  #flow: UpstreamFlow | undefined;
  #reader: ReplyReader | undefined;
  #unread: ((reader: ReplyReader) => void)[] | undefined;

  constructor(signal: StopSignal, awaiter: ReplyAwaiter) {
    this.#signal = signal;
    this.#awaiter = awaiter;
  }

  ask(transport: UpstreamTransport, call: UpstreamCall): void {
    this.#abort = transport.send(call, this);
    this.#signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  get status(): number {
    return this.#head!.status;
  }

  header(name: string): string | undefined {
    return this.#head!.header(name);
  }

  /** The bytes as the upstream meant them: compression that we did not ask for is undone. */
  read(reader: ReplyReader): void {
    const encoding = this.header("content-encoding")?.trim().toLowerCase();
    this.#reader = encoding && encoding !== "identity" ? decompress(encoding, reader, this) : reader;
    const unread = this.#unread;
    this.#unread = undefined;
    if (unread) for (const tell of unread) tell(this.#reader);
  }

  pause(): void {
    this.#flow!.pause();
  }

  resume(): void {
    this.#flow!.resume();
  }

  abort(): void {
    this.#abort();
  }

  /** All of it, up to `limit`. */
  whole(limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      this.read({
        onData: (chunk) => {
          size += chunk.length;
          if (size <= limit) {
            chunks.push(chunk);
            return;
          }
          this.abort();
          reject(new Error(`the reply is larger than ${limit} bytes`));
        },
        onEnd: () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)),
        onFailure: reject,
      });
    });
  }

  onHead(head: UpstreamHead, flow: UpstreamFlow): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#head = head;
    this.#flow = flow;
    this.#awaiter.onReply(this);
  }

  onData(chunk: Buffer): void {
    if (this.#reader) this.#reader.onData(chunk);
    else this.#keep((reader) => reader.onData(chunk));
  }

  onEnd(): void {
    if (this.#reader) this.#reader.onEnd();
    else this.#keep((reader) => reader.onEnd());
  }

  onFailure(error: Error): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
    if (!this.#head) this.#awaiter.onFailure(error);
    else if (this.#reader) this.#reader.onFailure(error);
    else this.#keep((reader) => reader.onFailure(error));
  }

  #keep(tell: (reader: ReplyReader) => void): void {
    this.#unread ??= [];
    this.#unread.push(tell);
  }
}

/** Asks, and is there when the head has come. */
export async function openReply(
  transport: UpstreamTransport,
  call: UpstreamCall,
  signal: StopSignal,
): Promise<LiveReply> {
  const answer = await tryReply(transport, call, signal);
  if (answer instanceof LiveReply) return answer;
  throw answer;
}

/** The same with the reason why it has not come. */
export function tryReply(
  transport: UpstreamTransport,
  call: UpstreamCall,
  signal: StopSignal,
): Promise<LiveReply | Error> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason as Error);
    else new LiveReply(signal, { onReply: resolve, onFailure: resolve }).ask(transport, call);
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
