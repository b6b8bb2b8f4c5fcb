import { hash, randomBytes } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A random name that nobody can guess: 22 characters of 62 are 130 bits. */
export function newId(prefix: string, length = 22): string {
  let id = prefix;
  while (id.length < prefix.length + length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte; what lies above would favour the first letters.
      if (byte < 248 && id.length < prefix.length + length) id += alphabet[byte % 62];
    }
  }
  return id;
}

/** Names that are random once per run and counted from there: no two are the same, and none costs more than an addition. */
export function countIds(prefix: string): () => string {
  const run = newId(prefix, 14);
  let count = 0;
  return () => {
    count += 1;
    return `${run}${count}`;
  };
}

/** What is stored of a secret instead of the secret. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}
