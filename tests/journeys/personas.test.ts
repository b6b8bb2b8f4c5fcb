import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PIPER_MODEL } from "../../src/adapters/engines/piper/piper.ts";
import { measureLoudness } from "../../src/audio/loudness.ts";
import { fromPcm16 } from "../../src/audio/pcm.ts";
import { summarizePitch, toSemitones, trackPitch } from "../../src/audio/pitch.ts";
import { call } from "../support/call.ts";
import { lacksModels } from "../support/local-speech.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { openStream } from "../support/stream-client.ts";

let server: TestServer;
let stranger: string;

beforeAll(async () => {
  server = await startServer();
  await server.admin("workspaces create", { name: "strangers" });
  stranger = (await server.newKey(["voices", "speech"], { workspace: "strangers" })).key;
});
afterAll(() => server.close());

const post = (json: unknown, key = server.key) => call(`${server.url}/v1/personas`, { key, json });
const at = (id: string, options: object = {}) =>
  call(`${server.url}/v1/personas/${id}`, { key: server.key, ...options });
const nora = { name: "Nora at the desk", base_voice: "en_nora" };

describe.skipIf(lacksModels(PIPER_MODEL))("personas", () => {
  it("are saved, fetched, retuned and removed, with every field of the contract", async () => {
    const { status, json } = await post({ ...nora, tone_preset: "calm", style_text: "slowly" });
    expect(status).toBe(201);
    const { persona } = json;
    expect(persona).toEqual({
      id: expect.stringMatching(/^p_\w+$/),
      name: "Nora at the desk",
      engine: "engine_a",
      kind: "engine_a",
      baseVoice: "en_nora",
      refText: null,
      durationMs: null,
      tonePreset: "calm",
      styleText: "slowly",
      language: "en-us",
      status: "ready",
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUsedAt: null,
    });
    expect((await at(persona.id)).json).toEqual({ persona });

    const change = { name: "Nora", tone_preset: null, style_text: "quickly", language: "en" };
    const changed = await at(persona.id, { method: "PATCH", json: change });
    expect(changed.status).toBe(200);
    expect(changed.json.persona).toEqual({ ...persona, name: "Nora", tonePreset: null, styleText: "quickly" });
    expect((await at(persona.id, { method: "PATCH", json: {} })).json).toEqual(changed.json);

    const removed = await at(persona.id, { method: "DELETE" });
    expect(removed.status).toBe(200);
    expect(removed.json).toEqual({ id: persona.id, deleted: true });
    for (const method of ["GET", "DELETE"]) expect((await at(persona.id, { method })).status).toBe(404);
    expect((await at(persona.id, { method: "PATCH", json: { name: "x" } })).json.error.type).toBe("not_found");
  });

  it("are listed newest first, page by page", async () => {
    const ids: string[] = [];
    for (const name of ["one", "two", "three"]) ids.unshift((await post({ ...nora, name })).json.persona.id);
    const first = await call(`${server.url}/v1/personas?limit=2`, { key: server.key });
    expect(first.json.personas.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const rest = await call(`${server.url}/v1/personas?limit=2&cursor=${first.json.nextCursor}`, { key: server.key });
    expect(rest.json.personas.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(rest.json.nextCursor).toBeNull();
    for (const query of ["limit=0", "limit=101", "cursor=nonsense", "cursor=WyIyMDI2LTAxLTAxIiwiXHUwMDAwIl0"]) {
      expect((await call(`${server.url}/v1/personas?${query}`, { key: server.key })).status, query).toBe(400);
    }
    for (const id of ids) await at(id, { method: "DELETE" });
  });

  it("belong to a workspace: to another they do not exist", async () => {
    const { id } = (await post(nora)).json.persona;
    for (const [method, json] of [["GET"], ["DELETE"], ["PATCH", { name: "mine" }]] as const) {
      const foreign = await call(`${server.url}/v1/personas/${id}`, { key: stranger, method, json });
      const missing = await call(`${server.url}/v1/personas/p_nothing`, { key: stranger, method, json });
      expect(foreign.status).toBe(404);
      expect(foreign.json.error.message.replace(id, "p_nothing")).toBe(missing.json.error.message);
    }
    expect((await call(`${server.url}/v1/personas`, { key: stranger })).json.personas).toEqual([]);
    const spoken = await call(`${server.url}/v1/speech`, { key: stranger, json: { text: "Hi", persona_id: id } });
    expect(spoken.status).toBe(400);
    expect((await at(id)).json.persona.lastUsedAt).toBeNull();
    const speaker = (await server.newKey(["speech"])).key;
    expect((await call(`${server.url}/v1/personas`, { key: speaker })).status).toBe(403);
  });

  it.each([
    ["no name", {}, /"name" is required/],
    ["a blank name", { name: "  " }, /"name" must not be empty/],
    ["a name of 81 characters", { name: "n".repeat(81) }, /at most 80/],
    ["a name of nothing but zero bytes", { name: "\u0000" }, /must not be empty/],
    ["a style of 4001 characters", { ...nora, style_text: "s".repeat(4001) }, /at most 4000/],
    ["an unknown tone", { ...nora, tone_preset: "__proto__" }, /one of: neutral, warm/],
    ["an unknown language", { ...nora, language: "xx" }, /no language "xx"/],
    ["an unknown voice", { ...nora, base_voice: "nobody" }, /no voice "nobody"/],
    ["a voice of another language", { ...nora, language: "fr" }, /no voice "en_nora" for "fr"/],
    ["an unknown kind", { ...nora, kind: "robot" }, /one of: engine_a, clone/],
    ["a body that is no object", [1], /./],
  ])("%s is a 400 that says so", async (_, json, message) => {
    const reply = await post(json);
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatchObject({ type: "invalid_request", message: expect.stringMatching(message) });
  });

  it("take names and styles at their limits, and characters of every kind", async () => {
    const name = `${"👩🏽‍🚀".repeat(78)}\ud800\u0000é`;
    const { status, json } = await post({ ...nora, name, style_text: "é".repeat(4000) });
    expect(status).toBe(201);
    expect(json.persona.name).toBe(`${"👩🏽‍🚀".repeat(78)}\ufffdé`);
    expect(json.persona.styleText).toHaveLength(4000);
    await at(json.persona.id, { method: "DELETE" });
  });

  it("a language that has no such voice is refused when a persona is retuned, and nothing changes", async () => {
    const { persona } = (await post(nora)).json;
    expect((await at(persona.id, { method: "PATCH", json: { language: "es" } })).status).toBe(400);
    expect((await at(persona.id)).json.persona).toEqual(persona);
    const both = await at(persona.id, { method: "PATCH", json: { language: "hi", base_voice: null } });
    expect(both.json.persona).toMatchObject({ language: "hi", engine: "engine_b", baseVoice: null });
  });
});

describe.skipIf(lacksModels(PIPER_MODEL))("speaking as a persona", () => {
  const text = "The ferry leaves at noon, and nobody knows when it will come back. We should be there in time.";
  const speak = async (json: object, path = "/v1/speech") => {
    const reply = await fetch(server.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify(json),
    });
    expect(reply.status, reply.ok ? "" : await reply.clone().text()).toBe(200);
    return fromPcm16(new Uint8Array(await reply.arrayBuffer()));
  };
  const describeSound = (samples: Float32Array) => {
    const { medianHz, rangeSemitones } = summarizePitch(trackPitch(samples, 24_000))!;
    return { seconds: samples.length / 24_000, medianHz, rangeSemitones, loudness: measureLoudness(samples, 24_000) };
  };
  /** The voice speaks no two takes alike, by up to a tenth; three of them say which way it moves. */
  const describeTakes = async (body: object) => {
    const takes: ReturnType<typeof describeSound>[] = [];
    for (let take = 0; take < 3; take++) takes.push(describeSound(await speak(body)));
    const mean = (name: keyof (typeof takes)[number]) => takes.reduce((sum, one) => sum + one[name] / takes.length, 0);
    return {
      seconds: mean("seconds"),
      medianHz: mean("medianHz"),
      rangeSemitones: mean("rangeSemitones"),
      loudness: mean("loudness"),
    };
  };
  const wanted = { text, voice: "en_nora", format: "pcm" };

  it("tones and styles move pitch, pace, melody and level the way they say", async () => {
    const plain = await describeTakes(wanted);
    const excited = await describeTakes({ ...wanted, tone_preset: "excited" });
    expect(toSemitones(excited.medianHz / plain.medianHz)).toBeGreaterThan(1);
    expect(excited.seconds).toBeLessThan(plain.seconds * 0.99);
    expect(excited.loudness).toBeGreaterThan(plain.loudness + 1);
    const sad = await describeTakes({ ...wanted, tone_preset: "sad" });
    expect(toSemitones(sad.medianHz / plain.medianHz)).toBeLessThan(-0.5);
    expect(sad.seconds).toBeGreaterThan(plain.seconds * 1.02);
    expect(sad.loudness).toBeLessThan(plain.loudness - 1);
    expect(excited.rangeSemitones).toBeGreaterThan(sad.rangeSemitones * 1.1);
    const styled = await describeTakes({ ...wanted, style_text: "very slowly, with a deep voice" });
    expect(toSemitones(styled.medianHz / plain.medianHz)).toBeLessThan(-1);
    expect(styled.seconds).toBeGreaterThan(plain.seconds * 1.03);
  });

  it("a persona brings its voice and tone to speech, to OpenAI's clients and to the socket, and is marked as used", async () => {
    const { id } = (await post({ ...nora, tone_preset: "urgent" })).json.persona;
    const plain = await describeTakes(wanted);
    const spoken = await describeTakes({ text, persona_id: id, format: "pcm" });
    expect(spoken.seconds).toBeLessThan(plain.seconds * 0.99);
    expect(toSemitones(spoken.medianHz / plain.medianHz)).toBeGreaterThan(0.2);
    expect((await at(id)).json.persona.lastUsedAt).toMatch(/Z$/);

    // What the request says wins.
    const overruled = await speak({ text, persona_id: id, voice: "en_walter", tone_preset: "neutral", format: "pcm" });
    expect(describeSound(overruled).medianHz).toBeLessThan(plain.medianHz * 0.8);

    const openAi = await speak({ model: "tts-1", input: text, voice: id, response_format: "pcm" }, "/v1/audio/speech");
    expect(Math.abs(describeSound(openAi).seconds / spoken.seconds - 1)).toBeLessThan(0.2);

    const mint = await call(`${server.url}/v1/realtime/tts`, { key: server.key, json: { persona_id: id } });
    expect(mint.status).toBe(200);
    const stream = await openStream(mint.json.url);
    stream.send({ type: "speak", text });
    const done = await stream.waitFor("done");
    expect(Math.abs(Number(done.duration_ms) / 1000 / spoken.seconds - 1)).toBeLessThan(0.2);
    stream.close();
  });

  it("an unknown persona is a 400 wherever it is named", async () => {
    for (const id of ["p_nothing", "p_\u0000", `p_${"x".repeat(5000)}`, ""]) {
      const spoken = await call(`${server.url}/v1/speech`, { key: server.key, json: { text, persona_id: id } });
      expect(spoken.status).toBe(400);
      expect(spoken.json.error.message).toMatch(/no persona/);
      const minted = await call(`${server.url}/v1/realtime/tts`, { key: server.key, json: { persona_id: id } });
      expect(minted.status).toBe(400);
    }
    const alias = { model: "tts-1", input: text, voice: "p_nothing" };
    expect((await call(`${server.url}/v1/audio/speech`, { key: server.key, json: alias })).status).toBe(400);
  });
});
