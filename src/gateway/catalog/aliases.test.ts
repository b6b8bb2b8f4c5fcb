import { describe, expect, it } from "vitest";
import { readAliases } from "./aliases.ts";

describe("the operator's names for models", () => {
  it("stand for their models in order, or by weight where there are any", () => {
    expect(readAliases("fast = a/x*3 | b/y ; smart=c/z:free")).toEqual([
      {
        name: "fast",
        strategy: "weighted",
        models: [
          { model: "a/x", weight: 3 },
          { model: "b/y", weight: 1 },
        ],
      },
      { name: "smart", strategy: "order", models: [{ model: "c/z:free", weight: 1 }] },
    ]);
    expect(readAliases(undefined)).toEqual([]);
  });

  it.each(["fast", "=a/x", "fast=a x", "fast=|", "local/fast=a/x"])("that make no sense stop the start: %s", (text) => {
    expect(() => readAliases(text)).toThrow(/SVC_GATEWAY_ALIASES/);
  });
});
