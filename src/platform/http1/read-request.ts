import { headEnd, headerLine, requestLine } from "./grammar.ts";

/** The head of a request that the quick lane understands, and where its body lies. */
export interface QuickHead {
  readonly path: string;
  /** Names in lower case, each once. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyStart: number;
  readonly bodyEnd: number;
}

const largestHead = 8_192;
/** Node keeps a larger body waiting until there is room for it. */
const largestBody = 65_535;
const post = Buffer.from("POST /");
/** All that stands before the length of the body. */
const lengthLine = /^(.*\r\ncontent-length:[\t ]*)\d/is;
/** What changes how a request is read, sent or answered. */
const unusual = ["transfer-encoding", "expect", "upgrade", "trailer", "content-encoding"];

/**
 * Reads the heads of a connection's requests, as far as they can be understood in one way only; undefined for any other, which
 * Node's own parser shall judge. A client says the same in each request but for the length of its body, so that its first head is
 * read and those after it are mostly recognised.
 */
export class HeadReader {
  #last: Remembered | undefined;

  read(bytes: Buffer): QuickHead | undefined {
    return this.#recognise(bytes) ?? this.#readAnew(bytes);
  }

  #recognise(bytes: Buffer): QuickHead | undefined {
    const last = this.#last;
    if (!last || !startsWith(bytes, 0, last.before)) return undefined;
    const from = last.before.length;
    let at = from;
    while (isDigit(bytes[at])) at += 1;
    if (!startsWith(bytes, at, last.after)) return undefined;
    const length = bytes.toString("latin1", from, at);
    if (length === last.head.headers["content-length"]) return last.head;
    return isBodyLength(length) ? locate(last.head, length, at + last.after.length) : undefined;
  }

  #readAnew(bytes: Buffer): QuickHead | undefined {
    // What is not for here is found out at its first bytes.
    const end = startsWith(bytes, 0, post) ? bytes.indexOf(headEnd) : -1;
    if (end < 0 || end > largestHead) return undefined;
    const text = bytes.toString("latin1", 0, end);
    const lines = text.split("\r\n");
    const path = requestLine.exec(lines[0]!)?.[1];
    const headers = path === undefined ? undefined : readHeaders(lines);
    if (!headers || !isUsual(headers)) return undefined;
    const length = headers["content-length"]!;
    const bodyStart = end + headEnd.length;
    const head = locate({ path: path!, headers }, length, bodyStart);
    const [, before] = lengthLine.exec(text)!;
    const lengthEnd = before!.length + length.length;
    this.#last = { head, before: keep(bytes, 0, before!.length), after: keep(bytes, lengthEnd, bodyStart) };
    return head;
  }
}

/** A head, and its bytes before and after the length of the body. */
interface Remembered {
  readonly head: QuickHead;
  readonly before: Buffer;
  readonly after: Buffer;
}

function locate({ path, headers }: Pick<QuickHead, "path" | "headers">, length: string, bodyStart: number): QuickHead {
  return {
    path,
    headers: { ...headers, "content-length": length },
    bodyStart,
    bodyEnd: bodyStart + Number(length),
  };
}

/** A copy of its own, which keeps nothing of its neighbours alive for as long as a connection may last. */
function keep(bytes: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(to - from);
  bytes.copy(copy, 0, from, to);
  return copy;
}

function startsWith(bytes: Buffer, at: number, part: Buffer): boolean {
  const end = at + part.length;
  return end <= bytes.length && part.compare(bytes, at, end) === 0;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function readHeaders(lines: readonly string[]): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (let index = 1; index < lines.length; index++) {
    const parts = headerLine.exec(lines[index]!);
    if (!parts) return undefined;
    const name = parts[1]!.toLowerCase();
    // Also when it is the name of something that every object has.
    if (headers[name] !== undefined) return undefined;
    headers[name] = parts[2]!.trimEnd();
  }
  return headers;
}

function isUsual(headers: Record<string, string>): boolean {
  const length = headers["content-length"];
  return (
    length !== undefined &&
    isBodyLength(length) &&
    headers.host !== undefined &&
    /^application\/json(; ?charset=utf-8)?$/i.test(headers["content-type"] ?? "") &&
    /^(keep-alive)?$/i.test(headers.connection ?? "") &&
    !unusual.some((name) => name in headers)
  );
}

function isBodyLength(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= largestBody;
}
