import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { chunk, completion, event, openEvents, sendJson } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const upstream = await openUpstream();
const env = { SVC_GATEWAY_UPSTREAM_KEY: "sk-upstream-secret", SVC_GATEWAY_PING: "200ms" };
const server = await openGateway([upstream], env);

describe("the gateway", () => {
  let key: string;
  beforeEach(async () => {
    upstream.received.length = 0;
    ({ key } = await server.newAccount("1"));
  });

  const path = "/v1/chat/completions";
  const wanted = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 50 };
  const chat = (json: object, headers = {}) => call(`${server.base}/chat/completions`, { key, json, headers });

  describe("a chat completion", () => {
    it("reaches the upstream byte for byte and its reply comes back byte for byte", async () => {
      const sent = completion({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
      upstream.on(path, (_request, response) => sendJson(response, sent));
      const body = `{ "model":"acme/chat",  "messages":[{"role":"user","content":"H\\u00e9 \\n"}],"max_tokens":50, "custom":{"a":[1.50]} }`;
      const reply = await call(`${server.base}/chat/completions`, {
        key,
        body,
        headers: { "content-type": "application/json", "x-secret": "mine", "x-title": "My app" },
      });
      expect(reply.status).toBe(200);
      expect(reply.text).toBe(JSON.stringify(sent));
      const [received] = upstream.received;
      expect(received!.body.toString()).toBe(body);
      expect(received!.headers.authorization).toBe("Bearer sk-upstream-secret");
      expect(received!.headers["x-title"]).toBe("My app");
      expect(received!.headers["x-secret"]).toBeUndefined();
      expect(JSON.stringify([...reply.headers])).not.toContain("sk-upstream");
    });

    it("costs its tokens and a fifth more when the upstream reports no cost", async () => {
      upstream.on(path, (_request, response) =>
        sendJson(response, completion({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 })),
      );
      await chat(wanted);
      // 10 x 1e-6 + 5 x 2e-6 = 2e-5, and a fifth more.
      expect(await server.balance(key)).toBe("0.999976");
    });

    it("costs what the upstream reports, never what its tokens would", async () => {
      upstream.on(path, (_request, response) =>
        sendJson(response, completion({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 1.53e-5 })),
      );
      const reply = await chat(wanted);
      expect(await server.balance(key)).toBe("0.99998164");
      // What the customer reads is what the customer pays.
      expect(reply.json.usage.cost).toBe(0.00001836);
    });

    it("that points to a long document costs what is reported, however short the request is", async () => {
      upstream.on(path, (_request, response) =>
        sendJson(response, completion({ prompt_tokens: 120_000, completion_tokens: 5, cost: 0.12 })),
      );
      const file = { type: "file", file: { file_data: "https://example.com/long.pdf" } };
      await chat({ ...wanted, messages: [{ role: "user", content: [file] }] });
      expect(await server.balance(key)).toBe("0.856");
    });

    it("prefers the gateway's exact figure and hides routing and billing", async () => {
      const metadata = { openai: { id: 1 }, gateway: { cost: "0.0000155", routing: { finalProvider: "azure" } } };
      const body = completion({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, cost: 9, market_cost: 9 });
      Object.assign(body.choices[0]!.message, { provider_metadata: metadata });
      upstream.on(path, (_request, response) => sendJson(response, body));
      const reply = await chat(wanted);
      expect(await server.balance(key)).toBe("0.9999814");
      expect(reply.text).not.toMatch(/azure|market_cost|gateway/);
      expect(reply.json.choices[0].message.provider_metadata).toEqual({ openai: { id: 1 } });
      expect(reply.json.usage.cost).toBe(0.0000186);
    });

    it("is read when it is preceded by blank lines, or compressed though nobody asked", async () => {
      const { gzipSync } = await import("node:zlib");
      const body = JSON.stringify(completion({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }));
      upstream.on(path, (_request, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(`\n\n   \n${body}`);
      });
      expect((await chat(wanted)).json.choices).toHaveLength(1);
      upstream.on(path, (_request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
        response.end(gzipSync(body));
      });
      const reply = await chat(wanted);
      expect(reply.text).toBe(body);
      expect(upstream.received[0]!.headers["accept-encoding"]).toBe("identity");
    });

    it("is shortened to what the balance pays for when the caller set no limit", async () => {
      ({ key } = await server.newAccount("0.0005"));
      upstream.on(path, (_request, response) =>
        sendJson(response, completion({ prompt_tokens: 10, completion_tokens: 150, total_tokens: 160 })),
      );
      const { max_tokens: _, ...unlimited } = wanted;
      expect((await chat(unlimited)).status).toBe(200);
      const limit = upstream.received[0]!.json.max_tokens;
      expect(limit).toBeGreaterThan(100);
      expect(limit).toBeLessThan(210);
    });

    it("is refused before it is forwarded when the balance is zero or cannot cover it", async () => {
      ({ key } = await server.newAccount(undefined));
      const zero = await chat(wanted);
      expect([zero.status, zero.json.error.type, zero.json.error.code]).toEqual([402, "insufficient_credits", 402]);
      expect(zero.json.error.message).toMatch(/zero/);
      ({ key } = await server.newAccount("0.00001"));
      expect((await chat(wanted)).status).toBe(402);
      expect(upstream.received).toHaveLength(0);
    });

    it("with two models in it is understood in one way only", async () => {
      upstream.on(path, (_request, response) =>
        sendJson(response, completion({ prompt_tokens: 1, completion_tokens: 1 })),
      );
      const body =
        '{"model":"acme/dear","messages":[{"role":"user","content":"x"}],"max_tokens":5,"model":"acme/chat"}';
      await call(`${server.base}/chat/completions`, { key, body, headers: { "content-type": "application/json" } });
      expect(upstream.received[0]!.body.toString().match(/"model"/g)).toHaveLength(1);
    });
  });

  const stream = (json: object, signal?: AbortSignal) =>
    fetch(`${server.base}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...wanted, stream: true, ...json }),
      ...(signal ? { signal } : {}),
    });

  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  const finishing = (extra = {}) => ({
    ...chunk(""),
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    ...extra,
  });

  describe("a stream", () => {
    it("asks for usage upstream, hides it from a client who did not, and charges it", async () => {
      upstream.on(path, (_request, response) => {
        openEvents(response);
        response.write(event(chunk("Hel", { usage: null })) + event(chunk("lo", { usage: null })));
        response.write(event(finishing({ usage: null })) + event({ ...chunk(""), choices: [], usage }));
        response.end(event("[DONE]"));
      });
      const text = await read(await stream({}));
      expect(upstream.received[0]!.json.stream_options).toEqual({ include_usage: true });
      expect(text).toBe(event(chunk("Hel")) + event(chunk("lo")) + event(finishing()) + event("[DONE]"));
      expect(await server.balance(key)).toBe("0.9999832");
    });

    it("shows usage to a client who asked, byte for byte", async () => {
      const sent = event(chunk("Hi", { usage: null })) + event({ ...chunk(""), choices: [], usage }) + event("[DONE]");
      upstream.on(path, (_request, response) => {
        openEvents(response);
        response.end(sent);
      });
      expect(await read(await stream({ stream_options: { include_usage: true } }))).toBe(sent);
    });

    it("understands usage on the chunk that ends the answer, as Vercel sends it, and hides the cost", async () => {
      upstream.on(path, (_request, response) => {
        openEvents(response);
        response.write(event(chunk("Hi")));
        const last = finishing({ usage: { ...usage, cost: 0.001 } });
        Object.assign(last.choices[0]!.delta, { provider_metadata: { gateway: { cost: "0.001" } } });
        response.end(event(last) + event("[DONE]"));
      });
      const text = await read(await stream({ stream_options: { include_usage: true } }));
      expect(text).not.toContain("gateway");
      expect(text).toContain('"cost":0.0012');
      expect(await server.balance(key)).toBe("0.9988");
    });

    it.each([1, 3])("costs what is reported last when the cost grows with it, in %i pieces", async (pieces) => {
      const grown = [0.00001, 0.00002].map((cost) => event(chunk("x", { usage: { ...usage, cost } })));
      const whole = grown.join("") + event(finishing({ usage: { ...usage, cost: 0.00004 } })) + event("[DONE]");
      upstream.on(path, (_request, response) => {
        openEvents(response);
        const size = Math.ceil(whole.length / pieces);
        for (let at = 0; at < whole.length; at += size) response.write(whole.slice(at, at + size));
        response.end();
      });
      await read(await stream({}));
      expect(await server.balance(key)).toBe("0.999952");
    });

    it("arrives whole when it comes in single bytes", async () => {
      const sent = `: hello\n\n${event(chunk("Gr\u00fc\u00df dich \u{1f600}"))}${event(finishing())}${event("[DONE]")}`;
      upstream.on(path, async (_request, response) => {
        openEvents(response);
        for (const byte of Buffer.from(sent)) {
          response.write(Buffer.from([byte]));
          if (byte === 0xf0) await new Promise((resolve) => setTimeout(resolve, 5));
        }
        response.end();
      });
      expect(await read(await stream({}))).toBe(sent);
    });

    it("is kept awake with comments while the upstream thinks", async () => {
      upstream.on(path, (_request, response) => {
        openEvents(response);
        setTimeout(() => response.end(event(chunk("x")) + event(finishing()) + event("[DONE]")), 900);
      });
      expect(await read(await stream({}))).toMatch(/^: ping\n\n/);
    });

    it("that dies in the middle ends with an error event and is charged for what came", async () => {
      upstream.on(path, (_request, response) => {
        openEvents(response);
        for (const word of ["one ", "two ", "three "]) response.write(event(chunk(word)));
        setTimeout(() => response.destroy(), 50);
      });
      const text = await read(await stream({}));
      const last = JSON.parse(text.trim().split("\n\n").at(-1)!.slice(6));
      expect(last.error).toMatchObject({ type: "upstream_error", code: 503 });
      const balance = Number(await server.balance(key));
      expect(balance).toBeLessThan(1);
      expect(balance).toBeGreaterThan(0.9998);
    });

    it("that ends without its marker is completed when the model was done, and an error when it was not", async () => {
      upstream.on(path, (_request, response) => {
        openEvents(response);
        response.end(event(chunk("x")) + event(finishing()));
      });
      expect(await read(await stream({}))).toMatch(/data: \[DONE\]\n\n$/);
      upstream.on(path, (_request, response) => {
        openEvents(response);
        response.end(`${event(chunk("x"))}data: {"id":"gen_1","cho`);
      });
      const text = await read(await stream({}));
      expect(text).toContain('"type":"upstream_error"');
      expect(text).not.toMatch(/"cho(?!ices)/);
    });

    it.each([
      { error: { message: "boom at 127.0.0.1", code: 502 } },
      { error: "boom at 127.0.0.1" },
      { error: { message: "127.0.0.1" }, choices: [{ index: 0, delta: {}, finish_reason: "error" }] },
    ])("passes an upstream's error in the middle on in our words: %j", async (failure) => {
      upstream.on(path, (_request, response) => {
        openEvents(response);
        response.end(event(chunk("x")) + event(failure));
      });
      const text = await read(await stream({}));
      expect(text).toContain('"type":"upstream_error"');
      expect(text).not.toContain("127.0.0.1");
      expect(text.match(/"error":/g)).toHaveLength(1);
    });

    it("frees an upstream that would go on for ever when the client hangs up, and is charged for what came", async () => {
      let isOpen: (() => void) | undefined;
      const opened = new Promise<void>((resolve) => {
        isOpen = resolve;
      });
      upstream.on(path, (_request, response) => {
        openEvents(response);
        const timer = setInterval(() => response.write(event(chunk("word "))), 10);
        response.once("close", () => clearInterval(timer));
        setTimeout(() => isOpen?.(), 200);
      });
      const abort = new AbortController();
      const response = await stream({}, abort.signal);
      const reader = response.body!.getReader();
      await reader.read();
      await opened;
      abort.abort();
      await upstream.received[0]!.closed;
      const balance = Number(await server.balance(key));
      expect(balance).toBeLessThan(1);
      expect(balance).toBeGreaterThan(0.9998);
    });

    it("waits for a slow reader instead of filling the memory", async () => {
      let sent = 0;
      const big = event(chunk("x".repeat(10_000)));
      upstream.on(path, (_request, response) => {
        openEvents(response);
        const pump = () => {
          while (sent < 200_000_000) {
            sent += big.length;
            if (!response.write(big)) return void response.once("drain", pump);
          }
        };
        pump();
      });
      const abort = new AbortController();
      const response = await stream({}, abort.signal);
      await response.body!.getReader().read();
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect(sent).toBeLessThan(30_000_000);
      abort.abort();
    });
  });
});

async function read(response: Response): Promise<string> {
  return response.text();
}
