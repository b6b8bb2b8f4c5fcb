import { beforeEach, describe, expect, it } from "vitest";
import { chunk, event, openEvents } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const upstream = await openUpstream();
const server = await openGateway([upstream]);
let key = "";
beforeEach(async () => {
  upstream.received.length = 0;
  key = (await server.newAccount("1")).key;
});

const usage = { prompt_tokens: 9, completion_tokens: 30, total_tokens: 39, cost: 0.0001 };
const last = { ...chunk("", { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }), usage };
const full = [event(chunk("Hello.")), event(last), event("[DONE]")].join("");

function stream(endpoint: string, body: object): Promise<Response> {
  return fetch(`${server.base}/${endpoint}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme/chat", stream: true, ...body }),
  });
}
const chat = () => stream("chat/completions", { messages: [{ role: "user", content: "x" }] });

describe("[DONE]", () => {
  it("ends the client's stream, though the upstream keeps its own open, and then that is closed", async () => {
    upstream.on("/v1/chat/completions", (_request, response) => {
      openEvents(response);
      response.write(full);
    });
    const text = await (await chat()).text();
    expect(text).toMatch(/Hello[\s\S]*data: \[DONE\]\n\n$/);
    expect(await server.balance(key)).toBe("0.99988");
    await upstream.received[0]!.closed;
  });

  it("is the last that the client hears, whatever the upstream says after it", async () => {
    for (const more of [event(chunk("More.")), event({ error: { message: "late" } }), ": ping\n\n", "data: {"]) {
      for (const isApart of [false, true]) {
        upstream.on("/v1/chat/completions", async (_request, response) => {
          openEvents(response);
          response.write(isApart ? full : full + more);
          if (isApart) await new Promise((resolve) => setTimeout(resolve, 20));
          response.end(isApart ? more : undefined);
        });
        const text = await (await chat()).text();
        expect(text).toMatch(/data: \[DONE\]\n\n$/);
        expect(text).not.toMatch(/More|late|ping/);
      }
    }
    expect(await server.balance(key)).toBe("0.99904");
  });

  it("ends a stream in another dialect, too", async () => {
    upstream.on("/v1/chat/completions", (_request, response) => {
      openEvents(response);
      response.write(full);
    });
    const text = await (await stream("messages", { max_tokens: 9, messages: [{ role: "user", content: "x" }] })).text();
    expect(text).toContain("message_stop");
  });

  it("leaves the connection to the next request where the upstream ends its reply with it", async () => {
    const sockets = new Set<number | undefined>();
    upstream.on("/v1/chat/completions", (_request, response) => {
      sockets.add(response.socket?.remotePort);
      openEvents(response);
      response.end(full);
    });
    for (let asked = 0; asked < 3; asked++) await (await chat()).text();
    expect(sockets.size).toBe(1);
  });
});
