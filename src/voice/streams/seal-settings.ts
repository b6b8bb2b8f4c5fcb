import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Settings may hold what somebody wrote (how a call is to be spoken), and what people write is stored nowhere. So they are
 *  sealed with the token itself, of which the database knows only the hash: whoever has no token can read nothing. */
export function sealSettings(settings: Record<string, unknown>, token: string): Record<string, unknown> {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, keyFrom(token), nonce);
  const sealed = Buffer.concat([sealing.update(JSON.stringify(settings), "utf8"), sealing.final()]);
  return { sealed: Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString("base64") };
}

export function openSettings(stored: Record<string, unknown>, token: string): Record<string, unknown> {
  // Tokens that a version before this one minted.
  if (typeof stored.sealed !== "string") return stored;
  const bytes = Buffer.from(stored.sealed, "base64");
  const opening = createDecipheriv(cipher, keyFrom(token), bytes.subarray(0, nonceBytes));
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString("utf8");
  return JSON.parse(text) as Record<string, unknown>;
}

function keyFrom(token: string): Buffer {
  return Buffer.from(hkdfSync("sha256", token, "", "settings of a realtime token", 32));
}
