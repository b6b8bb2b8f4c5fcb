import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { createStreamDecoder } from "../../src/audio/stream-codec.ts";
import { call } from "../support/call.ts";
import { killEngines } from "../support/engine-processes.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { openStream } from "../support/stream-client.ts";

const modelsDir =
  process.env.SVC_MODELS_DIR ?? join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "parlance", "models");
const reason = createModelStore(modelsDir, readCatalog()).missing("piper-libritts");
if (reason) console.warn(`streaming text to speech is not tested: ${reason}`);

describe.skipIf(reason)("streaming text to speech", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  const mint = (json: object = {}) => call(`${server.url}/v1/realtime/tts`, { key: server.key, json });
  const open = async (json: object = { voice: "en_nora" }) => openStream((await mint(json)).json.url);
  const bytesOf = (audio: Buffer[]) => audio.reduce((sum, { length }) => sum + length, 0);

  it("is minted with everything that a client needs", async () => {
    const { status, json } = await mint({ speed: 1.2 });
    const { session_id, token, url, stream_url, ...rest } = json;
    expect(status).toBe(200);
    expect(rest).toEqual({ expires_in: 60, sample_rate: 24000, format: "pcm_s16le", channels: 1, model: "svc-tts-1" });
    expect(session_id).toMatch(/^rts_/);
    expect(url).toBe(`${stream_url}?token=${token}`);
  });

  it.each([
    { encoding: "mulaw", sample_rate: 8000 },
    { encoding: "opus", sample_rate: 48000 },
    { encoding: "pcm_s16le", sample_rate: 16000 },
  ] as const)("speaks $encoding at $sample_rate Hz", async (format) => {
    const minted = (await mint({ voice: "en_nora", ...format })).json;
    expect([minted.format, minted.sample_rate]).toEqual([format.encoding, format.sample_rate]);
    const client = await openStream(minted.url);
    client.send({ type: "speak", text: "Two plus two is four." });
    client.send({ type: "speak", text: "Goodbye." });
    client.send({ type: "keepalive" });
    client.send({ type: "close" });
    expect(await client.closed).toBe(1000);
    const done = client.messages.filter(({ type }) => type === "done");
    const spokenMs = done.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
    const decoder = await createStreamDecoder({ encoding: format.encoding, sampleRateHz: format.sample_rate }, 16_000);
    const heardMs = client.audio.reduce((sum, message) => sum + decoder.decode(message).length, 0) / 16;
    expect(Math.abs(heardMs - spokenMs)).toBeLessThan(100);
    expect(client.messages).toContainEqual({ type: "keepalive" });
  });

  it("takes the key itself from a server-side client", async () => {
    const address = `${server.url.replace("http", "ws")}/v1/realtime/tts/stream?voice=en_nora&speed=1.2&encoding=alaw`;
    const client = await openStream(address, { headers: { authorization: `Bearer ${server.key}` } });
    client.send({ type: "speak", text: "Hello." });
    const { duration_ms } = await client.waitFor("done");
    expect(Math.round(bytesOf(client.audio) / 24)).toBe(duration_ms);
    client.close();
    const refused = openStream(`${address}&speed=3`, { headers: { authorization: `Bearer ${server.key}` } });
    await expect(refused).rejects.toThrow(/400/);
  });

  it("takes engine_a voices and languages only", async () => {
    for (const json of [{ language: "hi" }, { voice: "nobody" }, { language: "xx" }, { speed: 3 }]) {
      const { status, json: body } = await mint(json);
      expect([status, body.error.type]).toEqual([400, "invalid_request"]);
    }
  });

  it("speaks texts one after the other, and the first sound leaves before the last is made", async () => {
    const client = await open();
    await client.waitFor("ready");
    const marks: string[] = [];
    client.socket.on("message", (data: Buffer, isBinary: boolean) => {
      marks.push(isBinary ? "audio" : `${JSON.parse(data.toString()).type} ${JSON.parse(data.toString()).id}`);
    });
    client.send({
      type: "speak",
      id: "a",
      text: "This is the first sentence. And this is a second one, which comes later.",
    });
    client.send({ type: "speak", id: 2, text: "Goodbye." });
    client.send({ type: "something-new" });
    client.send({ type: "close" });
    expect(await client.closed).toBe(1000);
    const steps = marks.filter((mark, index) => mark !== marks[index - 1]);
    expect(steps).toEqual(["started a", "audio", "done a", "started 2", "audio", "done 2"]);
    const spokenMs = client.messages
      .filter(({ type }) => type === "done")
      .reduce((sum, { duration_ms }) => sum + duration_ms, 0);
    expect(Math.abs(spokenMs - bytesOf(client.audio) / 48)).toBeLessThan(5);
    expect(spokenMs).toBeGreaterThan(2500);
  });

  it("stops one text when it is cancelled and goes on with the next", async () => {
    const client = await open();
    client.send({ type: "speak", id: "long", text: "This sentence goes on. ".repeat(60) });
    client.send({ type: "speak", id: "dropped", text: "Nobody hears this." });
    client.send({ type: "speak", id: "last", text: "Done." });
    await client.waitFor("started");
    client.send({ type: "cancel", id: "dropped" });
    client.send({ type: "cancel", id: "long" });
    client.send({ type: "close" });
    expect(await client.closed).toBe(1000);
    const done = client.messages.filter(({ type }) => type === "done");
    expect(done.map(({ id, cancelled }) => [id, cancelled ?? false])).toEqual([
      ["dropped", true],
      ["long", true],
      ["last", false],
    ]);
  });

  it("says what is wrong with a text and goes on", async () => {
    const client = await open();
    client.send({ type: "speak", id: 1, text: "x".repeat(3001) });
    client.send({ type: "speak", id: 2, text: "   " });
    client.send({ type: "speak", id: 3, text: "Fine." });
    client.send({ type: "close" });
    expect(await client.closed).toBe(1000);
    const problems = client.messages.filter(({ type }) => type === "error");
    expect(problems.map(({ id, error }) => [id, error.type])).toEqual([
      [1, "invalid_request"],
      [2, "invalid_request"],
    ]);
    expect(client.messages.at(-1)).toMatchObject({ type: "done", id: 3 });
  });

  it.each([
    ["sound", Buffer.alloc(10)],
    ["a speak without text", Buffer.from('{"type":"speak"}')],
  ])("refuses %s with 4400", async (name, bytes) => {
    const client = await open();
    await client.waitFor("ready");
    client.socket.send(bytes, { binary: name === "sound" });
    expect(await client.closed).toBe(4400);
  });

  it("waits for a slow reader instead of piling up sound", async () => {
    const client = await open();
    await client.waitFor("ready");
    client.socket.pause();
    for (let i = 0; i < 6; i++)
      client.send({ type: "speak", text: "Some more words that take a while to say aloud. ".repeat(20) });
    await new Promise((resolve) => setTimeout(resolve, 8000));
    const before = process.memoryUsage().arrayBuffers;
    await new Promise((resolve) => setTimeout(resolve, 4000));
    // Samples of sentences that are already spoken count until they are collected, so the bound leaves room for those.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40_000_000);
    client.socket.terminate();
  });

  it("loses one text with a killed engine process, and speaks the next", async () => {
    const client = await open();
    client.send({ type: "speak", id: "lost", text: "This sentence goes on and on, and on. ".repeat(40) });
    await client.waitFor("started");
    const killing = setInterval(() => killEngines("piper/child"), 50);
    const { id, error } = await client.waitFor("error");
    clearInterval(killing);
    expect([id, error.type]).toEqual(["lost", "upstream_error"]);
    client.send({ type: "speak", id: "next", text: "Here I am again." });
    client.send({ type: "close" });
    expect(await client.closed).toBe(1000);
    expect(client.messages.at(-1)).toMatchObject({ type: "done", id: "next" });
  });
});
