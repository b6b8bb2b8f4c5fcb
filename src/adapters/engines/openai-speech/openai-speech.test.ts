import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { encodeWhole } from "../../../audio/encode.ts";
import { speechEngineContract } from "../../../ports/speech-engine.contract.ts";
import type { SpeechEngine, SpokenLanguage } from "../../../ports/speech-engine.ts";
import { firstThatAnswers } from "./first-that-answers.ts";
import { createOpenAiSpeech } from "./openai-speech.ts";
import { parseRemoteAddress } from "./parse-address.ts";

const languages: SpokenLanguage[] = [
  { code: "en-us", label: "English", engine: "engine_a", voices: [{ id: "alloy", label: "Alloy" }] },
  { code: "hi", label: "Hindi", engine: "engine_b", voices: [{ id: "hf", label: "Hf" }] },
];
const tone = Float32Array.from({ length: 22050 }, (_, i) => 0.3 * Math.sin(i * 0.08));

type Answer = (body: Record<string, unknown>, response: ServerResponse, request: IncomingMessage) => unknown;

async function open(answer: Answer, timeoutMs = 5000) {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    await answer(JSON.parse(Buffer.concat(parts).toString()), response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  return {
    engine: createOpenAiSpeech({ baseUrl, model: "kokoro", apiKey: "secret", languages: () => languages, timeoutMs }),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

let closeServer: (() => Promise<void>) | undefined;
afterEach(() => closeServer?.());

async function serving(answer: Answer, timeoutMs?: number): Promise<SpeechEngine> {
  const { engine, close } = await open(answer, timeoutMs);
  closeServer = close;
  return engine;
}

const speaks: Answer = async (_body, response) => response.end(await encodeWhole("wav", tone, 22050));

async function say(engine: SpeechEngine, fields: object = {}, signal = new AbortController().signal) {
  const request = { text: "Hello", language: "en-us", voice: "alloy", speed: 1.5, key: "k", flow: "f", ...fields };
  const chunks = [];
  for await (const chunk of engine.speak(request, signal)) chunks.push(chunk);
  return chunks;
}

describe("an OpenAI-compatible speech server", () => {
  it("is asked for wav with its model, the voice and the speed, and its audio arrives at our rate", async () => {
    let seen: Record<string, unknown> = {};
    let headers: IncomingMessage["headers"] = {};
    const engine = await serving((body, response, request) => {
      seen = body;
      headers = request.headers;
      return speaks(body, response, request);
    });
    const [chunk] = await say(engine, { text: "Say [tomato](/x/) twice" });
    expect(seen).toEqual({
      model: "kokoro",
      input: "Say tomato twice",
      voice: "alloy",
      speed: 1.5,
      response_format: "wav",
    });
    expect(headers.authorization).toBe("Bearer secret");
    expect(chunk!.sampleRateHz).toBe(24000);
    expect(chunk!.samples.length).toBeGreaterThan(23000);
    expect((await say(engine, { language: "hi", voice: "hf" }))[0]!.sampleRateHz).toBe(16000);
  });

  it.each([
    [
      "an error",
      (_: unknown, response: ServerResponse) => response.writeHead(500).end("secret details"),
      "engine_unavailable",
      /answered 500/,
    ],
    [
      "nonsense",
      (_: unknown, response: ServerResponse) => response.end("not audio"),
      "engine_unavailable",
      /not 16-bit/,
    ],
    [
      "a closed connection",
      (_: unknown, response: ServerResponse) => response.destroy(),
      "engine_unavailable",
      /cannot be reached/,
    ],
    ["nothing", () => {}, "engine_unavailable", /did not answer within/],
    [
      "too many requests",
      (_: unknown, response: ServerResponse) => response.writeHead(429, { "retry-after": "7" }).end(),
      "engine_busy",
      /busy/,
    ],
  ] as const)("%s becomes a problem that shows nothing of the server", async (_name, answer, kind, message) => {
    const engine = await serving(answer as Answer, 400);
    const failure = await say(engine).catch((error) => error);
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain("secret");
    if (kind === "engine_busy") expect(failure.retryAfterSeconds).toBe(7);
  });

  it("hanging up closes the connection to it", async () => {
    const abort = new AbortController();
    let onClose = () => {};
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const engine = await serving((_body, response) => {
      response.on("close", onClose);
      abort.abort(new Error("hung up"));
    });
    await expect(say(engine, {}, abort.signal)).rejects.toThrow("hung up");
    await closed;
  });

  it("the next engine answers when the first cannot, and a wrong request is not tried again", async () => {
    const working = await serving(speaks);
    const dead = createOpenAiSpeech({ baseUrl: "http://127.0.0.1:9/v1", model: "m", languages: () => languages });
    const chain = firstThatAnswers([dead, working]);
    expect((await say(chain)).length).toBe(1);
    expect(chain.languages().length).toBe(2);
  });
});

speechEngineContract("openai", () =>
  open(async (body, response, request) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return speaks(body, response, request);
  }),
);

describe("its address", () => {
  it.each([
    ["openai:http://gpu:8000/v1#kokoro", { baseUrl: "http://gpu:8000/v1", model: "kokoro" }],
    ["openai:https://host/v1/", { baseUrl: "https://host/v1", model: "tts-1" }],
    [" openai:http://h/v1#a/b ", { baseUrl: "http://h/v1", model: "a/b" }],
  ])("%s", (text, address) => {
    expect(parseRemoteAddress(text)).toEqual(address);
  });

  it.each(["local", "openai:", "openai:ftp://x", "http://x", "openai:http://"])("%s is none", (text) => {
    expect(parseRemoteAddress(text)).toBeUndefined();
  });
});
