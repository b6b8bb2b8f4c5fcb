import { expect } from "vitest";

/** The first request of an engine loads its model, and machines are slow. */
export const patience = { timeout: 300_000 };

/** Expects of what a page shows sooner or later: read once right after a click, it may not have come yet. */
export function eventually<Value>(read: () => Value | Promise<Value>) {
  return expect.poll(read, patience);
}
