import { describe, expect, it } from "vitest";
import { addMarkup, parseCost } from "../../credits/money.ts";
import type { Json } from "../json.ts";
import { alternativesOf } from "../pipeline/resolve.ts";
import { costOfSeconds, costOfTokens } from "./cost.ts";
import { affordableTokens, estimateTokens } from "./estimate.ts";
import type { ListedModel } from "./prices.ts";
import { imagePrice, readPrices } from "./prices.ts";
import { mostTokens, readUsage } from "./read-usage.ts";

const listed = (pricing: object, record: Json = {}): ListedModel => ({
  id: "a/b",
  record,
  prices: readPrices(pricing),
});
const reading = (usage: Json) => readUsage({ usage })!;

describe("reading usage", () => {
  it("understands OpenAI's, Anthropic's and the responses' words", () => {
    expect(
      reading({ prompt_tokens: 3, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 2 } }),
    ).toMatchObject({
      inputTokens: 3,
      outputTokens: 4,
      cachedTokens: 2,
    });
    expect(
      readUsage({
        type: "message_start",
        message: { usage: { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 7 } },
      }),
    ).toMatchObject({
      inputTokens: 12,
      cachedTokens: 7,
    });
    expect(readUsage({ response: { usage: { input_tokens: 5, output_tokens: 6 } } })).toMatchObject({
      outputTokens: 6,
    });
  });

  it.each([-1, Number.NaN, "NaN", "-0.5", 1001, 1e12, null, "a lot"])("takes a cost of %s for none", (cost) => {
    expect(reading({ prompt_tokens: 1, cost }).cost).toBeUndefined();
  });

  it("takes negative and absurd counts for none, and keeps an explicit zero cost", () => {
    expect(reading({ prompt_tokens: -5, completion_tokens: 1e30 })).toMatchObject({
      inputTokens: 0,
      outputTokens: mostTokens,
    });
    expect(reading({ prompt_tokens: 5, cost: 0 }).cost).toBe(0n);
  });

  it("prefers the exact text to the number", () => {
    const body = {
      usage: { cost: 0.5 },
      choices: [{ message: { provider_metadata: { gateway: { cost: "0.000153" } } } }],
    };
    expect(readUsage(body)?.cost).toBe(parseCost("0.000153"));
  });
});

describe("the price of tokens", () => {
  it("follows tiers, caches and reasoning", () => {
    const prices = readPrices({
      input_tiers: [
        { cost: "0.000001", min: 0, max: 100 },
        { cost: "0.000002", min: 100 },
      ],
      output: "0.00001",
      input_cache_read: "0.0000001",
    })!;
    expect(costOfTokens(reading({ prompt_tokens: 99, completion_tokens: 1 }), prices, false)).toBe(
      parseCost("0.000109"),
    );
    expect(costOfTokens(reading({ prompt_tokens: 100, completion_tokens: 0 }), prices, false)).toBe(
      parseCost("0.0002"),
    );
    const cached = reading({ prompt_tokens: 50, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 40 } });
    expect(costOfTokens(cached, prices, false)).toBe(parseCost("0.000014"));
    const reasoned = reading({
      prompt_tokens: 0,
      completion_tokens: 1,
      completion_tokens_details: { reasoning_tokens: 9 },
    });
    expect(costOfTokens(reasoned, prices, true)).toBe(parseCost("0.0001"));
    expect(costOfTokens(reasoned, prices, false)).toBe(parseCost("0.00001"));
  });

  it.each([
    ["seconds", () => costOfSeconds(1.5, parseCost("101e-12")), 182n],
    ["a cost below a pico-dollar", () => readUsage({ usage: { cost: "0.0000000000014" } })!.cost!, 2n],
    [
      "prices below a pico-dollar",
      () => costOfTokens(reading({ prompt_tokens: 10 }), readPrices({ input: "1.4e-13" })!, false)!,
      2n,
    ],
  ])("of %s is rounded up once, when the markup is on it", (_name, cost, charge) => {
    expect(addMarkup(cost())).toBe(charge);
  });
});

it("a picture costs what its size and quality cost, and the highest where several fit", () => {
  const prices = readPrices({
    image_dimension_quality_pricing: [
      { size: "1024x1024", quality: "low", cost: "0.01" },
      { size: "1024x1024", quality: "high", cost: "0.04" },
      { size: "2048x2048", cost: "0.09" },
    ],
  })!;
  expect(imagePrice(prices, { size: "1024x1024", quality: "low" })).toBe(parseCost("0.01"));
  expect(imagePrice(prices, { size: "1024x1024" })).toBe(parseCost("0.04"));
  expect(imagePrice(prices, { size: "2048x2048", quality: "low" })).toBe(parseCost("0.09"));
  expect(imagePrice(prices, { size: "1x1" })).toBe(parseCost("0.09"));
});

