import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BGE_MODEL } from "../../src/adapters/engines/bge/bge.ts";
import { CHAT_MODEL } from "../../src/adapters/engines/llama/model-file.ts";
import { TRANSLATOR_MODEL } from "../../src/adapters/engines/translator/translator.ts";
import { call } from "../support/call.ts";
import { lacksModels } from "../support/local-speech.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const post = (path: string, json: unknown, key = server.key) => call(`${server.url}${path}`, { key, json });

describe.skipIf(lacksModels(CHAT_MODEL))("chat", () => {
  it("answers a message with the model's own counts, and knows the beginning when the conversation goes on", async () => {
    const question = { role: "user", content: "What is the capital of France?" };
    const first = await post("/v1/chat", { message: question.content, temperature: 0 });
    expect(first.status).toBe(200);
    expect(Object.keys(first.json).sort()).toEqual(["model", "reply", "usage"]);
    expect(first.json.reply).toContain("Paris");
    expect(first.json.model).toBe("svc-chat-1");
    expect(first.json.usage.input_tokens).toBeGreaterThan(20);
    expect(first.json.usage.output_tokens).toBeGreaterThan(2);

    const messages = [
      question,
      { role: "assistant", content: first.json.reply },
      { role: "user", content: "And of Italy?" },
    ];
    const second = await post("/v1/chat", { messages, temperature: 0, message: "This one is overridden." });
    expect(second.status).toBe(200);
    expect(second.json.usage.cached_tokens).toBeGreaterThanOrEqual(first.json.usage.input_tokens - 4);
    expect(second.json.usage.cached_tokens).toBeLessThan(second.json.usage.input_tokens);
  });

  it("streams the answer as events, then one that is the whole, and nothing after it", async () => {
    const reply = await post("/v1/chat", { message: "Name three colours.", stream: true, temperature: 0 });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toContain("text/event-stream");
    const events = readEvents(reply.text);
    const deltas = events.filter(({ type }) => type === "delta");
    expect(deltas.length).toBeGreaterThan(1);
    const done = events.at(-1)!;
    expect(done.type).toBe("done");
    expect(done.reply).toBe(deltas.map(({ text }) => text).join(""));
    expect(done.model).toBe("svc-chat-1");
    expect(done.usage.output_tokens).toBeGreaterThanOrEqual(deltas.length);
    expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
  });

  it("stops generating and frees its place when the caller hangs up", async () => {
    const abort = new AbortController();
    const response = await fetch(`${server.url}/v1/chat`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify({ message: "Tell me a very long story about the sea.", stream: true }),
      signal: abort.signal,
    });
    const reader = response.body!.getReader();
    await reader.read();
    expect(await activeChats()).toBe(1);
    abort.abort();
    await reader.read().catch(() => {});
    while ((await activeChats()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    const restarts = await metric("parlance_engine_restarts_total");
    expect(restarts).toBe(0);
  });

  it("refuses what it cannot do, and says what it can", async () => {
    const cases: [object, RegExp][] = [
      [{}, /"message" or "messages"/],
      [{ message: "  " }, /"message" or "messages"/],
      [{ messages: [] }, /messages/],
      [{ messages: [{ role: "tool", content: "x" }] }, /system, user, assistant/],
      [{ message: "Hi", model: "gpt-9" }, /"gpt-9".*svc-chat-1/],
      [{ message: "Hi", temperature: 3 }, /temperature/],
      [{ message: "x".repeat(32_001) }, /32000/],
      [{ messages: Array(257).fill({ role: "user", content: "x" }) }, /256/],
    ];
    for (const [body, message] of cases) {
      const reply = await post("/v1/chat", body);
      expect(reply.status, JSON.stringify(body).slice(0, 80)).toBe(400);
      expect(reply.json.error.type).toBe("invalid_request");
      expect(reply.json.error.message).toMatch(message);
    }
  });

  async function metric(name: string): Promise<number> {
    const { text } = await call(`${server.url}/metrics`);
    return Number(new RegExp(`^${name}\\{engine="llama"\\} (\\d+)`, "m").exec(text)?.[1]);
  }
  const activeChats = () => metric("parlance_engine_active");
});

describe.skipIf(lacksModels(TRANSLATOR_MODEL))("translation", () => {
  it("replies with everything that is documented", async () => {
    const text = "The house is big.";
    const reply = await post("/v1/translate", { text, target_language: "es", source_language: "en" });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      source: text,
      translation: "La casa es grande.",
      sourceLanguage: "English",
      targetLanguage: "Spanish",
      targetLanguageCode: "es",
      model: "svc-translate-1/translator",
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number), cached_tokens: null },
    });
    expect(reply.json.usage.input_tokens).toBeGreaterThan(3);
  });

  it("goes from English, into English, and through English between two others", async () => {
    const ask = async (text: string, source_language: string, target_language: string) =>
      (await post("/v1/translate", { text, source_language, target_language })).json;
    const german = await ask("I am looking for my keys.", "en", "de");
    expect(german).toMatchObject({ targetLanguage: "German", model: "svc-translate-1/translator" });
    expect(german.translation).toMatch(/Schlüssel/);
    const english = await ask("मैं कल सुबह बाज़ार जाऊँगा।", "hi", "en");
    expect(english.translation).toMatch(/tomorrow/i);
    const french = await ask("Das Haus ist sehr groß und hat 12 Zimmer.", "de", "fr");
    expect(french.translation).toMatch(/maison.*12/i);
  });

  it("answers several requests at once, each with its own", async () => {
    const texts = ["The house is big.", "The water is cold.", "The book is old.", "The street is long."];
    const replies = await Promise.all(
      texts.map((text) => post("/v1/translate", { text, source_language: "en", target_language: "de" })),
    );
    for (const [index, word] of ["Haus", "Wasser", "Buch", "Straße"].entries()) {
      expect(replies[index]!.json.translation).toContain(word);
    }
  });

  it("says where it is good for the gist only", async () => {
    const { json } = await post("/v1/translate", {
      text: "Good morning.",
      source_language: "en",
      target_language: "gu",
    });
    expect(json).toMatchObject({ targetLanguageCode: "gu", quality: "preview" });
  });

  it("tells the language by itself, and forgives how codes are written", async () => {
    const text = "Quiero comprar dos billetes para el tren de mañana.";
    const reply = await post("/v1/translate", { text, target_language: "EN_gb" });
    expect(reply.status).toBe(200);
    expect(reply.json.sourceLanguage).toBe("Spanish");
    expect(reply.json.targetLanguageCode).toBe("en-gb");
    expect(reply.json.translation).toMatch(/train/);
  });

  it("keeps line breaks, numbers, addresses, markup and words it does not know", async () => {
    const text =
      "Hello <b>world</b>.\n\n  Pay 1,250.00 at https://example.com/a-b?x=1 to Zblorg.\r\nWrite to me@example.org.";
    const reply = await post("/v1/translate", { text, target_language: "es", source_language: "en-us" });
    const { translation } = reply.json;
    expect(translation.split("\n\n  ")).toHaveLength(2);
    expect(translation).toMatch(/1,250\.00|1\.250,00/);
    for (const kept of ["<b>", "</b>", "https://example.com/a-b?x=1", "Zblorg", "\r\n", "me@example.org"]) {
      expect(translation).toContain(kept);
    }
    expect(translation).not.toMatch(/[*#@]\w*Zblorg|Qx/);
  });

  it("takes 3000 characters and not one more", async () => {
    const text = "The house is big. ".repeat(167).slice(0, 3000);
    const whole = await post("/v1/translate", { text, target_language: "es", source_language: "en" });
    expect(whole.status).toBe(200);
    expect(whole.json.translation.length).toBeGreaterThan(2500);
    const over = await post("/v1/translate", { text: `${text}x`, target_language: "es" });
    expect(over.status).toBe(400);
    expect(over.json.error.message).toMatch(/3000/);
  });

  it("names the directions that work where one does not", async () => {
    const impossible = await post("/v1/translate", {
      text: "Good morning",
      target_language: "ja",
      source_language: "en",
    });
    expect(impossible.status).toBe(400);
    expect(impossible.json.error).toMatchObject({ type: "invalid_request" });
    expect(impossible.json.error.message).toMatch(/English.*Japanese.*\bes\b/);
    for (const body of [
      { text: "x" },
      { text: " ", target_language: "es" },
      { text: "12345", target_language: "es" },
    ]) {
      expect((await post("/v1/translate", body)).status).toBe(400);
    }
  });

  it("leaves a text alone that is already in the language asked for", async () => {
    const reply = await post("/v1/translate", { text: "Good morning to all of you", target_language: "en-us" });
    expect(reply.json.translation).toBe("Good morning to all of you");
  });
});

