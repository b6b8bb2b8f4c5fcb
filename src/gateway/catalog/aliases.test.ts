import { describe, expect, it } from "vitest";
import { readAliases } from "./aliases.ts";

describe("the operator's names for models", () => {
  it("stand for their models in order", () => {
    const aliases = readAliases("fast = a/x | b/y ; smart=c/z:free");
    expect(aliases.resolve("fast")).toEqual(["a/x", "b/y"]);
    expect(aliases.resolve("smart")).toEqual(["c/z:free"]);
    expect(aliases.resolve("a/x")).toBeUndefined();
  });

  it("are chosen by weight, and the others follow", () => {
    const chosen = (random: number) => readAliases("fast=a/x*3|b/y", () => random).resolve("fast");
    expect(chosen(0.74)).toEqual(["a/x", "b/y"]);
    expect(chosen(0.76)).toEqual(["b/y", "a/x"]);
  });

  it.each(["fast", "=a/x", "fast=a x", "fast=|", "local/fast=a/x"])("that make no sense stop the start: %s", (text) => {
    expect(() => readAliases(text)).toThrow(/SVC_GATEWAY_ALIASES/);
  });
});