describe("a hold", () => {
  const pricing = { input: "0.000001", output: "0.000002" };
  const estimate = (body: Json, bytes: number, models: ListedModel[]) =>
    estimateTokens(body, bytes, models, ["max_tokens", "max_completion_tokens"]);

  it("covers what the request may cost, with the markup", () => {
    const { wanted, least } = estimate({ max_tokens: 100 }, 60, [listed(pricing)]);
    expect(wanted).toBe(((60n * 1_000_000n + 100n * 2_000_000n) * 6n) / 5n);
    expect(least).toBe(wanted);
  });

  it("counts every choice, and the dearest of the models that may answer", () => {
    const one = estimate({ max_tokens: 100 }, 0, [listed(pricing)]).wanted;
    expect(estimate({ max_tokens: 100, n: 3 }, 0, [listed(pricing)]).wanted).toBe(one * 3n);
    expect(estimate({ max_tokens: 100 }, 0, [listed(pricing), listed({ output: "0.00002" })]).wanted).toBe(one * 10n);
  });

  it("believes the highest of several limits, and no limit of another dialect", () => {
    const wanted = (body: Json) => estimate(body, 0, [listed(pricing, { max_tokens: 4000 })]).wanted;
    expect(wanted({ max_completion_tokens: 1, max_tokens: 100 })).toBe(wanted({ max_tokens: 100 }));
    expect(wanted({ max_completion_tokens: 100, max_tokens: 1 })).toBe(wanted({ max_tokens: 100 }));
    expect(wanted({ max_output_tokens: 1 })).toBe(wanted({}));
  });

  it("counts the models that Vercel's options name for when the first fails", () => {
    expect(alternativesOf({ models: ["a/b"], providerOptions: { gateway: { models: ["c/d", 1] } } })).toEqual([
      "a/b",
      "c/d",
    ]);
    expect(alternativesOf({ models: null, providerOptions: { gateway: {}, acme: { models: ["e/f"] } } })).toEqual([]);
  });

  it("can shrink when the caller set no limit, and says how far", () => {
    const limitless = estimate({}, 0, [listed(pricing, { max_tokens: 4000 })]);
    expect(limitless.wanted).toBe((4000n * 2_000_000n * 6n) / 5n);
    expect(limitless.least).toBeLessThan(limitless.wanted);
    expect(affordableTokens(limitless.wanted / 4n, limitless.shrinkable!)).toBe(1000);
  });

  it("counts a picture by what models make of it, not by its bytes", () => {
    const picture = `data:image/png;base64,${"A".repeat(3_000_000)}`;
    const body = {
      max_tokens: 1,
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: picture } }] }],
    };
    const tokens = estimate(body, 3_000_100, [listed({ input: "0.000000000001", output: "0" })]).wanted;
    expect(tokens).toBeLessThan(120_000n);
    const text = { max_tokens: 1, messages: [{ role: "user", content: "A".repeat(3_000_000) }] };
    expect(estimate(text, 3_000_100, [listed({ input: "0.000000000001", output: "0" })]).wanted).toBe(3_600_120n);
  });

  it.each([
    { type: "file", file: { file_data: "https://example.com/long.pdf" } },
    { type: "document", source: { type: "url", url: "https://example.com/long.pdf" } },
    { type: "video_url", video_url: { url: "https://example.com/film.mp4" } },
    { type: "image_url", image_url: { url: "https://example.com/a.png" } },
    { type: "input_image", file_id: "file_1" },
  ])("covers all that the model can read where a file lies elsewhere: %j", (part) => {
    const hold = (content: unknown) =>
      estimate({ max_tokens: 1, messages: [null, { role: "user", content }] }, 100, [
        listed({ input: "0.000001", output: "0" }, { context_window: 1000 }),
      ]).wanted;
    expect(hold([part])).toBe(1_200_000_000n);
    expect(hold("hi")).toBe(120_000_000n);
  });

  it.each([
    { previous_response_id: "resp_1" },
    { tools: [{ type: "web_search" }] },
    { input: [{ type: "item_reference", id: "msg_1" }] },
  ])("covers all that the model can read where the upstream adds to it: %j", (body) => {
    const model = listed({ input: "0.000001", output: "0" }, { context_length: 1000 });
    expect(estimate({ max_tokens: 1, ...body }, 100, [model]).wanted).toBe(1_200_000_000n);
  });

  it("is never nothing, so that a balance of zero is noticed", () => {
    expect(estimate({ max_tokens: 5 }, 100, [listed({ input: "0", output: "0" })]).wanted).toBe(1n);
  });
});
