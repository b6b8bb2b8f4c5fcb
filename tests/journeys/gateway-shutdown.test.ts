import { once } from "node:events";
import net from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { chunk, completion, event, openEvents, sendJson, startFakeUpstream } from "../support/fake-upstream.ts";
import { startGatewayServer } from "../support/gateway-server.ts";

function post(body: object, key: string): string {
  const text = JSON.stringify({ model: "acme/chat", messages: [{ role: "user", content: "Hi." }], ...body });
  const head = `POST /gateway/v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** All that is heard until the server ends the connection. */
async function hear(url: string, sent: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname, () => socket.write(sent));
  let heard = "";
  socket.on("data", (bytes) => {
    heard += bytes;
  });
  await once(socket, "end");
  return heard;
}

describe("a gateway that is told to end", () => {
  it("says, with replies that were waited for, that their connections end, and ends them", async () => {
    const upstream = await startFakeUpstream();
    onTestFinished(() => upstream.close());
    const server = await startGatewayServer({
      SVC_GATEWAY_UPSTREAM_URL: upstream.url,
      SVC_SHUTDOWN: "60s",
    });
    const answers: (() => void)[] = [];
    upstream.on("/v1/chat/completions", ({ json }, response) => {
      answers.push(() => {
        if (!json.stream) return sendJson(response, completion({ prompt_tokens: 1, completion_tokens: 1 }));
        openEvents(response);
        response.end(event(chunk("Hello.", { usage: { prompt_tokens: 1, completion_tokens: 1 } })) + event("[DONE]"));
      });
    });
    const { key } = await server.newAccount("10");
    const replies = [{}, { stream: true }].map((body) => hear(server.url, post(body, key)));
    await expect.poll(() => answers.length, { timeout: 30_000 }).toBe(2);
    const closed = server.close();
    for (const answer of answers) answer();
    for (const heard of await Promise.all(replies)) {
      const [head, body] = heard.split(/\r\n\r\n(.*)/s);
      expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(head!.match(/^(?:connection|keep-alive):.*$/gim)).toEqual(["Connection: close"]);
      expect(body).toContain("Hello.");
    }
    await closed;
  });
});
