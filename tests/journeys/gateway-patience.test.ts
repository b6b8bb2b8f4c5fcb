import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { chunk, completion, event, openEvents, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const path = "/v1/chat/completions";
const wanted = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 50 };
const stopped = { ...chunk(""), choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

const slow = await openUpstream();
const quick = await openUpstream();
const impatient = { SVC_GATEWAY_FIRST_BYTE: "300ms", SVC_GATEWAY_FIRST_TOKEN: "600ms", SVC_GATEWAY_PING: "100ms" };
const names = { SVC_GATEWAY_UPSTREAM_NAME: "near,far" };
const pair = await openGateway([slow, quick], { ...impatient, ...names });
const alone = await openGateway([slow], impatient);
beforeEach(() => {
  slow.received.length = 0;
  quick.received.length = 0;
  quick.on(path, (_request, response) => {
    openEvents(response);
    response.end([chunk("Hello"), { ...stopped, usage }, "[DONE]"].map(event).join(""));
  });
});

const stream = (server: typeof pair, key: string, headers: Record<string, string> = {}) =>
  call(`${server.base}/chat/completions`, { key, json: { ...wanted, stream: true }, headers });

describe("a stream whose upstream says nothing", () => {
  it("comes from the next one, which alone is paid, and the first is cancelled", async () => {
    const { key } = await pair.newAccount("1");
    slow.on(path, () => {});
    const reply = await stream(pair, key);
    expect(reply.text).toContain("Hello");
    expect(reply.headers.get("x-svc-served-by")).toBe("far acme/chat");
    expect(reply.headers.get("x-svc-attempts")).toBe("near too_slow");
    await slow.received[0]!.closed;
    expect(await pair.balance(key)).toBe("0.999976");
    const { data } = (await call(`${pair.base}/requests`, { key })).json;
    expect(data).toMatchObject([{ svc_cost_usd: 0.000024, cost_source: "measured" }]);
    const report = (await call(`${pair.base}/report?group_by=key`, { key })).json;
    expect(report.totals).toMatchObject({ requests: 1, cost_usd: 0.00002 });
  });

  it("or only that it is at work comes from the next one, too, although the caller was kept awake", async () => {
    const { key } = await pair.newAccount("1");
    slow.on(path, (_request, response) => {
      openEvents(response);
      response.write(": at work\n\n");
    });
    const reply = await stream(pair, key);
    expect(reply.text).toContain(": ping");
    expect(reply.text).toContain("Hello");
    expect(reply.text).not.toContain("at work");
    expect(await pair.balance(key)).toBe("0.999976");
  });

  it("is waited for when there is nobody else", async () => {
    const { key } = await alone.newAccount("1");
    slow.on(path, (_request, response) => {
      setTimeout(() => {
        openEvents(response);
        response.end([chunk("Late"), { ...stopped, usage }, "[DONE]"].map(event).join(""));
      }, 1_500);
    });
    expect((await stream(alone, key)).text).toContain("Late");
    expect(slow.received).toHaveLength(1);
  });

  it("ends with an error in the stream when everybody fails after the caller was kept awake", async () => {
    const { key } = await pair.newAccount("1");
    slow.on(path, (_request, response) => openEvents(response));
    quick.on(path, (_request, response) => sendJson(response, { error: { message: "no" } }, 500));
    const reply = await stream(pair, key);
    expect(reply.text).toContain('"type":"upstream_error"');
    expect(await pair.balance(key)).toBe("1.00");
  });
});

describe("what a reply says about its way", () => {
  it("is who served it, and to which trace it belongs goes upstream", async () => {
    const { key } = await pair.newAccount("1");
    slow.on(path, (_request, response) => sendJson(response, completion(usage)));
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const reply = await call(`${pair.base}/chat/completions`, { key, json: wanted, headers: { traceparent } });
    expect(reply.headers.get("x-svc-served-by")).toBe("near acme/chat");
    expect(reply.headers.get("x-svc-attempts")).toBeNull();
    const sent = String(slow.received[0]!.headers.traceparent);
    expect(sent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    expect(sent).not.toBe(traceparent);
  });

  it("is the limit that the balance set to its output", async () => {
    const { key } = await pair.newAccount("0.001");
    slow.on(path, (_request, response) => sendJson(response, completion(usage)));
    const reply = await call(`${pair.base}/chat/completions`, { key, json: { ...wanted, max_tokens: undefined } });
    const limit = slow.received[0]!.json.max_tokens;
    expect(limit).toBeGreaterThan(0);
    expect(reply.headers.get("x-svc-max-tokens")).toBe(String(limit));
  });
});
