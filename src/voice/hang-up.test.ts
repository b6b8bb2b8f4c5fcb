import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepBooks } from "../accounts/http/keep-books.ts";
import type { UsageWriter } from "../accounts/usage/usage-writer.ts";
import type { Caller } from "../accounts/verify-key.ts";
import { limitServer } from "../limits/limit-server.ts";
import { Problem } from "../platform/errors.ts";
import { createServer, type HttpApp } from "../platform/http/create-server.ts";
import { speakDialect } from "../platform/http/errors.ts";
import { logRequests } from "../platform/http/log-requests.ts";
import { type PlatformLog, silentLog } from "../platform/log.ts";
import type { ChatEngine } from "../ports/chat-engine.ts";
import type { SpeechEngine } from "../ports/speech-engine.ts";
import { addChatRoutes } from "./chat/routes.ts";
import { voiceDialect } from "./dialect.ts";
import { addSpeechRoutes } from "./speech/routes.ts";

/** Produces something for whoever asks first, and then nothing until its caller is gone. */
async function* produceOnce<Part>(part: Part, signal: AbortSignal): AsyncGenerator<Part> {
  const piece = ++pieces;
  yield part;
  if (piece === 1 && "samples" in (part as object)) return;
  hangUp();
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  throw signal.reason;
}

const chat: ChatEngine = { answer: (_wanted, signal) => produceOnce({ type: "delta", text: "Once" }, signal) };
const speech = {
  languages: () => [
    { code: "en-us", label: "English", engine: "engine_a", voices: [{ id: "en_nora", label: "Nora" }] },
  ],
  sampleRateHz: () => 24_000,
  speak: (_wanted: unknown, signal: AbortSignal) =>
    produceOnce({ samples: new Float32Array(24_000).fill(0.1), isLast: false }, signal),
} as unknown as SpeechEngine;

const story = "Once there was a sea that nobody had ever crossed. ".repeat(40);
const spoken = { voice: "en_nora", language: "en-us", audioMs: expect.toSatisfy((ms: number) => ms > 0) };

let pieces = 0;
let hangUp = () => {};
let synced = 0;
let app: HttpApp;
let records: Record<string, unknown>[];
let lines: Record<string, unknown>[];

beforeAll(async () => {
  app = await createServer({
    edgeUploadBytes: 1e6,
    corsOrigins: "*",
    trustedProxies: undefined,
  });
  const limits = { bufferedBytes: 1e7, connectionsPerAddress: 10, connections: 0, trustedProxies: undefined };
  limitServer(app, limits, silentLog);
  const log = { ...silentLog, isTold: () => true, info: (line: object) => void lines.push({ ...line }) };
  logRequests(app, log as unknown as PlatformLog);
  speakDialect(app, voiceDialect, silentLog);
  keepBooks(app, "voice", {
    write: (record: object) => void records.push({ ...record }),
    sync() {
      synced = records.length;
    },
  } as unknown as UsageWriter);
  app.decorateRequest("caller", null as unknown as Caller);
  app.addHook("onRequest", (request, _reply, done) => {
    request.caller = { keyId: "key_1", workspace: { id: "ws_1" } } as Caller;
    done();
  });
  addChatRoutes(app, { chat, log: { ...silentLog, words: () => undefined } as unknown as PlatformLog });
  addSpeechRoutes(app, { speech, hearing: {} as never, translation: {} as never });
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => app.close());

describe("a caller who hangs up", () => {
  it.each([
    ["/v1/chat", { message: "Hi", stream: true }, { model: "svc-chat-1", outputTokens: 1 }],
    ["/v1/chat", { message: "Hi" }, { model: "svc-chat-1", outputTokens: 1 }],
    ["/v1/speech", { text: story, stream: true }, spoken],
    ["/v1/speech", { text: story }, spoken],
  ])("on %s (%#) is on record and in the log with what was produced", async (path, body, produced) => {
    pieces = 0;
    records = [];
    lines = [];
    const json = JSON.stringify(body);
    const socket = connect((app.server.address() as { port: number }).port, "127.0.0.1");
    hangUp = () => void setTimeout(() => socket.destroy(), 50);
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`,
    );
    await expect.poll(() => records.length).toBe(1);
    expect(records[0]).toMatchObject({ route: `POST ${path}`, status: 499, keyId: "key_1", ...produced });
    expect(lines.filter(({ route }) => route === path)).toMatchObject([{ status: 499, key: "key_1" }]);
  });
});

it("a reply that the server breaks off is on record and in the log as its own failure", async () => {
  pieces = 0;
  records = [];
  lines = [];
  hangUp = () => {
    throw new Error("the worker ended");
  };
  const { port } = app.server.address() as { port: number };
  const reply = await fetch(`http://127.0.0.1:${port}/v1/speech`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: story, stream: true }),
  });
  await expect(reply.arrayBuffer()).rejects.toThrow();
  await expect.poll(() => records.length).toBe(1);
  expect(records[0]).toMatchObject({ route: "POST /v1/speech", status: 502, ...spoken });
  expect(lines.filter(({ route }) => route === "/v1/speech")).toMatchObject([{ status: 502 }]);
});

it("an answer that breaks off with an error event is on record and in the log as the server's failure", async () => {
  pieces = 0;
  records = [];
  lines = [];
  hangUp = () => {
    throw new Problem("engine_unavailable", "The chat engine ended unexpectedly.");
  };
  const { port } = app.server.address() as { port: number };
  const reply = await fetch(`http://127.0.0.1:${port}/v1/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "Hi", stream: true }),
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('"type":"error"')]);
  await expect.poll(() => records.length).toBe(1);
  expect(records[0]).toMatchObject({ route: "POST /v1/chat", status: 502, outputTokens: 1 });
  expect(lines.filter(({ route }) => route === "/v1/chat")).toMatchObject([{ status: 502 }]);
});

it("a request is on record before the last of its reply leaves", async () => {
  records = [];
  lines = [];
  synced = 0;
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  const whole = new Promise<number>((resolve) => socket.on("data", () => resolve(synced)));
  pieces = 0;
  const json = JSON.stringify({ text: "Once." });
  const head = `content-type: application/json\r\ncontent-length: ${json.length}`;
  socket.write(`POST /v1/speech HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n${json}`);
  expect(await whole).toBe(1);
  expect(records).toMatchObject([{ keyId: "key_1", status: 200, ...spoken }]);
  socket.destroy();
});
