import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { encodeWhole } from "../../src/audio/encode.ts";
import { readWav } from "../../src/audio/wav.ts";
import { call } from "../support/call.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let elsewhere: Server | undefined;
let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  elsewhere?.closeAllConnections();
  elsewhere?.close();
});

/** An OpenAI-compatible speech server that hums as long as the text is, and our platform in front of it. */
async function start(options: { status?: number; isSilent?: boolean } = {}) {
  const asked: { input: string; voice: string; model: string }[] = [];
  elsewhere = createServer(async (request, response) => {
    if (request.method === "GET") return void response.end("{}");
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString());
    asked.push(body);
    if (options.isSilent) return;
    if (options.status) return void response.writeHead(options.status).end("{}");
    const hum = Float32Array.from({ length: body.input.length * 1000 }, (_, i) => 0.2 * Math.sin(i * 0.05));
    response.end(await encodeWhole("wav", hum, 22050));
  });
  await new Promise<void>((resolve) => elsewhere!.listen(0, "127.0.0.1", resolve));
  const { port } = elsewhere.address() as AddressInfo;
  server = await startServer({ SVC_SPEECH_ENGINE: `openai:http://127.0.0.1:${port}/v1#hum-1` });
  return { url: server.url, key: server.key, asked };
}

async function speak(url: string, key: string, body: object, signal?: AbortSignal) {
  const response = await fetch(`${url}/v1/speech`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe("speech by a server elsewhere", () => {
  it("is sent there sentence by sentence and comes back at our rate and loudness", async () => {
    const { url, key, asked } = await start();
    const text = "This is the first sentence, number 1. And this is the second sentence of the text.";
    const { status, bytes } = await speak(url, key, { text, voice: "af_heart" });
    expect(status).toBe(200);
    expect(readWav(bytes)!.sampleRateHz).toBe(24000);
    expect(asked.map(({ input }) => input)).toEqual([
      "This is the first sentence, number one.",
      "And this is the second sentence of the text.",
    ]);
    expect(asked[0]).toMatchObject({ voice: "af_heart", model: "hum-1" });
    const ready = await call(`${url}/readyz`);
    expect(JSON.stringify(ready.json)).toContain("svc-tts-1/hum-1");
  });

  it("when it fails the answer is a 502 that shows nothing of it", async () => {
    const { url, key } = await start({ status: 500 });
    const { status, bytes } = await speak(url, key, { text: "Hello there." });
    expect(status).toBe(502);
    const { error } = JSON.parse(bytes.toString());
    expect(error.type).toBe("upstream_error");
    expect(error.message).not.toContain("127.0.0.1");
  });

  it("when it is busy the answer is a 429", async () => {
    const { url, key } = await start({ status: 429 });
    expect((await speak(url, key, { text: "Hello there." })).status).toBe(429);
  });

  it("hanging up hangs up there too", async () => {
    const { url, key } = await start({ isSilent: true });
    const closed = new Promise<void>((resolve) => elsewhere!.on("connection", (socket) => socket.on("close", resolve)));
    const abort = new AbortController();
    const spoken = speak(url, key, { text: "Hello there." }, abort.signal).catch(() => undefined);
    setTimeout(() => abort.abort(), 300);
    await spoken;
    await closed;
  });

  it("an address that makes no sense stops the start and says so", async () => {
    await expect(startServer({ SVC_SPEECH_ENGINE: "espeak" })).rejects.toThrow(/SVC_SPEECH_ENGINE.*openai:http/);
    server = undefined;
  });
});
