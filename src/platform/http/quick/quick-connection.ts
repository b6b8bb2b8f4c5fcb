import type { Socket } from "node:net";
import { HeadReader, type QuickHead } from "../../http1/read-request.ts";
import { QuickReply, type ReplyConnection, type ReplyWatcher } from "./quick-reply.ts";

/** Opens a reply and serves the request, or says false and has touched nothing; at once where it can. */
export type QuickHandler = (head: QuickHead, body: Buffer, open: OpenReply) => boolean | Promise<boolean>;

export type OpenReply = (watcher: ReplyWatcher) => QuickReply;

export interface QuickConnectionParts {
  handlerFor(path: string): QuickHandler | undefined;
  /** Undefined where the connection ends with the reply. */
  keepAliveSeconds(): number | undefined;
  /** Gives the socket to Node, with all that was read and not answered. */
  handOver(socket: Socket): void;
  onGone(connection: QuickConnection): void;
}

/**
 * A client's connection as long as it sends what the quick lane knows, one request at a time. At the first that is different
 * the connection goes to Node, with that request unread, and stays there.
 */
export class QuickConnection implements ReplyConnection {
  readonly #socket: Socket;
  readonly #parts: QuickConnectionParts;
  readonly #listeners: Record<string, (value: never) => void>;
  readonly #heads = new HeadReader();
  /** What has come of requests that are not answered yet, from the beginning of the first. */
  #unread: Buffer | undefined;
  #head: QuickHead | undefined;
  #isUndecided = false;
  #reply: QuickReply | undefined;
  #untilMs: number;

  constructor(socket: Socket, firstMs: number, parts: QuickConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#untilMs = performance.now() + firstMs;
    this.#listeners = {
      data: (bytes: Buffer) => this.#read(bytes),
      end: () => socket.destroy(),
      drain: () => this.#reply?.drained(),
      error: () => socket.destroy(),
      close: () => this.#close(),
    };
    for (const [event, tell] of Object.entries(this.#listeners)) socket.on(event, tell as () => void);
  }

  get keepAliveSeconds(): number | undefined {
    return this.#parts.keepAliveSeconds();
  }

  /** Closes what has been idle for too long. A request that has not come whole by now is Node's, whose time-outs hold for it. */
  checkTime(nowMs: number): void {
    if (this.#isBusy) return;
    if (this.#unread) this.#handOver();
    else if (nowMs > this.#untilMs) this.#socket.destroy();
  }

  closeIdle(): void {
    if (!this.#isBusy && !this.#unread) this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  end(): void {
    this.#socket.destroySoon();
  }

  goOn(): void {
    this.#reply = undefined;
    this.#untilMs = performance.now() + (this.keepAliveSeconds ?? 0) * 1000;
    if (!this.#unread) return;
    this.#socket.resume();
    this.#serve(this.#unread);
  }

  get #isBusy(): boolean {
    return this.#reply !== undefined || this.#isUndecided;
  }

  #read(bytes: Buffer): void {
    this.#unread = this.#unread ? Buffer.concat([this.#unread, bytes]) : bytes;
    // One after another: what comes before its turn waits, the rest of it with the client.
    if (this.#isBusy) this.#socket.pause();
    else this.#serve(this.#unread);
  }

  #serve(bytes: Buffer): void {
    this.#head ??= this.#heads.read(bytes);
    const head = this.#head;
    const handle = head && this.#parts.handlerFor(head.path);
    if (!handle || bytes.length > head.bodyEnd) this.#handOver();
    else if (bytes.length === head.bodyEnd) {
      const isServed = handle(head, bytes.subarray(head.bodyStart), this.#open);
      if (isServed === false) this.#handOver();
      else if (isServed !== true) this.#await(isServed);
    }
  }

  #await(decision: Promise<boolean>): void {
    this.#isUndecided = true;
    decision.then(
      (isServed) => {
        this.#isUndecided = false;
        if (!isServed && !this.#socket.destroyed) this.#handOver();
      },
      // One client's trouble, which must not become everybody's.
      () => this.#socket.destroy(),
    );
  }

  /** From here on the request is answered here. */
  readonly #open = (watcher: ReplyWatcher): QuickReply => {
    const reply = new QuickReply(this.#socket, this, watcher);
    const { bodyEnd } = this.#head!;
    this.#unread = this.#unread!.length > bodyEnd ? this.#unread!.subarray(bodyEnd) : undefined;
    this.#head = undefined;
    this.#reply = reply;
    // The client has gone while it was decided.
    if (this.#socket.destroyed) queueMicrotask(() => reply.closed());
    return reply;
  };

  #handOver(): void {
    for (const [event, tell] of Object.entries(this.#listeners)) this.#socket.off(event, tell as () => void);
    this.#parts.onGone(this);
    // At rest, so that what goes back is read again by whoever listens next.
    this.#socket.pause();
    if (this.#unread) this.#socket.unshift(this.#unread);
    this.#parts.handOver(this.#socket);
    this.#socket.resume();
  }

  #close(): void {
    this.#parts.onGone(this);
    this.#reply?.closed();
  }
}
