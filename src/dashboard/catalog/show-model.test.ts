import { describe, expect, it } from "vitest";
import { showModel } from "./show-model.ts";

describe("a model of the gateway", () => {
  it("is shown with the price of a million tokens, as Vercel's list has it", () => {
    const record = {
      id: "anthropic/claude",
      name: "Claude",
      owned_by: "anthropic",
      type: "language",
      context_window: 200000,
      max_tokens: 8192,
      tags: ["vision"],
      pricing: { input: "0.0000036", output: "0.000018", input_cache_read: "0.00000036", tiers: [{ cost: "1" }] },
    };
    expect(showModel(record)).toEqual({
      id: "anthropic/claude",
      name: "Claude",
      provider: "anthropic",
      type: "language",
      description: "",
      contextWindow: 200000,
      maxOutputTokens: 8192,
      isLocal: false,
      tags: ["vision"],
      inputPerMillionUsd: "3.60",
      outputPerMillionUsd: "18.00",
      otherPrices: { input_cache_read: "0.00000036" },
    });
  });

  it("is shown as OpenRouter's list has it, and without prices where there are none", () => {
    const record = { id: "x/y", context_length: 4096, pricing: { prompt: "0.00000015", completion: 1e-7 } };
    expect(showModel(record)).toMatchObject({
      provider: "x",
      contextWindow: 4096,
      inputPerMillionUsd: "0.15",
      outputPerMillionUsd: "0.10",
    });
    expect(showModel({ id: "plain", pricing: { input: "dear" } })).toMatchObject({
      inputPerMillionUsd: null,
      name: "plain",
    });
  });
});
