import { describe, expect, it } from "vitest";
import { hideBilling, replaceCost } from "./redact.ts";

const charge = 183_600_000n;
const replace = (text: string) => replaceCost(Buffer.from(text), text, JSON.parse(text), charge)?.toString();

describe("the cost in a reply", () => {
  it("is replaced where it stands, and every other byte stays", () => {
    const text = '{"id":"a", "choices":[{"text":"é \\"cost\\": 3"}],\n"usage": {"total_tokens":3,"cost" : 1.53e-4}}';
    expect(replace(text)).toBe(text.replace('"cost" : 1.53e-4', '"cost":0.0001836'));
  });

  it.each([
    ["it stands there twice", '{"cost":1,"usage":{"cost":2}}'],
    ["more must be hidden", '{"usage":{"cost":2,"cost_details":{}}}'],
    ["a name may be spelled differently", '{"a":{"cost":1},"usage":{"\\u0063ost":2}}'],
    ["routing stands deep in it", '{"output":[{"provider_metadata":{"gateway":{}}}],"usage":{"cost":2}}'],
    ["it is not a number", '{"usage":{"cost":"2"}}'],
    ["there is none", '{"usage":{}}'],
  ])("is left to the slow way when %s", (_reason, text) => {
    expect(replace(text)).toBeUndefined();
  });
});

it("what a gateway says about routing and cost is hidden wherever it stands, and what a provider says stays", () => {
  const metadata = () => ({ gateway: { cost: "1", routing: {} } });
  const body = {
    data: [{ embedding: [1, 2] }, { providerMetadata: metadata() }],
    output: [{ content: [{ provider_metadata: { ...metadata(), acme: { signature: "s" } } }] }],
    choices: [{ message: { tool_calls: [{ id: "t", provider_metadata: metadata() }], provider_metadata: null } }],
  };
  const text = JSON.stringify(body, null, 1).replace("1,", "1.50,");
  const hidden = hideBilling(text, body, charge);
  expect(JSON.parse(hidden)).toEqual({
    data: [{ embedding: [1.5, 2] }, {}],
    output: [{ content: [{ provider_metadata: { acme: { signature: "s" } } }] }],
    choices: [{ message: { tool_calls: [{ id: "t" }], provider_metadata: null } }],
  });
  expect(hidden).toContain("1.50");
  expect(hideBilling(hidden, JSON.parse(hidden), charge)).toBe(hidden);
});

describe("a cost that the upstream does not tell", () => {
  const tell = (text: string) => hideBilling(text, JSON.parse(text), charge, { tellsCost: true });

  it.each([
    ['{"usage": {"total_tokens": 3.0 }, "b":1}', '{"usage": {"total_tokens": 3.0,"cost":0.0001836 }, "b":1}'],
    ['{"usage":{}}', '{"usage":{"cost":0.0001836}}'],
    ['{"usage":{"is_byok":true}}', '{"usage":{"cost":0.0001836}}'],
    ['{"usage":{"a":1,"is_byok":true}}', '{"usage":{"a":1,"cost":0.0001836}}'],
    ['{"response":{"usage":{"a":{"b":[1]}}}}', '{"response":{"usage":{"a":{"b":[1]},"cost":0.0001836}}}'],
    ['{"usage":{"cost":1}}', '{"usage":{"cost":0.0001836}}'],
    ['{"usage":null}', '{"usage":null}'],
    ['{"choices":[{"usage":{"a":1}}]}', '{"choices":[{"usage":{"a":1}}]}'],
  ])("is added behind what is there, and every other byte stays: %s", (text, told) => {
    expect(tell(text)).toBe(told);
  });
});
