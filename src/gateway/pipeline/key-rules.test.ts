import { describe, expect, it } from "vitest";
import { checkModel } from "./resolve.ts";

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