describe.skipIf(lacksModels(BGE_MODEL))("embeddings", () => {
  it("gives one vector of unit length for each text, in order, and the tokens read", async () => {
    const input = ["A dog runs in the park.", "The market fell sharply.", "A puppy is running outside."];
    const reply = await post("/v1/embeddings", { input });
    expect(reply.status).toBe(200);
    const { embeddings, dimensions, model, usage } = reply.json;
    expect({ count: embeddings.length, dimensions, model }).toEqual({
      count: 3,
      dimensions: 384,
      model: "svc-embed-1",
    });
    expect(usage).toEqual({ input_tokens: 24 });
    for (const vector of embeddings) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(dot(embeddings[0], embeddings[2])).toBeGreaterThan(dot(embeddings[0], embeddings[1]));
    const one = await post("/v1/embeddings", { input: input[1] });
    expect(one.json.embeddings).toEqual([embeddings[1]]);
  });

  it("takes 64 texts with 32000 characters in total, and not one more of either", async () => {
    expect((await post("/v1/embeddings", { input: Array(64).fill("a b") })).status).toBe(200);
    expect((await post("/v1/embeddings", { input: Array(65).fill("a") })).status).toBe(400);
    const long = "word ".repeat(6400);
    const whole = await post("/v1/embeddings", { input: long });
    expect(whole.status).toBe(200);
    expect(whole.json.usage.input_tokens).toBe(6400 + 2 * Math.ceil(6400 / 510));
    expect((await post("/v1/embeddings", { input: [long, "x"] })).status).toBe(400);
    for (const input of [undefined, "", [], [1], ["", "a"]]) {
      expect((await post("/v1/embeddings", { input })).status).toBe(400);
    }
  });
});

describe("scopes", () => {
  it("of words are chat and translate, and each opens only its own routes", async () => {
    const { key } = await server.newKey(["translate"]);
    for (const path of ["/v1/chat", "/v1/embeddings"]) {
      const reply = await post(path, { message: "x", input: "x" }, key);
      expect(reply.status).toBe(403);
      expect(reply.json.error.type).toBe("forbidden");
    }
  });
});

function readEvents(text: string) {
  const blocks = text.split("\n\n").filter((block) => block.startsWith("data: "));
  expect(text.trimEnd().split("\n\n").at(-1)).toMatch(/^data: \{"type":"done"/);
  return blocks.map((block) => JSON.parse(block.slice(6)));
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}
