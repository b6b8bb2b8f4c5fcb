import { expect, it } from "vitest";
import { readPiperTokens, toPiperIds } from "./piper-ids.ts";

const tokens = readPiperTokens("_ 0\n^ 1\n$ 2\n  3\na 14\n\u0303 141\n");

it("the blank is a symbol like any other", () => {
  expect(tokens.get(" ")).toBe(3);
  expect(tokens.size).toBe(6);
});

it("symbols stand between fillers and marks, composed letters come apart, and unknown ones are left out", () => {
  expect(toPiperIds("a ã☃", tokens).slice(3)).toEqual([0, 14, 0, 3, 0, 14, 0, 141, 0, 2]);
});

it("a blank comes first, behind which no word is swallowed", () => {
  expect(toPiperIds("a", tokens)).toEqual([1, 0, 3, 0, 14, 0, 2]);
  expect(toPiperIds("", tokens)).toEqual([1, 0, 3, 0, 2]);
});
