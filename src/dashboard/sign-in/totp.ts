import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Time-based one-time passwords (RFC 6238) as every authenticator makes them: SHA-1, six digits, half a minute. */
const stepMs = 30_000;
const digits = 6;
/** A code of the half minute before and after counts too: clocks differ and people type slowly (RFC 6238, section 5.2). */
const tolerance = 1;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** 160 bits, as RFC 4226 asks for, in base 32. */
export function newTotpSecret(): string {
  return [...randomBytes(32)].map((byte) => alphabet[byte & 31]).join("");
}

/** The step that a code belongs to; undefined when it belongs to none near now, or to none after `usedStep`. */
export function findStep(secret: string, code: string, nowMs: number, usedStep: number): number | undefined {
  const given = Buffer.from(code.replace(/\s/g, ""));
  if (given.length !== digits) return undefined;
  const now = Math.floor(nowMs / stepMs);
  for (let step = now - tolerance; step <= now + tolerance; step++) {
    if (step > usedStep && timingSafeEqual(given, Buffer.from(codeAt(secret, step)))) return step;
  }
  return undefined;
}

export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", decode(secret)).update(counter).digest();
  const offset = digest.at(-1)! & 15;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** What a QR code holds. */
export function totpUri(secret: string, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

function decode(secret: string): Buffer {
  let bits = 0;
  let size = 0;
  const bytes: number[] = [];
  for (const letter of secret) {
    bits = ((bits << 5) | alphabet.indexOf(letter)) & 0xffff;
    size += 5;
    if (size >= 8) {
      size -= 8;
      bytes.push((bits >> size) & 255);
    }
  }
  return Buffer.from(bytes);
}
