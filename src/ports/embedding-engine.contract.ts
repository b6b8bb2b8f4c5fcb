import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EmbeddingEngine } from "./embedding-engine.ts";

/** What every embedding engine promises. `create` brings one up and says how to take it down. */
export function embeddingEngineContract(
  name: string,
  create: () => Promise<{ engine: EmbeddingEngine; close(): Promise<void> }>,
): void {
  describe(`${name} as an embedding engine`, () => {
    let engine: EmbeddingEngine;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ engine, close } = await create());
    });
    afterAll(() => close());

    const embed = (texts: readonly string[], signal = new AbortController().signal) =>
      engine.embed({ texts, key: "contract", flow: "contract" }, signal);

    it("gives one vector of unit length for each text, in order", async () => {
      const texts = ["The invoice is due on Friday.", "A cat sleeps in the sun.", "Payment is expected this Friday."];
      const { vectors, inputTokens } = await embed(texts);
      expect(vectors).toHaveLength(3);
      expect(inputTokens).toBeGreaterThan(15);
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(cosine(vectors[0]!, vectors[2]!)).toBeGreaterThan(cosine(vectors[0]!, vectors[1]!));
    });

    it("gives a text the same vector whatever stands beside it", async () => {
      const alone = await embed(["The train leaves at nine."]);
      const among = await embed(["Something else entirely, and rather longer.", "The train leaves at nine.", "x"]);
      expect(cosine(alone.vectors[0]!, among.vectors[1]!)).toBeGreaterThan(0.999999);
    });

    it("does not begin when the signal was aborted before", async () => {
      await expect(embed(["never"], AbortSignal.abort(new Error("never")))).rejects.toThrow();
    });
  });
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}
