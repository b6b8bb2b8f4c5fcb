import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
import { type HostileServer, isWell, startHostile } from "./hostile-server.ts";

let server: HostileServer;
beforeAll(async () => {
  server = await startHostile();
});
afterAll(() => server.stop());

const post = (path: string, json: unknown) => call(`${server.url}${path}`, { key: server.key, json });
const extraction = (path: string, options: object = {}) =>
  call(`${server.url}/extraction${path}`, { headers: { "x-api-key": server.key }, ...options });

describe("one request", () => {
  it("whose codes are no languages is refused, reaches no record, and the next start works", async () => {
    for (const code of ["x\u0000", "xx-anything", "secret words"]) {
      const body = { text: "hi", source_language: code, target_language: code };
      const { status } = await post("/v1/translate", body);
      expect([400, 502]).toContain(status);
    }
    expect(await isWell(server)).toBe(true);
    await server.restart();
    expect(await isWell(server)).toBe(true);
  });

  const long = "é".repeat(160_000);
  const marks = `e${"\u0301".repeat(1_000_000)}`;
  it.each([
    ["/v1/translate", { text: long, target_language: "es" }],
    ["/v1/translate", { text: marks, target_language: "es" }],
    ["/v1/speech", { text: long }],
    ["/v1/audio/speech", { input: marks, voice: "alloy" }],
    ["/v1/chat", { message: "я".repeat(300_000) }],
    ["/v1/chat", { messages: Array.from({ length: 256 }, () => ({ role: "user", content: "я".repeat(1_100) })) }],
    ["/v1/embeddings", { input: Array.from({ length: 64 }, () => "é".repeat(5_000)) }],
    ["/v1/realtime/session", { style_text: marks }],
    ["/v1/personas", { name: marks }],
    ["/v1/chat", { messages: "[".repeat(3_000_000) }],
    ["/gateway/v1/chat/completions", { model: "a/b", messages: [], models: Array(300_000).fill("a/b") }],
    ["/gateway/v1/chat/completions", { model: "a/b", messages: Array.from({ length: 500_000 }, () => ({})) }],
  ])("to %s that is far too long is refused", async (path, body) => {
    const { status } = await post(path, body);
    expect(status).toBe(400);
  });

  it.each([
    ["brackets", "[".repeat(4_000_000)],
    ["objects", '{"a":'.repeat(500_000)],
    ["values", `[${"[],".repeat(1_000_000)}1]`],
    ["escapes", `{"text":"${'\\"'.repeat(2_000_000)}"}`],
  ])("of nothing but %s is refused by every service", async (_name, body) => {
    for (const path of ["/v1/chat", "/gateway/v1/chat/completions", "/extraction/v1/templates"]) {
      const headers = { "content-type": "application/json", "x-api-key": server.key };
      const { status } = await call(`${server.url}${path}`, { key: server.key, body, headers });
      expect(status).toBe(400);
    }
  });

  it.each(["__proto__.zz.b", "constructor.prototype.x", "__proto__"])(
    "with a template field %s is refused, and objects stay as they are",
    async (name) => {
      const template = { name: "t", fields: [{ name, labels: ["Total"] }] };
      expect((await extraction("/v1/templates", { json: template })).status).toBe(400);
      expect(await isWell(server)).toBe(true);
    },
  );

  it.each(["? ".repeat(20_000), "- ".repeat(20_000), "{a: ".repeat(20_000), "&a [*a]\n".repeat(5_000)])(
    "with YAML that has no end is refused: %#",
    async (body) => {
      const headers = { "content-type": "application/yaml", "x-api-key": server.key };
      const { status } = await call(`${server.url}/extraction/v1/templates`, { body, headers });
      expect(status).toBe(400);
    },
  );

  it("with thousands of patterns is bounded, and others are served meanwhile", async () => {
    const find = Array.from({ length: 20 }, () => ({ pattern: "(a?){200}(b|c|d){100}[a-z]{1,300}".padEnd(499, "x?") }));
    const fields = Array.from({ length: 100 }, (_, index) => ({ name: `f${index}`, find }));
    const heavy = extraction("/v1/templates", { json: { name: "heavy", fields } });
    expect((await call(`${server.url}/healthz`)).status).toBe(200);
    expect([201, 400]).toContain((await heavy).status);
  });

  it("with a megabyte of short words in a document is answered, and others are served meanwhile", async () => {
    const file = new Blob(["a ".repeat(500_000)], { type: "text/plain" });
    const heavy = extraction("/v1/extract?wait=120", { body: form({ file }) });
    expect((await call(`${server.url}/healthz`)).status).toBe(200);
    expect([200, 422]).toContain((await heavy).status);
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "for the voice %s is a 400 or 502",
    async (voice) => {
      for (const [path, body] of [
        ["/v1/speech", { text: "Hi.", voice }],
        ["/v1/speech", { text: "Hi.", language: voice }],
        ["/v1/audio/speech", { input: "Hi.", voice }],
        ["/v1/realtime/tts", { voice, language: voice }],
        ["/gateway/v1/audio/speech", { model: "local/kokoro-82m", input: "Hi.", voice }],
      ] as const) {
        expect([400, 404, 502, 503]).toContain((await post(path, body)).status);
      }
    },
  );

  it("with a NUL in an id or a name is a 400 or a 404", async () => {
    for (const path of ["/v1/personas/%00", "/v1/personas/p_a%00b"]) {
      expect([400, 404]).toContain((await call(`${server.url}${path}`, { key: server.key })).status);
    }
    for (const path of ["/v1/extractions/%00", "/v1/templates/tpl_%00", "/v1/extractions?cursor=%00"]) {
      expect([400, 404]).toContain((await extraction(path)).status);
    }
    const named = { name: "a\u0000b", fields: [{ name: "total", labels: ["Total\u0000"] }] };
    expect((await extraction("/v1/templates", { json: named })).status).toBe(400);
    expect([400, 502]).toContain((await post("/v1/personas", { name: "a\u0000b" })).status);
    expect(await isWell(server)).toBe(true);
  });
});
