import { describe, expect, it } from "vitest";
import { hashSecret } from "../platform/ids.ts";
import type { Queries } from "../ports/database.ts";
import { createKeyVerifier } from "./verify-key.ts";

describe("keys that ask once a second, as the default limit has it", () => {
  it("are read four times a second, however many they are, and never wait for that", async () => {
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
    let reads = 0;
    const clock = { time: 1_000_000, now: () => clock.time };
    const verifier = createKeyVerifier(
      pretendQueries(keys, () => (reads += 1)),
      clock,
    );
    const pauseMs = 1050 / keys.length;
    const askAll = async () => {
      let late = 0;
      for (const key of keys) {
        let isKnown = false;
        void verifier.verify(key).then(() => {
          isKnown = true;
        });
        await undefined;
        if (!isKnown) late += 1;
        clock.time += pauseMs;
        await new Promise((resolve) => setImmediate(resolve));
      }
      return late;
    };
    await askAll();
    await askAll();
    reads = 0;
    const seconds = 5;
    for (let round = 0; round < seconds; round++) expect(await askAll()).toBe(0);
    expect(reads).toBeLessThanOrEqual(4 * 1.05 * seconds);
  });
});

/** Finds every key, and tells of each read. */
function pretendQueries(keys: readonly string[], onRead: () => void): Queries {
  const rows = keys.map((key) => ({ api_keys: { id: key, hash: hashSecret(key), scopes: [] }, workspaces: {} }));
  const query = {
    from: () => query,
    innerJoin: () => query,
    where: () => {
      onRead();
      return Promise.resolve(rows);
    },
  };
  return { select: () => query } as unknown as Queries;
}
