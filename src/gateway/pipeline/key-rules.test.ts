import { describe, expect, it } from "vitest";
import { checkModel } from "./resolve.ts";
import { OwnTokenWindows } from "./token-windows.ts";

describe("a key's models", () => {
  it.each([
    [null, "openai/gpt-4o", true],
    [["openai/gpt-4o"], "openai/gpt-4o", true],
    [["openai/gpt-4o"], "openai/gpt-4o-mini", false],
    [["openai/*"], "openai/gpt-4o-mini", true],
    [["openai/*"], "evil/openai/x", false],
    [["*-mini", "local/*"], "local/tinyllama-1.1b-chat", true],
    [["a.b/*"], "axb/c", false],
    [["*"], "anything/at-all", true],
  ])("%j: %s is %s", (patterns, model, isAllowed) => {
    const check = () => checkModel(patterns, model);
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(`This key may not use "${model}". Its models: ${patterns!.join(", ")}.`);
  });
});

describe("tokens a minute", () => {
  it("are those of the last minute, and the refusal says when there is room again", () => {
    const clock = { time: 1_000_000, now: () => clock.time };
    const windows = new OwnTokenWindows(clock);
    windows.admit("a", 100);
    windows.add("a", 60);
    clock.time += 20_000;
    windows.add("a", 70);
    windows.admit("b", 100);
    expect(() => windows.admit("a", 100)).toThrow("limit of 100 tokens a minute is used up. Try again in 40 s.");
    clock.time += 40_001;
    windows.admit("a", 100);
    clock.time += 60_000;
    windows.admit("a", 1);
  });
});
