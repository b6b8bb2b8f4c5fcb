import { describe, expect, it } from "vitest";
import { nearest } from "./nearest.ts";

const fields = ["text", "language", "target_language", "voice", "speed"];

describe("the nearest name", () => {
  it.each([
    ["lang", "language"],
    ["targetLanguage", "target_language"],
    ["txt", "text"],
    ["Voice", "voice"],
    ["speeed", "speed"],
  ])("to %s is %s", (given, meant) => {
    expect(nearest(given, fields)).toBe(meant);
  });

  it.each(["response_format", "", "__proto__", "x".repeat(100_000)])("to %s is none", (given) => {
    expect(nearest(given, fields)).toBeUndefined();
  });
});
