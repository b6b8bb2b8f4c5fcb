import { availableParallelism } from "node:os";
import { type Algorithm, hash, verify } from "@node-rs/argon2";
import { Problem } from "../../platform/errors.ts";

/** OWASP's second choice for argon2id, 89 ms of one core and 19 MB each (Password Storage Cheat Sheet). */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashing runs on the four threads that files and names are read with too: more at once would hold everything else up. One core is left
 *  to everybody else, because strangers may sign in as often as they have addresses. */
const mostAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Two seconds of work at most; whoever comes after is asked to come back. */
const mostWaiting = 24;

let running = 0;
const waiting: (() => void)[] = [];

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalize(password), cost));
}

/** Does the same work when there is no such account, so that the time tells nothing. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const isRight = await inTurn(() => verify(stored ?? nobody, normalize(password)));
  return isRight && stored !== undefined;
}

/** The hash of a random password that nobody knows, at the cost above. */
export const nobody =
  "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IG9mIG5vYm9keQ$WkCMLCLyhQ7RnbQe4nSIJH5zdUBYBRtLH+1HbO1nP2s";

/** The same characters, however a keyboard composes them (NIST SP 800-63B). */
function normalize(password: string): string {
  return password.normalize("NFKC");
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= mostAtOnce) {
    if (waiting.length >= mostWaiting) {
      throw new Problem("rate_limited", "Too many people are signing in right now. Try again in a few seconds.", {
        retryAfterSeconds: 3,
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
