import { describe, expect, it } from "vitest";
import { scoreByWords } from "./bm25.ts";
import { createLocalRerank } from "./local-rerank.ts";

describe("ranking", () => {
  it("by words finds the document that has the rare ones", () => {
    const scores = scoreByWords("invoice 4711 of March", ["the invoice of April", "the invoice 4711", "of of of of"]);
    expect(scores[1]).toBe(1);
    expect(scores[0]).toBeGreaterThan(scores[2]!);
  });

  it("by words of nothing in common is nothing", () => {
    expect(scoreByWords("a", ["b", ""])).toEqual([0, 0]);
  });

  it("weighs meaning and words into scores from 0 to 1", async () => {
    const vectors = [
      [1, 0],
      [1, 0],
      [0, 1],
    ].map((vector) => Float32Array.from(vector));
    const model = createLocalRerank({ embed: async () => ({ vectors, inputTokens: 9 }) });
    const asked = { query: "x", documents: ["y", "x"], key: "k", flow: "f" };
    const { scores, tokens } = await model.score(asked, new AbortController().signal);
    expect(scores[0]).toBeCloseTo(0.7);
    expect(scores[1]).toBeCloseTo(0.3);
    expect(tokens).toBe(9);
  });
});
