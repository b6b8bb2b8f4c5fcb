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
  /** What came before anybody read: mostly all of it, for small replies come with their heads. */
  #unread: Buffer[] | undefined;
  #isEnded = false;
  #failure: Error | undefined;

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
    const encoding = this.#encoding;
    this.#reader = encoding ? decompress(encoding, reader, this) : reader;
    const unread = this.#unread;
    this.#unread = undefined;
    if (unread) for (const chunk of unread) this.#reader.onData(chunk);
    if (this.#isEnded) this.#reader.onEnd();
    else if (this.#failure) this.#reader.onFailure(this.#failure);
  }

  /** All of it where it has come already. Nobody may read it afterwards. */
  get whatCame(): Buffer | undefined {
    if (!this.#isEnded || this.#unread?.length !== 1 || this.#encoding) return undefined;
    return this.#unread[0];
  }

  /** Undefined where there is nothing to undo. */
  get #encoding(): string | undefined {
    const encoding = this.header("content-encoding")?.trim().toLowerCase();
    return encoding === "" || encoding === "identity" ? undefined : encoding;
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

  /** All of it, up to `limit`. A failure is thrown, or what `explain` makes of it is returned. */
  whole<Explained = never>(limit: number, explain?: (cause: Error) => Explained): Promise<Buffer | Explained> {
    return new Promise((resolve, reject) => {
      let first: Buffer | undefined;
      let more: Buffer[] | undefined;
      let size = 0;
      const fail = (cause: Error) => {
        try {
          if (explain) resolve(explain(cause));
          else reject(cause);
        } catch (error) {
          reject(error);
        }
      };
      this.read({
        onData: (chunk) => {
          size += chunk.length;
          if (size > limit) {
            this.abort();
            fail(new Error(`the reply is larger than ${limit} bytes`));
          } else if (!first) first = chunk;
          else if (more) more.push(chunk);
          else more = [first, chunk];
        },
        onEnd: () => resolve(more ? Buffer.concat(more) : (first ?? Buffer.alloc(0))),
        onFailure: fail,
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
    else if (this.#unread) this.#unread.push(chunk);
    else this.#unread = [chunk];
  }

  onEnd(): void {
    if (this.#reader) this.#reader.onEnd();
    else this.#isEnded = true;
  }

  onFailure(error: Error): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
    if (!this.#head) this.#awaiter.onFailure(error);
    else if (this.#reader) this.#reader.onFailure(error);
    else this.#failure = error;
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
