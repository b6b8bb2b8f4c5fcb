import { headEnd, headerLine, headerLines, isBlank, lineEnd, sizeLine, statusLine } from "./grammar.ts";

export interface ParsedReply {
  /** Once, for the reply itself; what is said on the way (1xx) is passed over. */
  onHead(head: ReplyHead): void;
  /** A view of the bytes that were pushed. */
  onBody(bytes: Buffer): void;
}

/** The upstream does not speak HTTP/1.1 as it should. Its words are not repeated: they may be anybody's. */
export class MalformedReply extends Error {
  override name = "MalformedReply";
}

type State = "head" | "counted" | "chunk-size" | "chunk" | "chunk-end" | "trailers" | "until-close";

const largestHead = 32_768;
const largestSizeLine = 1_024;
const mostInterim = 16;
const nothing = Buffer.alloc(0);

/**
 * Reads one HTTP/1.1 reply from bytes that come in any pieces. Strict where two readers could disagree about where a reply ends:
 * length and encoding together, lengths that differ, folded headers, bare line feeds and unknown encodings are refused.
 */
export class ReplyParser {
  isOver = false;
  /** Stops before the next bytes of the body. */
  isPaused = false;
  /** Whether another request may follow on the same connection, once the reply is over. */
  isReusable = false;
  /** How long the upstream says it keeps an idle connection. */
  keepAliveMs: number | undefined;
  readonly #reply: ParsedReply;
  #state: State = "head";
  /** The beginning of a head or a line whose end has not come yet. */
  #partial: Buffer = nothing;
  /** Of a counted body or a chunk. */
  #left = 0;
  #interim = 0;
  #trailerBytes = 0;

  constructor(reply: ParsedReply) {
    this.#reply = reply;
  }

