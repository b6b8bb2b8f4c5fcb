import type { FastifyReply } from "fastify";
import type { Recorder } from "./copy-reply.ts";

/** Names and values in turns: objects with such names cost a request more than writing them. */
export type HeaderList = readonly string[];

/** What is longer is not copied once more to leave in one piece (guess). */
const longestCopy = 65_536;

/** The way to the caller, past the framework: bytes leave as they come. */
export class Outlet {
  readonly #reply: FastifyReply;
  readonly #recorder: Recorder | undefined;
  #isStarted = false;
  #isFull = false;
  /** The bytes of chunks stand between frames that are written here. */
  #isChunked = false;

  constructor(reply: FastifyReply, recorder?: Recorder) {
    this.#reply = reply;
    this.#recorder = recorder;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** The caller is slower than the upstream. */
  get isFull(): boolean {
    return this.#isFull && !this.#reply.raw.destroyed;
  }

  start(status: number, headers: HeaderList): void {
    this.#isStarted = true;
    this.#recorder?.start(status, toRecord(headers));
    // In this order: a header that Node refuses must leave the reply to those who report the failure.
    const { raw } = this.#reply;
    raw.writeHead(status, allHeaders(this.#reply, headers) as string[]);
    this.#reply.hijack();
    // Node would hand the socket four pieces for each chunk, which takes a third longer than one string.
    this.#isChunked = raw.chunkedEncoding;
    raw.chunkedEncoding = false;
  }

  write(chunk: Buffer | string): void {
    if (chunk.length === 0) return;
    this.#recorder?.write(chunk);
    const { raw } = this.#reply;
    if (!raw.destroyed) this.#isFull = !this.#put(chunk);
  }

  /** Until the caller has taken what waits for it, or has gone. */
  room(): Promise<void> {
    const { raw } = this.#reply;
    return new Promise((resolve) => {
      const onRoom = () => {
        raw.off("drain", onRoom).off("close", onRoom);
        this.#isFull = false;
        resolve();
      };
      raw.on("drain", onRoom).on("close", onRoom);
    });
  }

  /** The last bytes, if any. */
  end(chunk?: Buffer | string): void {
    if (chunk !== undefined) this.#recorder?.write(chunk);
    const { raw } = this.#reply;
    if (!this.#isChunked) {
      raw.end(chunk);
      return;
    }
    if (chunk !== undefined && chunk.length > 0 && !raw.destroyed) this.#put(chunk);
    raw.end("0\r\n\r\n", "latin1");
  }

  #put(chunk: Buffer | string): boolean {
    const { raw } = this.#reply;
    if (!this.#isChunked) return raw.write(chunk);
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    const size = `${bytes.length.toString(16)}\r\n`;
    // One character for each byte.
    if (bytes.length <= longestCopy) return raw.write(`${size}${bytes.toString("latin1")}\r\n`, "latin1");
    raw.write(size, "latin1");
    raw.write(bytes);
    return raw.write("\r\n", "latin1");
  }

  /** Half a reply that must not look like a whole one. */
  breakOff(): void {
    this.#recorder?.abandon();
    this.#reply.raw.destroy();
  }

  /** What was sent is the whole, successful reply. */
  complete(): void {
    this.#recorder?.complete();
  }

  /** It never will be. */
  abandon(): void {
    this.#recorder?.abandon();
  }

  /** A reply in one piece. It is complete even when the caller has gone, who may come back for it. */
  send({ status, type, body, headers = [] }: WholeReply): void {
    const size = Buffer.byteLength(body);
    this.start(status, ["content-type", type, "content-length", String(size), ...headers]);
    this.#recorder?.write(body);
    // Together with its head.
    if (Buffer.isBuffer(body) && size <= longestCopy) this.#reply.raw.end(body.toString("latin1"), "latin1");
    else this.#reply.raw.end(body);
    this.complete();
  }
}

export const jsonType = "application/json; charset=utf-8";

export interface WholeReply {
  status: number;
  type: string;
  body: string | Buffer;
  /** Beside its type and length. */
  headers?: HeaderList;
}

/** After those that the framework has set. */
function allHeaders(reply: FastifyReply, headers: HeaderList): HeaderList {
  const own = reply.getHeaders();
  const list: string[] = [];
  // No value reads like the name of a header.
  for (const name in own) if (own[name] !== undefined && !headers.includes(name)) list.push(name, own[name] as string);
  for (const one of headers) list.push(one);
  return list;
}

function toRecord(headers: HeaderList): Record<string, string> {
  const record: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) record[headers[at]!] = headers[at + 1]!;
  return record;
}
