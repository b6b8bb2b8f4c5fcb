import { describe, expect, it } from "vitest";
import { litellm } from "../upstreams/kinds/litellm.ts";
import { openai } from "../upstreams/kinds/openai.ts";
import { vercel } from "../upstreams/kinds/vercel/vercel.ts";
import { editBody } from "./body.ts";

function edit(text: string, kind = openai, edits: Partial<Parameters<typeof editBody>[3]> = {}): string {
  return editBody(Buffer.from(text), JSON.parse(text), kind, { asksUsage: false, ...edits }).toString();
}

describe("a body on its way upstream", () => {
  it("is the caller's own bytes", () => {
    const text = '  { "model" : "a/b", "temperature":1.50, "x": "\\u00e9" }';
    expect(edit(text)).toBe(text);
  });

  it("gets what is missing and keeps the rest", () => {
    expect(edit('{"model":"a/b", "n": 1.0}', openai, { asksUsage: true })).toBe(
      '{"stream_options":{"include_usage":true},"model":"a/b", "n": 1.0}',
    );
  });

  it("keeps the caller's stream options", () => {
    const text = '{"model":"a","stream_options":{"include_obfuscation":false}}';
    expect(JSON.parse(edit(text, openai, { asksUsage: true })).stream_options).toEqual({
      include_obfuscation: false,
      include_usage: true,
    });
    const asked = '{"model":"a","stream_options":{"include_usage":true}}';
    expect(edit(asked, openai, { asksUsage: true })).toBe(asked);
  });

  it("replaces a null limit", () => {
    const text = '{"model":"a","max_tokens":null}';
    expect(JSON.parse(edit(text, openai, { outputTokens: { name: "max_tokens", most: 7 } })).max_tokens).toBe(7);
  });

  it.each(['{"model":"a","model":"b"}', '{"mod\\u0065l":"a","model":"b"}', '{"mod\\u0065l":"b"}'])(
    "names one model: %s",
    (text) => {
      expect(JSON.parse(edit(text))).toEqual({ model: "b" });
      expect(edit(text).match(/mod/g)).toHaveLength(1);
    },
  );

  it("is the caller's own bytes also when a tool or a schema has a model", () => {
    const text = '{"b":12345678901234567890,"a":1.0,"tools":[{"model":"__proto__"}],"model":"a/b","__x":{"model":1e2}}';
    expect(edit(text)).toBe(text);
    expect(edit(text, litellm)).toBe(text);
    expect(edit(text.replace("{", '{"api_key":"k", '), litellm)).toBe(text);
  });

  it("has the upstream's name for the model where the caller used another", () => {
    expect(edit('{"n":1.0,"model":"fast"}', openai, { model: "a/b" })).toBe('{"n":1.0,"model":"a/b"}');
  });

  it("loses options that spend the operator's money or reach into its account", () => {
    const options = { gateway: { byok: {}, tags: ["t"], user: "u", order: ["x"] }, anthropic: { a: 1 } };
    const text = JSON.stringify({ model: "a/b", providerOptions: options });
    expect(JSON.parse(edit(text, vercel)).providerOptions).toEqual({ gateway: { order: ["x"] }, anthropic: { a: 1 } });
    const hostile = { api_base: "http://evil", metadata: { tags: [] }, output_cost_per_token: 0, aws_role_name: "r" };
    const plain = { model: "a", user: "kept", max_tokens: 3 };
    expect(JSON.parse(edit(JSON.stringify({ ...plain, ...hostile }), litellm))).toEqual(plain);
  });
});