  /** Returns how many of the bytes were read: not all of them when the reply is over before, or while it is paused. */
  push(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && !this.isOver && !this.isPaused) at = this.#step(bytes, at);
    return at;
  }

  /** The connection has ended. Throws when the reply has not. */
  end(): void {
    if (!this.isOver && this.#state !== "until-close")
      throw new MalformedReply("the upstream ended its reply too soon");
    this.isOver = true;
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case "head":
        return this.#readHead(bytes, at);
      case "counted":
      case "chunk":
        return this.#readCounted(bytes, at);
      case "chunk-size":
      case "chunk-end":
      case "trailers":
        return this.#readLine(bytes, at);
      default:
        this.#reply.onBody(bytes.subarray(at));
        return bytes.length;
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const end = this.#find(headEnd, bytes, at, largestHead);
    if (end < 0) return bytes.length;
    const text = this.#take(bytes, at, end, headEnd.length);
    const status = statusLine.exec(text);
    if (!status) throw new MalformedReply("the upstream's reply has no status line");
    const head = new ReplyHead(Number(status[2]), text);
    if (head.status >= 200) this.#begin(head, status[1] === "1");
    else this.#passOver(head);
    return end;
  }

  /** 101 would be another protocol, which nobody asked for. */
  #passOver({ status }: ReplyHead): void {
    this.#interim += 1;
    if (status === 101 || this.#interim > mostInterim) throw new MalformedReply(`an unexpected ${status}`);
  }

  #begin(head: ReplyHead, isPersistent: boolean): void {
    const encoding = head.header("transfer-encoding");
    const length = readLength(head);
    if (encoding !== undefined) {
      if (length !== undefined) throw new MalformedReply("a reply with both a length and a transfer encoding");
      if (!isPersistent || encoding.toLowerCase() !== "chunked" || head.count("transfer-encoding") > 1) {
        throw new MalformedReply("an unknown transfer encoding");
      }
    }
    const isBodiless = head.status === 204 || head.status === 304;
    this.isReusable = isPersistent && !head.saysClose && (isBodiless || encoding !== undefined || length !== undefined);
    this.keepAliveMs = head.keepAliveMs;
    this.#left = length ?? 0;
    this.isOver = isBodiless || length === 0;
    if (encoding !== undefined) this.#state = "chunk-size";
    else this.#state = length === undefined ? "until-close" : "counted";
    this.#reply.onHead(head);
  }

  #readCounted(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    if (this.#left === 0) {
      if (this.#state === "counted") this.isOver = true;
      else this.#state = "chunk-end";
    }
    this.#reply.onBody(bytes.subarray(at, end));
    return end;
  }

  #readLine(bytes: Buffer, at: number): number {
    const end = this.#find(lineEnd, bytes, at, this.#state === "trailers" ? largestHead : largestSizeLine);
    if (end < 0) return bytes.length;
    const line = this.#take(bytes, at, end, lineEnd.length);
    if (this.#state === "chunk-size") this.#beginChunk(line);
    else if (this.#state === "trailers") this.#passTrailer(line);
    else if (line === "") this.#state = "chunk-size";
    else throw new MalformedReply("a chunk is longer than it says");
    return end;
  }

  #beginChunk(line: string): void {
    const size = sizeLine.exec(line);
    if (!size) throw new MalformedReply("a chunk without a size");
    this.#left = Number.parseInt(size[1]!, 16);
    this.#state = this.#left === 0 ? "trailers" : "chunk";
  }

  /** Nobody asks for them, but what stands there must at least be headers. */
  #passTrailer(line: string): void {
    this.isOver = line === "";
    if (this.isOver) return;
    this.#trailerBytes += line.length;
    if (this.#trailerBytes > largestHead || !headerLine.test(line)) throw new MalformedReply("malformed trailers");
  }

  /** Where `mark` ends, which may have begun in what came before; -1 when it has not come yet, and then the bytes are kept. */
  #find(mark: Buffer, bytes: Buffer, at: number, limit: number): number {
    const before = this.#partial;
    let end = -1;
    if (before.length > 0) {
      const edge = Buffer.concat([before.subarray(-mark.length + 1), bytes.subarray(at, at + mark.length)]);
      const found = edge.indexOf(mark);
      if (found >= 0) end = at + found + mark.length - Math.min(before.length, mark.length - 1);
    }
    if (end < 0) {
      const found = bytes.indexOf(mark, at);
      if (found >= 0) end = found + mark.length;
    }
    if (before.length + (end < 0 ? bytes.length : end) - at > limit) throw new MalformedReply("a head without end");
    // A copy, because the bytes are only lent.
    if (end < 0) this.#partial = Buffer.concat([before, bytes.subarray(at)]);
    return end;
  }

  /** As text, without the mark at its end. */
  #take(bytes: Buffer, at: number, end: number, markLength: number): string {
    if (this.#partial.length === 0) return bytes.toString("latin1", at, end - markLength);
    const whole = Buffer.concat([this.#partial, bytes.subarray(at, end)]);
    this.#partial = nothing;
    return whole.toString("latin1", 0, whole.length - markLength);
  }
}

/** Looked up in its text: of a head's many lines few are ever asked for. */
class ReplyHead {
  readonly status: number;
  readonly #text: string;
  /** The same with all names in lower case. */
  readonly #names: string;

  constructor(status: number, text: string) {
    const start = text.indexOf("\r\n");
    headerLines.lastIndex = start < 0 ? text.length : start;
    if (!headerLines.test(text)) throw new MalformedReply("a malformed header");
    this.status = status;
    this.#text = text;
    this.#names = text.toLowerCase();
  }

  header(name: string): string | undefined {
    const at = this.#names.indexOf(`\r\n${name}:`);
    return at < 0 ? undefined : this.#valueAt(at + name.length + 3);
  }

  count(name: string): number {
    return this.values(name).length;
  }

  values(name: string): string[] {
    const found: string[] = [];
    const mark = `\r\n${name}:`;
    for (let at = this.#names.indexOf(mark); at >= 0; at = this.#names.indexOf(mark, at + mark.length)) {
      found.push(this.#valueAt(at + mark.length));
    }
    return found;
  }

  /** Without the blanks around it; of those only the two that HTTP knows. */
  #valueAt(start: number): string {
    const text = this.#text;
    let from = start;
    while (isBlank(text.charCodeAt(from))) from += 1;
    let end = text.indexOf("\r\n", from);
    if (end < 0) end = text.length;
    while (end > from && isBlank(text.charCodeAt(end - 1))) end -= 1;
    return text.slice(from, end);
  }

  get saysClose(): boolean {
    if (!this.#names.includes("close")) return false;
    return this.values("connection").some((value) => /(?:^|,)\s*close\s*(?:,|$)/i.test(value));
  }

  get keepAliveMs(): number | undefined {
    const text = this.header("keep-alive");
    if (text !== lastKeepAlive.text) lastKeepAlive = { text, ms: text === undefined ? undefined : readTimeout(text) };
    return lastKeepAlive.ms;
  }
}

/** Every reply of an upstream says the same. */
let lastKeepAlive: { text: string | undefined; ms: number | undefined } = { text: undefined, ms: undefined };

function readTimeout(text: string): number | undefined {
  const seconds = /(?:^|[,;\s])timeout=(\d{1,6})/i.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function readLength(head: ReplyHead): number | undefined {
  const first = head.header("content-length");
  if (first === undefined) return undefined;
  if (!/^\d{1,15}$/.test(first) || head.values("content-length").some((other) => other !== first)) {
    throw new MalformedReply("a reply of no certain length");
  }
  return Number(first);
}
