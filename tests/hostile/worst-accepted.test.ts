import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
import { type HostileServer, startHostile } from "./hostile-server.ts";

/** What others may have to wait because of one request that is accepted. */
const longestStallMs = 250;
/** What is heavy about a body is done within its first second: reading, checking, splitting, handing over. */
const watchedMs = 1200;

let server: HostileServer;
beforeAll(async () => {
  server = await startHostile({ SVC_MODELS_DIR: "" });
  await call(`${server.url}/v1/voices`, { key: server.key });
});
afterAll(() => server.stop());

const clusters = (count: number) => "é".repeat(count);
const family = "👩‍👩‍👧‍👦";
const wav = (bytes: number) => {
  const file = Buffer.alloc(bytes);
  file.write("RIFF", 0);
  file.writeUInt32LE(bytes - 8, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8000, 24);
  file.writeUInt32LE(8000, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write("data", 36);
  file.writeUInt32LE(bytes - 44, 40);
  return new Blob([file.fill(0x80, 44)], { type: "audio/wav" });
};
const text = (content: string) => new Blob([content], { type: "text/plain" });
const tool = (n: number) => ({ type: "function", function: { name: `f${n}`, parameters: { type: "object" } } });
const turns = (count: number, content: string) => Array.from({ length: count }, () => ({ role: "user", content }));
const manyFields = Array.from({ length: 100 }, (_, n) => ({
  name: `f${n}`,
  labels: Array.from({ length: 20 }, (_, m) => `Label ${n} ${m}`),
}));
const model = "local/tinyllama-1.1b-chat";

const worst: readonly (readonly [path: string, body: unknown])[] = [
  ["/v1/speech", { text: clusters(3000) }],
  ["/v1/speech", { text: "1234567890".repeat(300) }],
  ["/v1/speech", { text: "M.".repeat(1500), format: "mp3" }],
  ["/v1/audio/speech", { model: "tts-1", input: clusters(3000), voice: "alloy" }],
  ["/v1/translate", { text: "a ".repeat(1500), target_language: "es" }],
  ["/v1/translate", { text: `${family} `.repeat(250), target_language: "de" }],
  ["/v1/chat", { message: "я".repeat(32_000) }],
  ["/v1/chat", { messages: turns(256, "я ".repeat(62)) }],
  ["/v1/embeddings", { input: Array(64).fill("é".repeat(500)) }],
  ["/v1/personas", { name: "é".repeat(80), style_text: "é".repeat(4000) }],
  ["/v1/realtime/session", { style_text: "é".repeat(4000) }],
  ["/v1/realtime/tts", { language: "en-us" }],
  ["/v1/transcribe", form({ file: wav(4_400_000) })],
  ["/v1/dub", form({ file: wav(4_400_000), target_language: "es" })],
  ["/gateway/v1/chat/completions", { model, messages: turns(60_000, "a") }],
  ["/gateway/v1/chat/completions", { model, messages: turns(1, "x".repeat(20_000_000)) }],
  [
    "/gateway/v1/chat/completions",
    { model, messages: turns(1, "a"), tools: Array.from({ length: 30_000 }, (_, n) => tool(n)) },
  ],
  ["/gateway/v1/embeddings", { model: "local/bge-small-en-v1.5", input: Array(100_000).fill("a") }],
  ["/gateway/v1/responses", { model, input: "a ".repeat(10_000_000) }],
  ["/gateway/v1/messages", { model, max_tokens: 1, messages: turns(60_000, "a") }],
  ["/gateway/v1/rerank", { model: "local/bge-small-en-v1.5", query: "a", documents: Array(100_000).fill("a") }],
  ["/gateway/v1/audio/speech", { model: "local/kokoro-82m", input: clusters(4000), voice: "af_heart" }],
  ["/gateway/v1/audio/transcriptions", form({ file: wav(20_000_000), model: "local/moonshine-base" })],
  ["/extraction/v1/templates", { name: "t", fields: manyFields }],
  ["/extraction/v1/extract", form({ file: text("Total 1,00\n".repeat(90_000)) })],
  ["/extraction/v1/extract", form({ file: text("a ".repeat(500_000)) })],
  ["/extraction/v1/extract", form({ file: text("9".repeat(1_000_000)) })],
];

describe("the worst body that is accepted", () => {
  it.each(worst)("by %s holds up nobody else (%#)", async (path, body) => {
    let isOver = false;
    const stalls = watchStalls(() => isOver);
    const status = await send(path, body);
    isOver = true;
    expect(status).not.toBe(500);
    expect(await stalls).toEqual([]);
  });
});

async function send(path: string, body: unknown): Promise<number | "still at work"> {
  const headers = { "x-api-key": server.key };
  const signal = AbortSignal.timeout(watchedMs);
  const options = body instanceof FormData ? { body } : { json: body };
  try {
    return (await call(server.url + path, { key: server.key, headers, signal, ...options })).status;
  } catch (error) {
    if (signal.aborted) return "still at work";
    throw error;
  }
}

/** Waits of a bystander that the server's own thread was busy for all the time. A wait alone says little: the machine may have
 *  other things to do. */
async function watchStalls(isOver: () => boolean): Promise<string[]> {
  const stalls: string[] = [];
  while (!isOver()) {
    const began = performance.now();
    const busyBefore = mainThreadMs();
    await call(`${server.url}/healthz`);
    const waitedMs = performance.now() - began;
    const busyMs = mainThreadMs() - busyBefore;
    if (waitedMs > longestStallMs && busyMs > longestStallMs)
      stalls.push(`${Math.round(waitedMs)} ms, busy ${busyMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return stalls;
}

function mainThreadMs(): number {
  const fields = readFileSync(`/proc/${server.pid}/task/${server.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
