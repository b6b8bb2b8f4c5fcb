import { describe, expect, it } from "vitest";
import { replaceCost } from "./hide-billing.ts";

const charge = 183_600_000n;
const replace = (text: string) => replaceCost(Buffer.from(text), JSON.parse(text), charge)?.toString();

describe("the cost in a reply", () => {
  it("is replaced where it stands, and every other byte stays", () => {
    const text = '{"id":"a", "choices":[{"text":"é \\"cost\\": 3"}],\n"usage": {"total_tokens":3,"cost" : 1.53e-4}}';
    expect(replace(text)).toBe(text.replace('"cost" : 1.53e-4', '"cost":0.0001836'));
  });

  it.each([
    ["it stands there twice", '{"cost":1,"usage":{"cost":2}}'],
    ["more must be hidden", '{"usage":{"cost":2,"cost_details":{}}}'],
    ["a name may be spelled differently", '{"a":{"cost":1},"usage":{"\\u0063ost":2}}'],
    ["it is longer than any number need be", `{"usage":{"cost":0.${"0".repeat(100)}1}}`],
    ["it is not a number", '{"usage":{"cost":"2"}}'],
    ["there is none", '{"usage":{}}'],
  ])("is left to the slow way when %s", (_reason, text) => {
    expect(replace(text)).toBeUndefined();
  });
});
