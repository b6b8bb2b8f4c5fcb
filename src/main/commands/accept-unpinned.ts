import { createInterface } from "node:readline/promises";
import { isPinned, type Model } from "../../adapters/models/catalog.ts";
import { list, Problem } from "../../platform/errors.ts";

export const ACCEPT_UNPINNED = "fetch also what no sha256 is known of";

/** Asks before the first download of what nobody here can check: from then on it is what it was then. */
export async function requireConsent(models: readonly Model[], isAccepted = false): Promise<void> {
  const unpinned = models.filter((model) => !isPinned(model));
  if (unpinned.length === 0 || isAccepted) return;
  const what = `No sha256 is known of some files of ${list(unpinned.map(({ id }) => id))}: their source is taken at its word, and the first download decides what is right from then on.`;
  if (process.stdin.isTTY && process.stdout.isTTY) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await terminal.question(`${what}\nFetch anyway? [y/N] `);
    terminal.close();
    if (/^y(es)?$/i.test(answer.trim())) return;
    throw new Problem("invalid_request", "Nothing was fetched.");
  }
  throw new Problem("invalid_request", `${what} If that will do, add --accept-unpinned.`);
}
