import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMarkup, parseCost, parseDollars } from "../../credits/money.ts";
import { markUpDecimal, markUpPrices } from "./mark-up-prices.ts";

describe("the markup on the catalog", () => {
  it("is on every price however nested and on nothing else", () => {
    const pricing = {
      input: "0.0000025",
      input_tiers: [
        { cost: "0.000001", min: 0, max: 128000 },
        { cost: "0.000002", min: 128000 },
      ],
      regional: { eu: { output: "0.00001" } },
      web_search: "10",
      image_dimension_quality_pricing: [{ size: "1024x1024", cost: "0.04" }],
      video_duration_pricing: [{ resolution: "720p", mode: "pro", audio: true, cost_per_second: "0.1" }],
      video_token_pricing: { no_video_input: { cost_per_million_tokens: "5" } },
      speech_input_character_cost: "0.000015",
      discount: 0.5,
    };
    expect(markUpPrices(pricing)).toEqual({
      input: "0.000003",
      input_tiers: [
        { cost: "0.0000012", min: 0, max: 128000 },
        { cost: "0.0000024", min: 128000 },
      ],
      regional: { eu: { output: "0.000012" } },
      web_search: "12",
      image_dimension_quality_pricing: [{ size: "1024x1024", cost: "0.048" }],
      video_duration_pricing: [{ resolution: "720p", mode: "pro", audio: true, cost_per_second: "0.12" }],
      video_token_pricing: { no_video_input: { cost_per_million_tokens: "6" } },
      speech_input_character_cost: "0.000018",
      discount: 0.5,
    });
  });

  it("understands OpenRouter's and LiteLLM's names, numbers and exponents", () => {
    expect(
      markUpPrices({ prompt: "0.0000001", completion: "-1", request: "0", overrides: [{ min_prompt_tokens: 5 }] }),
    ).toEqual({
      prompt: "0.00000012",
      completion: "-1",
      request: "0",
      overrides: [{ min_prompt_tokens: 5 }],
    });
    expect(markUpPrices({ input_cost_per_token: 1.5e-7 })).toEqual({ input_cost_per_token: 1.8e-7 });
  });

  it("is exact", () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.integer({ min: 0, max: 11 }), (digits, places) => {
        const text = (digits / 1).toString().padStart(places + 1, "0");
        const price = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
        expect(parseDollars(markUpDecimal(price) as string)).toBe(addMarkup(parseCost(price)));
      }),
    );
  });
});
