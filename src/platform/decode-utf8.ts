import { isAscii, isUtf8, transcode } from "node:buffer";

/** From here on the faster way outweighs its second look. */
const longBytes = 16 * 1024;

/** `bytes.toString("utf8")`, for long texts that are not English about four times as fast: Node 20 to 24 decode UTF-8 letter by
 *  letter, but change it to UTF-16 many letters at a time. */
export function decodeUtf8(bytes: Buffer): string {
  if (bytes.length < longBytes) return bytes.toString("utf8");
  // Kept in one byte for each letter, which is also faster to parse.
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (!isUtf8(bytes)) return bytes.toString("utf8");
  return transcode(bytes, "utf8", "utf16le").toString("utf16le");
}
