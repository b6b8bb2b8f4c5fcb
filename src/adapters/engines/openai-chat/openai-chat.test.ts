import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { chatEngineContract } from "../../../ports/chat-engine.contract.ts";
import type { ChatEvent } from "../../../ports/chat-engine.ts";
import { embeddingEngineContract } from "../../../ports/embedding-engine.contract.ts";
import { createOpenAiEmbeddings } from "../openai-embeddings/openai-embeddings.ts";
import { createOpenAiChat } from "./openai-chat.ts";
import { type OpenAiServer, parseServer } from "./openai-server.ts";

type Handler = (body: Record<string, unknown>, response: ServerResponse, attempt: number) => void;

/** A server in this process that answers as it is told. */
async function listen(handle: Handler) {
  let attempts = 0;
  const server = createServer(async (request: IncomingMessage, response) => {
    let text = "";
    for await (const part of request) text += part;
    handle(JSON.parse(text), response, ++attempts);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const remote: OpenAiServer = { baseUrl: `http://127.0.0.1:${port}/v1`, model: "big", apiKey: "secret" };
  return {
    remote,
    attempts: () => attempts,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string) => event({ choices: [{ delta: { content } }] });
const usage = { prompt_tokens: 12, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 8 } };

function sendAnswer(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const bytes = Buffer.from(
    `: hello\n\n${delta("  Añ")}${delta("o nuevo ")}${delta(" \n")}${event({ choices: [{ delta: {}, finish_reason: "stop" }] })}${event({ choices: [], usage })}data: [DONE]\n\n`,
  );
  // One byte at a time, as a network might.
  let place = 0;
  const write = () => {
    while (place < bytes.length && response.write(bytes.subarray(place, ++place)));
    if (place < bytes.length) response.once("drain", write);
    else response.end();
  };
  write();
}

chatEngineContract("an OpenAI-compatible server", async () => {
  const server = await listen((_body, response) => sendAnswer(response));
  return { engine: createOpenAiChat(server.remote), close: server.close };
});

embeddingEngineContract("an OpenAI-compatible server", async () => {
  const server = await listen(({ input }, response) => {
    const texts = input as string[];
    const data = texts.map((text, index) => ({
      index,
      embedding: [text.includes("Friday") ? 2 : 0.1, text.length / 100, 1],
    }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: data.reverse(), usage: { prompt_tokens: 20 } }));
  });
  return { engine: createOpenAiEmbeddings(server.remote), close: server.close };
});

describe("a chat server elsewhere", () => {
  let server: Awaited<ReturnType<typeof listen>>;
  afterEach(() => server.close());

  async function ask(options = {}) {
    const events: ChatEvent[] = [];
    const request = { messages: [{ role: "user" as const, content: "Hi" }], key: "k", flow: "f" };
    const engine = createOpenAiChat(server.remote, options);
    for await (const one of engine.answer(request, new AbortController().signal)) events.push(one);
    return events;
  }

  it("is read whatever pieces its answer comes in, and its counts are passed on", async () => {
    server = await listen((_body, response) => sendAnswer(response));
    const events = await ask();
    expect(events.map((one) => (one.type === "delta" ? one.text : "")).join("")).toBe("Año nuevo");
    expect(events.at(-1)).toEqual({
      type: "done",
      finishReason: "stop",
      usage: { inputTokens: 12, outputTokens: 3, cachedTokens: 8 },
    });
  });

  it("that does not report caching gives null, not zero", async () => {
    server = await listen((_body, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        `${delta("Yes")}${event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })}data: [DONE]\n\n`,
      );
    });
    expect((await ask()).at(-1)).toMatchObject({ usage: { cachedTokens: null } });
  });

  it("is asked again when it fails before the first word", async () => {
    server = await listen((_body, response, attempt) => {
      if (attempt < 3) response.writeHead(503).end("later");
      else sendAnswer(response);
    });
    expect((await ask()).length).toBeGreaterThan(1);
    expect(server.attempts()).toBe(3);
  });

  it("that keeps failing is unavailable, and nothing of its address or words is told", async () => {
    server = await listen((_body, response) => response.writeHead(500).end("secret stack trace"));
    const failure = (await ask().catch((error: Error) => error)) as Error;
    expect(failure).toMatchObject({ kind: "engine_unavailable" });
    expect(failure.message).not.toMatch(/127\.0\.0\.1|stack trace/);
  });

  it("that refuses, is busy, breaks off or falls silent is told apart", async () => {
    server = await listen((_body, response) => response.writeHead(401).end());
    await expect(ask()).rejects.toMatchObject({ kind: "engine_rejected" });
    expect(server.attempts()).toBe(1);
    await server.close();
    server = await listen((_body, response) => response.writeHead(429, { "retry-after": "7" }).end());
    await expect(ask()).rejects.toMatchObject({ kind: "engine_busy", retryAfterSeconds: 7 });
    await server.close();
    server = await listen((_body, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(delta("Half an"), () => response.destroy());
    });
    await expect(ask()).rejects.toThrow(/broke off/);
    await server.close();
    server = await listen((_body, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(delta("Half an"));
    });
    await expect(ask({ silenceMs: 100 })).rejects.toThrow(/fell silent/);
    await server.close();
    server = await listen(() => {});
    await expect(ask({ timeoutMs: 100 })).rejects.toThrow(/did not answer/);
  });
});

describe("the address of a server", () => {
  it("names a base address and a model", () => {
    expect(parseServer("openai:http://gpu:8000/v1#org/model")).toEqual({
      baseUrl: "http://gpu:8000/v1",
      model: "org/model",
    });
    for (const wrong of ["openai:http://gpu/v1", "http://gpu/v1#m", "openai:#m", "local"]) {
      expect(parseServer(wrong)).toBeUndefined();
    }
  });
});
