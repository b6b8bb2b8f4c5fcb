import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHAT_MODEL, CHAT_MODEL_FILE } from "../../src/adapters/engines/llama/model-file.ts";
import { writeMoonshineTokens } from "../../src/adapters/engines/sherpa/moonshine-tokens.ts";
import { readModels } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { GraphBuilder } from "../../src/adapters/onnx-graph/graph-builder.ts";
import { createEngines } from "../../src/main/engines.ts";
import { createStatusBoard } from "../../src/main/status-board.ts";
import { silentLog } from "../../src/platform/log.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { CallClient } from "../support/call/call-client.ts";
import { call, form } from "../support/call.ts";
import { lacksModels, modelStore } from "../support/local-speech.ts";
import { clips, readClip, readPcm } from "../support/speech-clips.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { openStream } from "../support/stream-client.ts";
import { writeTestDiarisation } from "../support/test-diarisation.ts";
import { writeTestReranker } from "../support/test-reranker.ts";

/** The product's own weights, in folders as somebody would bring them. */
const isPossible = !lacksModels("moonshine-base-en", "piper-libritts", "whisper-small", "silero-vad", CHAT_MODEL);

describe.runIf(isPossible)("weights of one's own", () => {
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "parlance-own-"));
    bring("ear", "moonshine-base-en", ["encoder_model.onnx", "decoder_model_merged.onnx"]);
    bring("mouth", "piper-libritts", ["model.onnx", "tokens.txt"]);
    await writeMoonshineTokens({ folder: join(folder, "ear") });
    const turns = new GraphBuilder();
    const features = turns.input("input_features", "float32", [1, 80, 800]);
    turns.output(turns.add("ReduceMean", [features], { keepdims: 0 }), "logits");
    writeFileSync(join(folder, "smart-turn.onnx"), turns.write());
    writeTestReranker(join(folder, "judge"));
    writeTestDiarisation(join(folder, "who"));
    server = await startServer({
      SVC_RERANKING_ENGINE: `onnx:${join(folder, "judge")}`,
      SVC_DIARISATION_ENGINE: `sherpa:${join(folder, "who")}`,
      SVC_TRANSCRIPTION_ENGINE: `sherpa:${join(folder, "ear")}?languages=en,local`,
      SVC_SPEECH_ENGINE: `sherpa:${join(folder, "mouth")},local`,
      SVC_CHAT_ENGINE: `gguf:${join(modelStore.folder(CHAT_MODEL), CHAT_MODEL_FILE)}`,
      SVC_TURN_ENGINE: `smart-turn:${join(folder, "smart-turn.onnx")}`,
    });
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function bring(name: string, model: string, files: string[]): void {
    mkdirSync(join(folder, name));
    for (const file of files) symlinkSync(join(modelStore.folder(model), file), join(folder, name, file));
  }

  it("show in /readyz, beside the engines that are shipped", async () => {
    const { json } = await call(`${server.url}/readyz`, {});
    const engines = json.engines.map(({ engine }: { engine: string }) => engine);
    const own = [
      "sherpa:ear",
      "sherpa:mouth",
      "gguf:tinyllama-1.1b-chat-q8_0",
      "onnx:judge",
      "sherpa:who",
      "smart-turn:smart-turn",
    ];
    expect(engines).toEqual(expect.arrayContaining([...own, "kokoro", "whisper"]));
  });

  it("bring their voices to the catalog, before those that are shipped, and speak", async () => {
    const { json } = await call(`${server.url}/v1/voices`, { key: server.key });
    const english = json.languages.find(({ code }: { code: string }) => code === "en-us");
    const ids = english.voices.map(({ id }: { id: string }) => id);
    expect(ids[0]).toBe("mouth-0");
    expect(ids).toContain("af_heart");
    expect(json.languages.map(({ code }: { code: string }) => code)).toContain("de");
    const wanted = { text: "Hello.", voice: "mouth-3", language: "en-us" };
    const spoken = await call(`${server.url}/v1/speech`, { key: server.key, json: wanted });
    expect(spoken.status).toBe(200);
  });

  it("hear their languages, named or found out", async () => {
    const hear = (name: string, fields: Record<string, string> = {}) =>
      call(`${server.url}/v1/transcribe`, {
        key: server.key,
        body: form({ file: new Blob([readClip(name)]), ...fields }),
      });
    for (const fields of [{ language: "en-us" }, {}]) {
      const { json } = await hear(clips.english, fields);
      expect(json).toMatchObject({ language: "en-us", model: "svc-stt-1/ear" });
      expect(json.text).toMatch(/wait no longer/i);
    }
  });

  /** Seconds that an engine has worked. */
  async function busySeconds(engine: string): Promise<number> {
    const { text } = await call(`${server.url}/metrics`, {});
    const lines = text.split("\n").filter((line) => line.startsWith("parlance_engine_busy_seconds_total{"));
    return Number(
      lines
        .find((line) => line.includes(`"${engine}"`))
        ?.split(" ")
        .at(-1),
    );
  }

  it("hear and speak in a live call", async () => {
    const before = await busySeconds("sherpa:ear");
    const json = { mode: "external", language: "en", voice: "mouth-3" };
    const { json: session } = await call(`${server.url}/v1/realtime/session`, { key: server.key, json });
    const client = await CallClient.join(session);
    await client.say(readPcm(clips.english));
    const turn = await client.waitFor(({ type, data }) => type === "user-transcription" && data.final);
    expect(turn.data.text).toMatch(/wait no longer/i);
    await expect.poll(() => busySeconds("sherpa:ear")).toBeGreaterThan(before);
    const speak = { t: "speak", d: { text: "It left today." } };
    client.send({ label: "rtvi-ai", type: "client-message", id: "2", data: speak });
    await client.waitFor(({ type }) => type === "bot-stopped-speaking");
    client.close();
  });

  it("hear a stream while it is spoken", async () => {
    const before = await busySeconds("sherpa:ear");
    const { json } = await call(`${server.url}/v1/realtime/stt/lang`, { key: server.key, json: { language: "en" } });
    const client = await openStream(json.url);
    await client.waitFor("ready");
    client.send(readPcm(clips.english));
    client.send({ type: "flush" });
    const final = await client.waitFor("final");
    expect(final.text).toMatch(/wait no longer/i);
    await expect.poll(() => busySeconds("sherpa:ear")).toBeGreaterThan(before);
    client.close();
  });

  it.skipIf(lacksModels("translator"))("hear what is dubbed, and tell who speaks", async () => {
    const before = await busySeconds("sherpa:ear");
    const fields = { file: new Blob([readClip(clips.english)]), source_language: "en", target_language: "es" };
    const { status, json } = await call(`${server.url}/v1/dub`, { key: server.key, body: form(fields) });
    expect(status).toBe(200);
    expect(json.segments[0]).toMatchObject({ speaker: 0, sourceText: expect.stringMatching(/wait no longer/i) });
    await expect.poll(() => busySeconds("sherpa:ear")).toBeGreaterThan(before);
    await expect.poll(() => busySeconds("sherpa:who")).toBeGreaterThan(0);
  });

  it("are the gateway's local models, and say what they cannot do", async () => {
    const { key } = server;
    const { json } = await call(`${server.url}/gateway/v1/models`, { key });
    const ids = json.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(["local/ear", "local/mouth", "local/judge", "local/tinyllama-1.1b-chat-q8_0"]),
    );
    const documents = ["the dog barks", { text: "the cat sleeps on a mat" }];
    const ranked = await call(`${server.url}/gateway/v1/rerank`, {
      key,
      json: { model: "local/judge", query: "cats on a mat", documents },
    });
    expect(ranked.json.results.map(({ index }: { index: number }) => index)).toEqual([1, 0]);
    const refused = await call(`${server.url}/gateway/v1/chat/completions`, {
      key,
      json: {
        model: "local/tinyllama-1.1b-chat-q8_0",
        messages: [{ role: "user", content: "Hi" }],
        tools: [{ type: "function", function: { name: "get_weather" } }],
      },
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('does not call tools. Leave \\"tools\\" out.');
  });

  it.each([
    ["SVC_CHAT_ENGINE", "gguf:/nowhere/x.gguf", /^SVC_CHAT_ENGINE is "gguf:\/nowhere\/x\.gguf", but there is no file/],
    ["SVC_CHAT_ENGINE", "llama", /must be local, gguf:PATH, gguf:NAME or openai:/],
    [
      "SVC_TRANSCRIPTION_ENGINE",
      "sherpa:parakeet-tdt-0.6b-v3",
      /is not on this machine\. Fetch it with: \.\/parlance models add parakeet/,
    ],
    ["SVC_SPEECH_ENGINE", "sherpa:nobody", /there is no model of that name/],
    ["SVC_RERANKING_ENGINE", "openai:http://x/v1#y", /must be local, gguf:PATH or onnx:PATH \(or a NAME\)\.$/],
    ["SVC_RERANKING_ENGINE", "onnx:ms-marco-minilm-l6", /Fetch it with: \.\/parlance models add ms-marco-minilm-l6/],
    ["SVC_DIARISATION_ENGINE", "magic", /must be local, sherpa:PATH or sherpa:NAME\.$/],
    ["SVC_TURN_ENGINE", "magic", /must be rules, smart-turn:PATH or smart-turn:NAME/],
    ["SVC_CLONING_ENGINE", "magic", /must be local, sherpa:PATH/],
  ])("that cannot be used stop the start: %s=%s", (name, value, sentence) => {
    const settings = readSettings({ [name]: value });
    const { modelsDir } = settings.storage;
    const models = createModelStore(modelsDir, readModels(modelsDir));
    expect(() => createEngines({ settings, models, board: createStatusBoard(models), log: silentLog })).toThrow(
      sentence,
    );
  });
});
