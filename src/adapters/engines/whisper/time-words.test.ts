import { describe, expect, it } from "vitest";
import { timeWords } from "./time-words.ts";

const pieces = ["Good", " mor", "ning", " all", "."];
const vocabulary = {
  bytesOf: (token: number) => Buffer.from(pieces[token]!),
  textOf: (tokens: readonly number[]) =>
    tokens
      .map((token) => pieces[token])
      .join("")
      .trim(),
};
const rows = 40;

/** Two heads that look at the row of each token, and at a little silence behind the speech. */
function lookAt(...centres: number[]): Float32Array[] {
  const width = rows + 5;
  return centres.map((centre) =>
    Float32Array.from({ length: 2 * width }, (_, i) => Math.exp(-(((i % width) - centre) ** 2) / 18)),
  );
}

describe("times of words", () => {
  const looks = lookAt(4, 13, 19, 28, 36);

  it("follow where the decoder looked while it wrote them", () => {
    const words = timeWords(
      { tokens: [0, 1, 2, 3, 4], looks },
      { rows: rows + 5, spokenRows: rows },
      vocabulary,
      "Good morning all.",
    );
    expect(words.map(({ word }) => word)).toEqual(["Good", "morning", "all."]);
    expect(words[0]!.startMs).toBe(0);
    expect(words[1]!.startMs / 20).toBeGreaterThan(5);
    expect(words[1]!.startMs / 20).toBeLessThan(13);
    expect(words[2]!.startMs / 20).toBeGreaterThan(19);
    expect(words[2]!.startMs / 20).toBeLessThan(29);
    for (const [index, { startMs, endMs }] of words.entries()) {
      expect(endMs).toBe(words[index + 1]?.startMs ?? rows * 20);
      expect(endMs).toBeGreaterThan(startMs);
    }
  });

  it("are left to others when the text is not what was written", () => {
    const written = { tokens: [0, 1, 2, 3, 4], looks };
    expect(timeWords(written, { rows: rows + 5, spokenRows: rows }, vocabulary, "Good evening all.")).toEqual([]);
    expect(timeWords({ tokens: [], looks: [] }, { rows: 5, spokenRows: 5 }, vocabulary, "")).toEqual([]);
  });
});
