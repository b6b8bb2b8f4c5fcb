import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOpenAiFieldModel } from "../../src/adapters/engines/openai-field-model/openai-field-model.ts";
import { findOpenQuestions } from "../../src/extraction/fields/ask-model.ts";
import { fillFromModel, schemaQuestions } from "../../src/extraction/schemas/fill-from-model.ts";
import { fillSchema } from "../../src/extraction/schemas/fill-schema.ts";
import { parseSchema } from "../../src/extraction/schemas/parse-schema.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { call, form } from "../support/call.ts";
import { type GatewayServer, startGatewayServer } from "../support/gateway-server.ts";
import { clips, readClip, shareHeard } from "../support/speech-clips.ts";
import { textPage } from "../support/text-page.ts";

const { modelsDir } = readSettings(process.env).storage;
const has = (...ids: string[]) => {
  const missing = ids.filter((id) => !existsSync(join(modelsDir, id)));
  if (missing.length > 0) console.warn(`Skipped for want of models (./parlance models pull): ${missing.join(", ")}`);
  return missing.length === 0;
};

/** The gateway's main job on a fresh machine, with no account anywhere. */
describe("the models of this process", () => {
  let server: GatewayServer;
  let key: string;
  beforeAll(async () => {
    server = await startGatewayServer({});
    ({ key } = await server.newAccount("1"));
  });
  afterAll(() => server.close());
  const post = (path: string, json: object) => call(`${server.base}${path}`, { key, json });

  it("are listed at price zero", async () => {
    const { json } = await call(`${server.base}/models`, { key });
    const types = json.data.map(({ type }: { type: string }) => type).sort();
    expect(types).toEqual(["embedding", "language", "reranking", "speech", "transcription"]);
    for (const { pricing } of json.data) {
      expect(pricing).toEqual({ input: "0", output: "0", prompt: "0", completion: "0" });
    }
  });

  it.runIf(has("bge-small-en"))(
    "give the same reply again for the same Idempotency-Key, and refuse it for another request",
    async () => {
      const ask = (input: string, headers = { "idempotency-key": "local-once" }) =>
        call(`${server.base}/embeddings`, { key, json: { model: "local/bge-small-en-v1.5", input }, headers });
      const [first, again, other] = [await ask("a cat"), await ask("a cat"), await ask("a dog")];
      expect([first.status, again.status, other.status]).toEqual([200, 200, 409]);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      const id = "x-svc-generation-id";
      expect([again.text, again.headers.get(id)]).toEqual([first.text, first.headers.get(id)]);
    },
  );

  it.runIf(has("tinyllama-1b"))("chat, whole and as a stream", async () => {
    const wanted = {
      model: "local/tinyllama-1.1b-chat",
      messages: [{ role: "user", content: "What is the capital of France?" }],
      max_tokens: 16,
      temperature: 0,
    };
    const { status, json } = await post("/chat/completions", wanted);
    expect(status).toBe(200);
    expect(json.choices[0].message.content).toContain("Paris");
    expect(json.usage.total_tokens).toBe(json.usage.prompt_tokens + json.usage.completion_tokens);
    const streamed = await post("/chat/completions", {
      ...wanted,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(streamed.text).toMatch(/data: \[DONE\]\n\n$/);
    const events = streamed.text.split("\n\n").filter((line) => line.startsWith("data: {"));
    const text = events.map((line) => JSON.parse(line.slice(6)).choices[0]?.delta.content ?? "").join("");
    expect(text).toBe(json.choices[0].message.content);
  });

  it.runIf(has("tinyllama-1b"))(
    "read the fields and lists of a document for extraction, and invent nothing",
    async () => {
      const page = textPage([
        [0.1, 0.1, "The crew of the ferry: Ada Okafor and Bo Lindqvist."],
        [0.1, 0.2, "They sail from Leith."],
      ]);
      const schema = parseSchema({
        properties: {
          port: { description: "Where they sail from" },
          people: { type: "array", items: { properties: { name: { description: "A member of the crew" } } } },
        },
      });
      const extraction = fillSchema(page, schema);
      const { lines, open } = findOpenQuestions(page, extraction, schemaQuestions(schema));
      expect(open.map(({ name }) => name)).toContain("people");
      const model = createOpenAiFieldModel({
        baseUrl: server.base,
        model: "local/tinyllama-1.1b-chat",
        apiKey: key,
        timeoutMs: 120_000,
      });
      const answers = await model.read(lines, open, AbortSignal.timeout(120_000));
      const { fields } = fillFromModel({ document: page, schema, extraction, open, answers });
      for (const { value, box } of Object.values(fields)) {
        expect(lines.join("\n")).toContain(value);
        expect(box).toEqual(expect.any(Array));
      }
    },
    // Longer than the model may take: it has the lowest priority on a busy machine.
    150_000,
  );

  it.runIf(has("bge-small-en"))("embed and rerank", async () => {
    const embedded = await post("/embeddings", {
      model: "local/bge-small-en-v1.5",
      input: ["a cat", "a kitten", "tax law"],
    });
    expect(embedded.json.data.map(({ embedding }: { embedding: number[] }) => embedding.length)).toEqual([
      384, 384, 384,
    ]);
    const ranked = await post("/rerank", {
      model: "local/bge-bm25-rerank",
      query: "Which animal purrs?",
      documents: ["The stock market fell.", "Cats purr when they are content.", "Paris is a city."],
      top_n: 2,
    });
    expect(ranked.json.results).toHaveLength(2);
    expect(ranked.json.results[0].index).toBe(1);
    expect(ranked.json.usage.total_tokens).toBeGreaterThan(0);
    for (const { headers } of [embedded, ranked]) {
      expect([headers.get("x-svc-cost-usd"), headers.get("x-svc-generation-id")]).toEqual([
        "0.00",
        expect.stringMatching(/^gr_/),
      ]);
    }
  });

  it.runIf(has("kokoro-82m", "moonshine-base-en", "silero-vad"))("speak, and understand what they said", async () => {
    for (const response_format of ["wav", "aac", "flac"]) {
      const spoken = await fetch(`${server.base}/audio/speech`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: "local/kokoro-82m",
          input: "The weather is nice today.",
          voice: "nova",
          response_format,
        }),
      });
      const type = `audio/${response_format}`;
      expect(spoken.headers.get("content-type")).toBe(type);
      const heard = await call(`${server.base}/audio/transcriptions`, {
        key,
        body: form({ file: new Blob([await spoken.arrayBuffer()], { type }), model: "local/moonshine-base" }),
      });
      expect(heard.json.text.toLowerCase()).toContain("weather");
    }
  });

  it.runIf(has("moonshine-base-en", "silero-vad", "whisper-small"))(
    "say in English what was said in French",
    async () => {
      const file = new Blob([readClip(clips.french)], { type: "audio/wav" });
      const { status, json } = await call(`${server.base}/audio/translations`, {
        key,
        body: form({ file, model: "local/moonshine-base", response_format: "verbose_json" }),
      });
      expect([status, json.task, json.language]).toEqual([200, "translate", "english"]);
      expect(shareHeard("the little train every morning the children", json.text)).toBeGreaterThan(0.5);
    },
  );

  it.runIf(has("tinyllama-1b"))("answer in the dialects of responses and of Anthropic's messages, too", async () => {
    const question = "What is the capital of France?";
    const model = "local/tinyllama-1.1b-chat";
    const response = await post("/responses", { model, input: question, max_output_tokens: 16, temperature: 0 });
    expect(response.json.output[0].content[0].text).toMatch(/Paris/);
    const message = { model, messages: [{ role: "user", content: question }], max_tokens: 16, temperature: 0 };
    expect((await post("/messages", message)).json.content[0].text).toMatch(/Paris/);
    const streamed = await post("/messages", { ...message, stream: true });
    expect(streamed.text).toMatch(/^event: message_start\n/);
    expect(streamed.text).toMatch(/event: message_stop\ndata: \{"type":"message_stop"\}\n\n$/);
    const counted = await post("/messages/count_tokens", { model, messages: message.messages });
    expect(counted.json.input_tokens).toBeGreaterThan(6);
  });

  it("need a balance above zero like all others, and cost nothing", async () => {
    expect(await server.balance(key)).toBe("1.00");
    const poor = await server.newAccount(undefined);
    const json = { model: "local/bge-small-en-v1.5", input: "x" };
    expect((await call(`${server.base}/embeddings`, { key: poor.key, json })).status).toBe(402);
  });
});
