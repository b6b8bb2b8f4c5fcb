import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { completion, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

// The shapes of their published references: lists without prices, keys in headers of their own.
const openai = await openUpstream([{ id: "gpt-4o" }, { id: "gpt-of-tomorrow" }]);
const anthropic = await openUpstream();
const azure = await openUpstream();
const claude = "claude-sonnet-4-20250514";
anthropic.on("/v1/models", (_request, response) =>
  sendJson(response, { data: [{ type: "model", id: claude, display_name: "Claude Sonnet 4" }], has_more: false }),
);
azure.on("/v1/models", (_request, response) => sendJson(response, {}, 500));
const server = await openGateway([]);
let admin = "";
let key = "";
const set = async (name: string, fields: object) => {
  const made = await call(`${server.url}/admin/v1/upstreams/${name}`, { key: admin, method: "PUT", json: fields });
  expect(made.status).toBe(200);
  const json = { key: `sk-of-${name}-0123456789` };
  await call(`${server.url}/admin/v1/upstreams/${name}/keys`, { key: admin, method: "POST", json });
};
beforeAll(async () => {
  ({ key: admin } = await server.newKey(["admin"]));
});
beforeEach(async () => {
  key = (await server.newAccount("1")).key;
});
const chat = (model: string) => ({ model, messages: [{ role: "user", content: "x" }], max_tokens: 100 });
const ask = (model: string) => call(`${server.base}/chat/completions`, { key, json: chat(model) });

describe("a provider that is asked directly", () => {
  it("is a row with its name: address, prefix and prices come with it", async () => {
    const path = `${server.url}/admin/v1/upstreams/groq`;
    const { json } = await call(path, { key: admin, method: "PUT", json: { provider: "groq", isEnabled: false } });
    expect(json.upstreams).toMatchObject([
      { name: "groq", kind: "openai", url: "https://api.groq.com/openai/v1", prefix: "groq" },
    ]);
    await call(path, { key: admin, method: "DELETE" });
    const nowhere = await call(path, { key: admin, method: "PUT", json: { provider: "azure" } });
    expect([nowhere.status, nowhere.json.error.message]).toEqual([400, expect.stringContaining('"url" is missing')]);
  });

  it("charges by the price list, and does not serve what has no price", async () => {
    openai.on("/v1/chat/completions", (_request, response) =>
      sendJson(response, completion({ prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 })),
    );
    await set("openai", { provider: "openai", url: openai.url });
    const { headers, status } = await ask("openai/gpt-4o");
    // 1000 at 2.5 and 100 at 10 dollars a million, and the markup.
    expect([status, headers.get("x-svc-cost-usd")]).toEqual([200, "0.0042"]);
    expect(openai.received.at(-1)!.headers.authorization).toBe("Bearer sk-of-openai-0123456789");
    expect(openai.received.at(-1)!.json.model).toBe("gpt-4o");
    const refused = await ask("openai/gpt-of-tomorrow");
    expect([refused.status, refused.json.error.message]).toEqual([503, expect.stringContaining("has no price")]);
    const prices = { "openai/gpt-of-tomorrow": { input: "0.000001", output: "0.000001" } };
    await set("openai", { provider: "openai", url: openai.url, prices });
    expect((await ask("openai/gpt-of-tomorrow")).status).toBe(200);
  });

  it("speaks Anthropic's messages with its key in x-api-key", async () => {
    const usage = {
      input_tokens: 1000,
      output_tokens: 100,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    };
    anthropic.on("/v1/messages", ({ json }, response) =>
      sendJson(response, {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: json.model,
        content: [{ type: "text", text: "hello" }],
        stop_reason: "end_turn",
        usage,
      }),
    );
    await set("anthropic", { provider: "anthropic", url: anthropic.url });
    const { status, headers, json } = await call(`${server.base}/messages`, { key, json: chat(`anthropic/${claude}`) });
    // 1000 at 3 and 100 at 15 dollars a million, and the markup.
    expect([status, headers.get("x-svc-cost-usd"), json.content[0].text]).toEqual([200, "0.0054", "hello"]);
    const { headers: sent, json: body } = anthropic.received.at(-1)!;
    expect(sent).toMatchObject({ "x-api-key": "sk-of-anthropic-0123456789", "anthropic-version": "2023-06-01" });
    expect([sent.authorization, body.model]).toEqual([undefined, claude]);
  });

  it("serves the deployments of Azure that its row names, with its key in api-key", async () => {
    azure.on("/v1/chat/completions", (_request, response) =>
      sendJson(response, completion({ prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 })),
    );
    await set("azure", { provider: "azure", url: azure.url, models: ["azure/gpt-4o"] });
    const { status, headers } = await ask("azure/gpt-4o");
    expect([status, headers.get("x-svc-cost-usd")]).toEqual([200, "0.0042"]);
    expect(azure.received.at(-1)!.headers["api-key"]).toBe("sk-of-azure-0123456789");
    const { data } = (await call(`${server.base}/models`, { key })).json;
    expect(data).toContainEqual(expect.objectContaining({ id: "azure/gpt-4o" }));
    expect((await ask("azure/gpt-5")).status).toBe(404);
  });
});
