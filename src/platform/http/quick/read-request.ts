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
const headEnd = Buffer.from("\r\n\r\n");
const post = Buffer.from("POST /");
const requestLine = /^POST (\/[\w/.-]*) HTTP\/1\.1$/;
const headerLine = /^([!#$%&'*+.^_`|~\w-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/;
/** What changes how a request is read, sent or answered. */
const unusual = ["transfer-encoding", "expect", "upgrade", "trailer", "content-encoding"];

/** Reads a head that can be understood in one way only; undefined for any other, which Node's own parser shall judge. */
export function readHead(bytes: Buffer): QuickHead | undefined {
  // What is not for here is found out at its first bytes.
  if (bytes.length < post.length || bytes.compare(post, 0, post.length, 0, post.length) !== 0) return undefined;
  const end = bytes.indexOf(headEnd);
  if (end < 0 || end > largestHead) return undefined;
  const lines = bytes.toString("latin1", 0, end).split("\r\n");
  const path = requestLine.exec(lines[0]!)?.[1];
  const headers = path === undefined ? undefined : readHeaders(lines);
  if (!headers || !isUsual(headers)) return undefined;
  const bodyStart = end + headEnd.length;
  const bodyEnd = bodyStart + Number(headers["content-length"]);
  return { path: path!, headers, bodyStart, bodyEnd };
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
    /^\d{1,5}$/.test(length) &&
    Number(length) > 0 &&
    Number(length) <= largestBody &&
    headers.host !== undefined &&
    /^application\/json(; ?charset=utf-8)?$/i.test(headers["content-type"] ?? "") &&
    /^(keep-alive)?$/i.test(headers.connection ?? "") &&
    !unusual.some((name) => name in headers)
  );
}
