import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { joinBytes, writeHeader } from "../../http1/grammar.ts";

/**
 * As much of Fastify's reply, and of Node's response below it (`raw`), as routes of the quick lane use. Head and body leave in one
 * piece where they can.
 */
export class QuickReply {
  readonly raw = this;
  isBrokenOff = false;
  statusCode = 200;
  writableFinished = false;
  destroyed = false;
  readonly #socket: Socket;
  readonly #connection: ReplyConnection;
  readonly #watcher: ReplyWatcher;
  /** Names and values in turns. */
  readonly #headers: (string | number)[] = [];
  /** Written, but not yet sent. */
  #head = "";
  #isChunked = false;
  /** The client was told that the connection ends with it. */
  #isLast = false;
  #isEnded = false;
  #onClose: (() => void)[] = [];
  #onDrain: (() => void)[] = [];

  constructor(socket: Socket, connection: ReplyConnection, watcher: ReplyWatcher) {
    this.#socket = socket;
    this.#connection = connection;
    this.#watcher = watcher;
  }

  header(name: string, value: string | number): this {
    const at = indexOfName(this.#headers, name);
    if (at < 0) this.#headers.push(name, value);
    else this.#headers[at + 1] = value;
    return this;
  }

  headers(values: Record<string, string | number>): this {
    for (const name in values) this.header(name, values[name]!);
    return this;
  }

  code(status: number): this {
    this.statusCode = status;
    return this;
  }

  type(value: string): this {
    return this.header("content-type", value);
  }

  /** Bytes as they are, an error in the service's words, and anything else as JSON. */
  send(payload: unknown): this {
    if (payload instanceof Error) {
      this.#watcher.onError(payload);
      return this;
    }
    const body = Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    return this.writeHead(this.statusCode, ["content-length", Buffer.byteLength(body)]).end(body);
  }

  /** There is nobody to hijack it from. */
  hijack(): this {
    return this;
  }

  once(event: "close" | "drain", tell: () => void): this {
    (event === "close" ? this.#onClose : this.#onDrain).push(tell);
    return this;
  }

  /** Adds names and values, in turns, to those that are set; what is given here counts. */
  writeHead(status: number, headers: readonly (string | number)[]): this {
    this.statusCode = status;
    this.#isChunked = indexOfName(headers, "content-length") < 0;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n`;
    const set = this.#headers;
    for (let at = 0; at < set.length; at += 2) {
      if (indexOfName(headers, set[at] as string) < 0) head += writeHeader(set[at] as string, set[at + 1]!);
    }
    for (let at = 0; at < headers.length; at += 2) head += writeHeader(headers[at] as string, headers[at + 1]!);
    const { keepAliveSeconds } = this.#connection;
    this.#isLast = keepAliveSeconds === undefined;
    const stay = this.#isLast ? "close" : `keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}`;
    head += `Date: ${httpDate()}\r\nConnection: ${stay}\r\n`;
    this.#head = this.#isChunked ? `${head}Transfer-Encoding: chunked\r\n\r\n` : `${head}\r\n`;
    return this;
  }

  /** False when the client is slower than what is written. */
  write(chunk: Buffer | string): boolean {
    // A chunk of nothing would mean the end, and what comes after it would be taken for the next reply.
    if (this.destroyed || this.#isEnded || chunk.length === 0) return true;
    return this.#socket.write(this.#frame(chunk));
  }

  end(chunk?: Buffer | string): this {
    if (this.destroyed || this.#isEnded) return this;
    this.#isEnded = true;
    this.#watcher.onEnding();
    const last = this.#isChunked ? "0\r\n\r\n" : "";
    const bytes = chunk === undefined || chunk.length === 0 ? this.#takeHead() : this.#frame(chunk);
    const done = (error?: Error | null) => {
      if (!error) this.#finish();
    };
    if (typeof bytes === "string") this.#socket.write(bytes + last, done);
    else if (last === "") this.#socket.write(bytes, done);
    else this.#socket.write(Buffer.concat([bytes, Buffer.from(last)]), done);
    return this;
  }

  /** Known before its last byte leaves, so that it can be written down together with others. */
  book(status: number): void {
    this.#watcher.onKnown(status);
  }

  /** Breaks off what the client is reading. */
  destroy(): this {
    this.isBrokenOff = true;
    this.#socket.destroy();
    return this;
  }

  /** The socket has room again. */
  drained(): void {
    const told = this.#onDrain;
    this.#onDrain = [];
    for (const tell of told) tell();
  }

  /** The socket is gone. */
  closed(): void {
    if (this.writableFinished || this.destroyed) return;
    this.destroyed = true;
    this.#close();
  }

  #finish(): void {
    if (this.destroyed) return;
    this.writableFinished = true;
    this.#close();
    if (this.#isLast) this.#connection.end();
    else this.#connection.goOn();
  }

  #close(): void {
    for (const tell of this.#onClose) tell();
    this.#watcher.onClosed();
  }

  #takeHead(): string {
    const head = this.#head;
    this.#head = "";
    return head;
  }

  /** With the head before it, if that has not left yet, and its length where there is no other. */
  #frame(chunk: Buffer | string): Buffer | string {
    const size = this.#isChunked ? `${Buffer.byteLength(chunk).toString(16)}\r\n` : "";
    const before = this.#takeHead() + size;
    const after = this.#isChunked ? "\r\n" : "";
    if (typeof chunk === "string") return before + chunk + after;
    return joinBytes(before, chunk, after);
  }
}

export interface ReplyConnection {
  /** How long clients are told that it is kept; undefined when it ends with the reply. */
  readonly keepAliveSeconds: number | undefined;
  /** The last byte of the reply is in the kernel's hands. */
  goOn(): void;
  /** The same, and it was the last reply. */
  end(): void;
}

export interface ReplyWatcher {
  /** What went wrong shall be said. */
  onError(error: Error): void;
  /** It is over, one way or the other. */
  /** It is known how it will end. */
  onKnown(status: number): void;
  /** The last of it is about to leave. */
  onEnding(): void;
  onClosed(): void;
}

/** Among names and values in turns. */
function indexOfName(headers: readonly (string | number)[], name: string): number {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return at;
  return -1;
}

let date = "";
let dateUntilMs = 0;
function httpDate(): string {
  const now = Date.now();
  if (now >= dateUntilMs) {
    date = new Date(now).toUTCString();
    dateUntilMs = now - (now % 1000) + 1000;
  }
  return date;
}
