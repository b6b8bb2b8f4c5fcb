import { expect, it, onTestFinished } from "vitest";
import { chunk, completion, event, openEvents, sendJson, startFakeUpstream } from "../support/fake-upstream.ts";
import { runCli } from "../support/run-cli.ts";
import { startHostile } from "./hostile-server.ts";

const replies = 320;
/** The last of them come together. */
const atOnce = 32;
const usage = { prompt_tokens: 1, completion_tokens: 1 };

it("a server that is killed has every reply on record that was received, and has charged for it", async () => {
  const upstream = await startFakeUpstream();
  onTestFinished(() => upstream.close());
  upstream.on("/v1/chat/completions", ({ json }, response) => {
    if (!json.stream) return sendJson(response, completion(usage));
    openEvents(response);
    response.end(event(chunk("Hello.", { usage })) + event("[DONE]"));
  });
  const server = await startHostile({ SVC_GATEWAY_UPSTREAM_URL: upstream.url });
  onTestFinished(() => server.stop());
  await runCli(["credits", "grant", "--workspace", "default", "--amount", "10.00"], { SVC_DATA_DIR: server.dataDir });
  const { url, key } = server;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = (body: object) =>
    fetch(`${url}/gateway/v1/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) });
  const chat = { model: "acme/chat", messages: [{ role: "user", content: "Hi." }] };
  const kinds = {
    voices: () => fetch(`${url}/v1/voices`, { headers }),
    completion: () => post(chat),
    stream: () => post({ ...chat, stream: true }),
    refusal: () => post({ model: "acme/chat" }),
  };
  const before = await server.countUsage();
  const received: Record<string, number> = {};
  let asked = 0;
  const ask = async () => {
    const names = Object.keys(kinds) as (keyof typeof kinds)[];
    while (asked < replies) {
      const name = names[asked++ % names.length]!;
      const reply = await kinds[name]();
      await reply.arrayBuffer();
      const label = `${name} ${reply.status}`;
      received[label] = (received[label] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  await server.restart("SIGKILL");
  const each = replies / 4;
  expect(received).toEqual({ "completion 200": each, "refusal 400": each, "stream 200": each, "voices 200": each });
  expect((await server.countUsage()) - before).toBe(replies);
  const audit = await runCli(["credits", "audit", "--json"], { SVC_DATA_DIR: server.dataDir });
  expect(JSON.parse(audit.out)).toMatchObject([{ verdict: "right" }]);
});
