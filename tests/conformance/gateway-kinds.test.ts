import type { ServerResponse } from "node:http";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  chunk,
  completion,
  event,
  type FakeUpstream,
  openEvents,
  sendJson,
  startFakeUpstream,
} from "../support/fake-upstream.ts";
import { type GatewayServer, startGatewayServer } from "../support/gateway-server.ts";

const tokens = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const secretKey = "sk-upstream-secret-credential";

/** How each make of upstream sends what it took, as its recorded replies do. What the client pays follows from it. */
interface Make {
  kind: string;
  /** Left of a dollar after one reply, and after one stream. */
  left: [whole: string, streamed: string];
  /** Must reach no client. */
  secrets: string[];
  whole(response: ServerResponse): void;
  streamed(response: ServerResponse): void;
}

const routing = { routing: { finalProvider: "hidden-provider" }, cost: "0.0005", generationId: "gen_1" };
const vercelUsage = { ...tokens, cost: 0.0005, market_cost: 0.0005, is_byok: false, cost_details: { upstream: 1 } };
const openrouterUsage = { ...tokens, cost: 0.0005, cost_details: { upstream_inference_cost: 0.000123 } };

function sendEvents(response: ServerResponse, ...events: string[]): void {
  openEvents(response);
  response.end(events.join(""));
}

const stop = (extra: object = {}) => chunk("", { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], ...extra });

const makes: Make[] = [
  {
    kind: "openai",
    // 20 x 0.000001 + 10 x 0.000002, and a fifth.
    left: ["0.999952", "0.999904"],
    secrets: [],
    whole: (response) => sendJson(response, completion(tokens)),
    streamed: (response) =>
      sendEvents(
        response,
        event(chunk("Hello.", { usage: null })),
        event(stop({ usage: null })),
        event({ ...chunk(""), choices: [], usage: tokens }),
        event("[DONE]"),
      ),
  },
  {
    kind: "vercel",
    left: ["0.9994", "0.9988"],
    secrets: ["hidden-provider", "market_cost", "is_byok", "cost_details", "0.0005"],
    whole(response) {
      const body = completion(vercelUsage, { generationId: "gen_1" });
      Object.assign(body.choices[0]!.message, { provider_metadata: { gateway: routing } });
      sendJson(response, body);
    },
    streamed: (response) =>
      sendEvents(
        response,
        event(chunk("Hello.")),
        event(
          chunk("", {
            choices: [{ index: 0, delta: { provider_metadata: { gateway: routing } }, finish_reason: "stop" }],
            usage: vercelUsage,
          }),
        ),
        event("[DONE]"),
      ),
  },
  {
    kind: "openrouter",
    left: ["0.9994", "0.9988"],
    secrets: ["cost_details", "0.0005", "0.000123"],
    whole(response) {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("\n\n         \n");
      response.end(JSON.stringify(completion(openrouterUsage)));
    },
    streamed: (response) =>
      sendEvents(
        response,
        ": OPENROUTER PROCESSING\n\n",
        event(chunk("Hello.")),
        event(stop()),
        event(stop({ usage: openrouterUsage })),
        event("[DONE]"),
      ),
  },
  {
    kind: "litellm",
    left: ["0.9994", "0.9988"],
    secrets: ["0.0005", "5e-4", "litellm"],
    whole: (response) => sendJson(response, completion(tokens), 200, { "x-litellm-response-cost": "5e-4" }),
    streamed: (response) =>
      sendEvents(
        response,
        event(chunk("Hello.")),
        event(stop()),
        event({ ...chunk(""), choices: [], usage: { ...tokens, cost: 0.0005 } }),
        event("[DONE]"),
      ),
  },
];

describe.each(makes)(
  "the openai client on an upstream of the kind $kind",
  ({ kind, left, secrets, whole, streamed }) => {
    let upstream: FakeUpstream;
    let server: GatewayServer;
    let client: OpenAI;
    let key: string;
    /** Everything that the client was sent, heads included. */
    let seen = "";
    beforeAll(async () => {
      upstream = await startFakeUpstream();
      upstream.on("/v1/chat/completions", (request, response) => {
        if (request.json.stream) streamed(response);
        else whole(response);
      });
      server = await startGatewayServer({
        SVC_GATEWAY_UPSTREAM_URL: upstream.url,
        SVC_GATEWAY_UPSTREAM_KEY: secretKey,
        SVC_GATEWAY_UPSTREAM_KIND: kind,
      });
      ({ key } = await server.newAccount("1"));
      const listen: typeof fetch = async (...request) => {
        const response = await fetch(...request);
        seen += JSON.stringify([...response.headers]) + (await response.clone().text());
        return response;
      };
      client = new OpenAI({ baseURL: server.base, apiKey: key, fetch: listen, maxRetries: 0 });
    });
    afterAll(async () => {
      await server.close();
      await upstream.close();
    });

    const asked = { model: "acme/chat", messages: [{ role: "user" as const, content: "hi" }] };

    it("gets replies and streams, and pays what they cost and a fifth", async () => {
      const reply = await client.chat.completions.create(asked);
      expect([reply.choices[0]?.message.content, reply.usage?.total_tokens]).toEqual(["Hello.", 30]);
      expect(await server.balance(key)).toBe(left[0]);
      let text = "";
      for await (const part of await client.chat.completions.create({ ...asked, stream: true })) {
        text += part.choices[0]?.delta.content ?? "";
        // OpenRouter documents usage at the end of every stream.
        if (kind !== "openrouter") expect(part.usage).toBeUndefined();
      }
      expect(text).toBe("Hello.");
      expect(await server.balance(key)).toBe(left[1]);
    });

    it("is shown the usage of a stream when it asks", async () => {
      const stream = await client.chat.completions.create({
        ...asked,
        stream: true,
        stream_options: { include_usage: true },
      });
      const usages = [];
      for await (const part of stream) if (part.usage) usages.push(part.usage);
      expect(usages).toEqual([expect.objectContaining(tokens)]);
    });

    it("never learns what the upstream took, who it is, or our credential", () => {
      for (const secret of [...secrets, secretKey, new URL(upstream.url).host]) expect(seen).not.toContain(secret);
    });

    it("sends the upstream our credential and none of the client's", () => {
      const sent = upstream.received.map(({ headers }) => headers);
      expect(new Set(sent.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${secretKey}`]));
      expect(JSON.stringify(sent)).not.toContain(key);
      expect(JSON.stringify(sent)).not.toContain("x-stainless");
    });
  },
);
