/**
 * HTTP/1.1 (RFC 9112) as far as it is read and written here, for the replies of upstreams. Strict: what two readers could take in
 * two ways matches nothing.
 */
const name = "[!#$%&'*+.^_`|~\\w-]+";
const text = "[\\t\\x20-\\x7e\\x80-\\xff]*";

export const lineEnd = Buffer.from("\r\n");
export const headEnd = Buffer.from("\r\n\r\n");

/** With the minor version and the status. */
export const statusLine = new RegExp(`^HTTP/1\\.([01]) ([1-5]\\d\\d)(?: ${text})?(?:\\r\\n|$)`);
/** With the name and the value, which may end in blanks. */
export const headerLine = new RegExp(`^(${name}):[\\t ]*(${text})$`);
/** All of a head, from the end of its first line on. */
export const headerLines = new RegExp(`(?:\\r\\n${name}:${text})*$`, "y");
/** With the size of the chunk. */
export const sizeLine = new RegExp(`^([\\da-f]{1,12})[\\t ]*(?:;${text})?$`, "i");

const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

export function writeHeader(name: string, value: string | number): string {
  if (typeof value === "string" && unsendable.test(value)) throw new Error(`the header ${name} cannot be sent`);
  return `${name}: ${value}\r\n`;
}

/** Head and body in one piece: a small copy that saves a call of the kernel. */
export function joinBytes(before: string, bytes: Buffer | undefined, after = ""): Buffer {
  const size = bytes?.length ?? 0;
  const joined = Buffer.allocUnsafe(before.length + size + after.length);
  joined.write(before, "latin1");
  bytes?.copy(joined, before.length);
  if (after !== "") joined.write(after, before.length + size, "latin1");
  return joined;
}

/** One of the two blanks that HTTP knows. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
