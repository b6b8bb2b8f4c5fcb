import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { chunk, completion, event, openEvents, sendJson, startFakeUpstream } from "../support/fake-upstream.ts";
import { startGatewayServer } from "../support/gateway-server.ts";

it("nothing that was asked or answered through the gateway is on disk afterwards", async () => {
  const upstream = await startFakeUpstream();
  const answer = "zebraquartz";
  upstream.on("/v1/chat/completions", ({ json }, response) => {
    if (json.messages[0].content.includes("refuse")) {
      sendJson(response, { error: { message: `I refuse ${json.messages[0].content} ${answer}` } }, 500);
    } else if (json.stream) {
      openEvents(response);
      response.write(event(chunk(answer)));
      response.end(event("[DONE]"));
    } else {
      const body = completion({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 });
      body.choices[0]!.message.content = answer;
      sendJson(response, body);
    }
  });
  const dataDir = mkdtempSync(join(tmpdir(), "parlance-retention-"));
  const server = await startGatewayServer({ SVC_GATEWAY_UPSTREAM_URL: upstream.url, SVC_DATA_DIR: dataDir });
  const { key } = await server.newAccount("1");
  const prompt = "giraffequince";
  const ask = (extra: object, content = prompt, headers = {}) =>
    call(`${server.base}/chat/completions`, {
      key,
      headers,
      json: { model: "acme/chat", max_tokens: 9, messages: [{ role: "user", content }], ...extra },
    });
  expect((await ask({}, prompt, { "idempotency-key": "k1" })).text).toContain(answer);
  expect((await ask({}, prompt, { "idempotency-key": "k1" })).text).toContain(answer);
  expect((await ask({ stream: true })).text).toContain(answer);
  expect((await ask({}, `${prompt} refuse`)).status).toBe(503);
  await server.balance(key);
  const found = () =>
    readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => {
        const bytes = readFileSync(path);
        return bytes.includes(prompt) || bytes.includes(answer);
      });
  expect(found()).toEqual([]);
  await server.close();
  expect(found()).toEqual([]);
  await upstream.close();
  rmSync(dataDir, { recursive: true, force: true });
});
