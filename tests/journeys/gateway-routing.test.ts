import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { completion, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const pricing = { input: "0.000001", output: "0.000002" };
const model = (id: string) => ({ id, object: "model", created: 1, owned_by: "acme", pricing });
const plain = await openUpstream([{ id: "mine", object: "model" }]);
const first = await openUpstream([model("acme/large"), model("acme/both")]);
const second = await openUpstream([model("acme/both")]);
const server = await openGateway([plain, first, second], {
  SVC_GATEWAY_UPSTREAM_MODELS: "tuned-*,,",
  SVC_GATEWAY_ALIASES: "either=acme/large|mine",
});
let key = "";
beforeEach(async () => {
  for (const { received } of [plain, first, second]) received.length = 0;
  key = (await server.newAccount("1")).key;
});

const asked = () => [plain, first, second].map(({ received }) => received.length);
const ask = (wanted: string) =>
  call(`${server.base}/chat/completions`, {
    key,
    json: { model: wanted, messages: [{ role: "user", content: "x" }] },
  });
const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

for (const { on } of [plain, first, second]) {
  on("/v1/chat/completions", (_request, response) => sendJson(response, completion(usage)));
}

describe("a plain upstream before the others", () => {
  it("sees nothing of what it does not list", async () => {
    expect((await ask("acme/large")).status).toBe(200);
    expect(asked()).toEqual([0, 1, 0]);
    expect(await server.balance(key)).toBe("0.999964");
    expect((await ask("nobody/knows")).json.error.type).toBe("model_not_found");
    expect(asked()).toEqual([0, 1, 0]);
  });

  it("serves what it lists, and what the settings name", async () => {
    expect((await ask("mine")).status).toBe(200);
    expect((await ask("tuned-2")).status).toBe(200);
    expect(asked()).toEqual([2, 0, 0]);
  });
});

describe("when nobody can serve a request, its caller sees", () => {
  const refuse = (upstream: typeof first, status: number, headers?: Record<string, string>) =>
    upstream.on("/v1/chat/completions", (_request, response) =>
      sendJson(response, { error: { message: "no such model", type: "failure" } }, status, headers),
    );

  it.each([
    [401, 503, "gateway_unavailable"],
    [402, 503, "gateway_unavailable"],
    [429, 429, "rate_limit_exceeded"],
    [500, 503, "upstream_error"],
  ])("a %i rather than that another one does not have the model", async (status, shown, type) => {
    refuse(first, status, { "retry-after": "77" });
    refuse(second, 404);
    const reply = await ask("acme/both");
    expect([reply.status, reply.json.error.type, reply.headers.get("retry-after")]).toEqual([shown, type, "77"]);
    expect(asked()[2]).toBe(1);
  });

  it("who is only busy, and the shortest time after which one may be free", async () => {
    refuse(first, 429, { "retry-after": "50" });
    refuse(second, 429, { "retry-after": "40" });
    const busy = await ask("acme/both");
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([429, "40"]);
    refuse(second, 500);
    const reply = await ask("acme/both");
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, "50"]);
  });
});

describe("further models of a request", () => {
  const askBoth = (more: object) =>
    call(`${server.base}/chat/completions`, {
      key,
      json: { model: "acme/large", messages: [{ role: "user", content: "x" }], ...more },
    });

  it.each([400, 413, 500])(
    "are asked when the first answers %i, and the one that replies is charged",
    async (status) => {
      plain.on("/v1/chat/completions", (_request, response) => sendJson(response, completion(usage)));
      first.on("/v1/chat/completions", (_request, response) =>
        sendJson(response, { error: { message: "context too long" } }, status),
      );
      const reply = await askBoth({ models: ["acme/large", "mine"] });
      expect(reply.status).toBe(200);
      expect(plain.received.map(({ json }) => json.model)).toEqual(["mine"]);
      expect((await call(`${server.base}/report?group_by=model`, { key })).json.data).toMatchObject([
        { model: "mine" },
      ]);
    },
  );

  it("are not asked about a reply that a filter ended", async () => {
    const filtered = completion(usage);
    filtered.choices[0]!.finish_reason = "content_filter";
    first.on("/v1/chat/completions", (_request, response) => sendJson(response, filtered));
    const reply = await askBoth({ models: ["mine"] });
    expect(reply.json.choices[0].finish_reason).toBe("content_filter");
    expect(asked()).toEqual([0, 1, 0]);
  });

  it("stand behind a name of the operator's, too", async () => {
    plain.on("/v1/chat/completions", (_request, response) => sendJson(response, completion(usage)));
    first.on("/v1/chat/completions", (_request, response) =>
      sendJson(response, { error: { message: "context too long" } }, 400),
    );
    expect((await ask("either")).status).toBe(200);
    expect(asked()).toEqual([1, 1, 0]);
  });
});
