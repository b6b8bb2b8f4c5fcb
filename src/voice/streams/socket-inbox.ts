import type { WebSocket } from "ws";
import { closeCodes } from "./close-codes.ts";

export type SocketMessage =
  | {
      readonly type: "json";
      readonly value: Record<string, unknown> & { readonly type: string };
      /** On the wire. */
      readonly length: number;
    }
  | { readonly type: "binary"; readonly bytes: Buffer };

/** Bytes that wait in all inboxes together. */
export interface InboxBudget {
  usedBytes: number;
  readonly mostBytes: number;
}

export interface InboxOptions {
  readonly idleMs: number;
  readonly budget?: InboxBudget;
  /** Whether a silent client is waiting for us rather than gone. */
  isBusy?(): boolean;
}

const pauseAboveBytes = 1_000_000;
const resumeBelowBytes = 250_000;

/** What a client sends, in order. A client that sends faster than it is read is made to wait, one that sends nonsense is sent
 *  away with 4400, and one that sends nothing for a minute with 4408. */
export class SocketInbox {
  readonly #socket: WebSocket;
  readonly #options: InboxOptions;
  readonly #messages: SocketMessage[] = [];
  readonly #idleCheck: NodeJS.Timeout;
  #bytes = 0;
  #heardAtMs = Date.now();
  #isClosed = false;
  #wake = () => {};

  constructor(socket: WebSocket, options: InboxOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on("message", (data: Buffer, isBinary) => this.#take(data, isBinary));
    socket.on("ping", () => this.touch());
    socket.on("close", () => this.#end());
    // A broken connection also closes; the error itself tells nobody anything.
    socket.on("error", () => {});
    this.#idleCheck = setInterval(() => this.#checkIdle(), Math.min(1000, options.idleMs / 4));
    this.#idleCheck.unref();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  touch(): void {
    this.#heardAtMs = Date.now();
  }

  /** The next message; undefined when the connection is over. */
  async next(): Promise<SocketMessage | undefined> {
    for (;;) {
      const message = this.#messages.shift();
      if (message) {
        this.#count(-sizeOf(message));
        if (this.#socket.isPaused && this.#bytes < resumeBelowBytes) this.#socket.resume();
        return message;
      }
      if (this.#isClosed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #take(data: Buffer, isBinary: boolean): void {
    this.touch();
    if (this.#isClosed) return;
    const message = isBinary ? ({ type: "binary", bytes: data } as const) : parse(data);
    if (!message) {
      this.#socket.close(closeCodes.malformed, "malformed message: send JSON with a type");
      this.#end();
      return;
    }
    this.#messages.push(message);
    this.#count(sizeOf(message));
    if (this.#bytes > pauseAboveBytes || this.#isBudgetSpent) this.#socket.pause();
    this.#wake();
  }

  get #isBudgetSpent(): boolean {
    const { budget } = this.#options;
    return budget !== undefined && budget.usedBytes > budget.mostBytes;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#options.budget) this.#options.budget.usedBytes += bytes;
  }

  #checkIdle(): void {
    if (this.#messages.length > 0 || this.#options.isBusy?.()) this.touch();
    if (Date.now() - this.#heardAtMs < this.#options.idleMs) return;
    this.#socket.close(closeCodes.idle, `idle for ${Math.round(this.#options.idleMs / 1000)} s`);
    this.#end();
  }

  #end(): void {
    if (this.#isClosed) return;
    clearInterval(this.#idleCheck);
    this.#isClosed = true;
    // A paused socket would never finish closing.
    if (this.#socket.isPaused) this.#socket.resume();
    this.#wake();
  }
}

function parse(data: Buffer): SocketMessage | undefined {
  try {
    const value = JSON.parse(data.toString("utf8")) as unknown;
    const isMessage = typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
    return isMessage ? { type: "json", value: value as { type: string }, length: data.length } : undefined;
  } catch {
    return undefined;
  }
}

function sizeOf(message: SocketMessage): number {
  // A text message may be small on the wire and still costs an object.
  return message.type === "binary" ? message.bytes.length : message.length + 1000;
}
