import { describe, expect, it } from "vitest";
import { storableCount, storableText } from "./storable.ts";

describe("what goes into shared records", () => {
  it("keeps names as they are", () => {
    expect(storableText("anthropic/claude-3.5:beta")).toBe("anthropic/claude-3.5:beta");
    expect(storableText("modèle")).toBe("modèle");
  });

  it("has no NUL, no lone surrogate and no end of length", () => {
    expect(storableText("x\u0000y\ud800z\n")).toBe("x\ufffdy\ufffdz\ufffd");
    expect(storableText("a".repeat(10_000))).toHaveLength(500);
    expect(storableText(`${"a".repeat(499)}😀`)).toBe(`${"a".repeat(499)}\ufffd`);
  });

  it.each([
    [5e12, 2 ** 31 - 1],
    [Number.POSITIVE_INFINITY, 2 ** 31 - 1],
    [Number.NaN, 0],
    [-1, 0],
    [2.6, 3],
    [7, 7],
  ])("counts %d as %d", (given, stored) => {
    expect(storableCount(given)).toBe(stored);
  });
});
