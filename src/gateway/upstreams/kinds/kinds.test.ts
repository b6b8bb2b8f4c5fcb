import { expect, it } from "vitest";
import { guessKind } from "./kinds.ts";

it.each([
  ["https://ai-gateway.vercel.sh/v1", "vercel"],
  ["https://openrouter.ai/api/v1", "openrouter"],
  ["http://litellm.internal:4000/v1", "litellm"],
  ["https://notopenrouter.ai/v1", "openai"],
  ["http://127.0.0.1:11434/v1", "openai"],
])("what is at %s is taken for %s", (url, kind) => {
  expect(guessKind(url)).toBe(kind);
});
