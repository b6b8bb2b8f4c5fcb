/** As much of a reply as is used to send it. */
export interface ReplyWay {
  readonly raw: {
    readonly destroyed: boolean;
    readonly writableFinished: boolean;
    writeHead(status: number, headers: string[]): unknown;
    write(chunk: Buffer | string): boolean;
    end(chunk?: Buffer | string): unknown;
    once(event: "close" | "drain", tell: () => void): unknown;
    destroy(): unknown;
    /** Its status is known before it leaves. */
    book?(status: number): void;
  };
  /** What the framework has set and `raw` has not been told. */
  getHeaders?(): Record<string, unknown>;
  hijack(): unknown;
  code(status: number): this;
  headers(values: Record<string, string>): this;
  /** An error is told in the service's words. */
  send(payload: unknown): unknown;
}

/** Names and values in turns: objects with such names cost a request more than writing them. */
export type HeaderList = readonly string[];

/** Keeps a copy of what leaves, for replies that may be asked for again. */
export interface Recorder {
  start(status: number, headers: Record<string, string>): void;
  write(chunk: Buffer | string): void;
  /** The reply is complete and may be replayed. */
  complete(): void;
  /** There will be no complete reply: the same request may be tried again. */
  abandon(): void;
}

/** Says in other words what leaves, piece by piece. */
export interface Translator {
  push(chunk: Buffer | string): string;
  /** What is left to say when nothing more comes. */
  end(): string;
}

/** The way to the client, past the framework: bytes leave as they come. */
export class Outlet {
  readonly #reply: ReplyWay;
  readonly #recorder: Recorder | undefined;
  readonly #translator: Translator | undefined;
  #isStarted = false;

  constructor(reply: ReplyWay, recorder?: Recorder, translator?: Translator) {
    this.#reply = reply;
    this.#recorder = recorder;
    this.#translator = translator;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** The client has hung up. */
  get isGone(): boolean {
    return this.#reply.raw.destroyed && !this.#reply.raw.writableFinished;
  }

  onGone(tell: () => void): void {
    const { raw } = this.#reply;
    raw.once("close", () => {
      if (!raw.writableFinished) tell();
    });
  }

  start(status: number, headers: HeaderList): void {
    this.#isStarted = true;
    this.#recorder?.start(status, toRecord(headers));
    // In this order: a header that Node refuses must leave the reply to those who report the failure.
    this.#reply.raw.writeHead(status, allHeaders(this.#reply, headers) as string[]);
    this.#reply.hijack();
  }

  /** False when the client is slower than the upstream; `onRoom` is then told when there is room again. */
  write(given: Buffer | string, onRoom?: () => void): boolean {
    const chunk = this.#translator ? this.#translator.push(given) : given;
    if (chunk.length === 0) return true;
    this.#recorder?.write(chunk);
    const { raw } = this.#reply;
    if (raw.destroyed || raw.write(chunk)) return true;
    if (onRoom) raw.once("drain", onRoom);
    return false;
  }

  /** The last bytes, if any. */
  end(given?: Buffer | string): void {
    const translator = this.#translator;
    const chunk = translator ? (given === undefined ? "" : translator.push(given)) + translator.end() : given;
    if (chunk !== undefined) this.#recorder?.write(chunk);
    this.#reply.raw.end(chunk);
  }

  /** Says that what was sent is the whole, successful reply. */
  complete(): void {
    this.#recorder?.complete();
  }

  /** Says that it never will be. */
  abandon(): void {
    this.#recorder?.abandon();
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

/** A reply in one piece. It is complete even when the client has gone, who may come back for it. */
export function sendWhole(reply: ReplyWay, whole: WholeReply, recorder?: Recorder): void {
  const { status, type, body, headers = [] } = whole;
  const outlet = new Outlet(reply, recorder);
  outlet.start(status, ["content-type", type, "content-length", String(Buffer.byteLength(body)), ...headers]);
  outlet.end(body);
  outlet.complete();
}

/** After those that the framework has set. */
function allHeaders(reply: ReplyWay, headers: HeaderList): HeaderList {
  const own = reply.getHeaders?.();
  if (!own) return headers;
  const list: string[] = [];
  for (const name in own) {
    const isGiven = headers.some((one, at) => at % 2 === 0 && one === name);
    if (own[name] !== undefined && !isGiven) list.push(name, own[name] as string);
  }
  return [...list, ...headers];
}

function toRecord(headers: HeaderList): Record<string, string> {
  const record: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) record[headers[at]!] = headers[at + 1]!;
  return record;
}
