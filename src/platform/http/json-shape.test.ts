import { describe, expect, it } from "vitest";
import { checkJsonShape } from "./json-shape.ts";

/** Blanks, so that it is long enough to be looked at. */
const check = (text: string) => checkJsonShape(Buffer.from(text + " ".repeat(4096)));
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("the shape of a JSON body", () => {
  it("may be a hundred levels deep and not one more", () => {
    expect(() => check(nested(100))).not.toThrow();
    expect(() => check(nested(101))).toThrow("100 levels");
    expect(() => check('{"a":'.repeat(101))).toThrow("100 levels");
  });

  it("is not judged by what stands in strings", () => {
    expect(() => check(JSON.stringify({ text: `${"[".repeat(500)} \\" ${'"{'.repeat(500)}\\` }))).not.toThrow();
    expect(() => check(`["\\\\", ${nested(99)}]`)).not.toThrow();
    expect(() => check(`["\\\\", ${nested(100)}]`)).toThrow("100 levels");
  });

  it("is looked at once, however many strings there are", () => {
    expect(() => check(JSON.stringify(Array.from({ length: 390_000 }, () => "abc")))).not.toThrow();
    expect(() => check(JSON.stringify("\\".repeat(400_001)))).toThrow("escaped");
  });

  it("has so many values at most", () => {
    expect(() => check(`[${"1,".repeat(399_999)}1]`)).not.toThrow();
    expect(() => check(`[${"1,".repeat(400_000)}1]`)).toThrow("400000 values");
    expect(() => check(JSON.stringify({ picture: "A,".repeat(5_000_000) }))).not.toThrow();
  });
});
