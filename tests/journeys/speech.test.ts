import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWav } from "../../src/audio/wav.ts";
import { call } from "../support/call.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
let isMissing = false;

beforeAll(async () => {
  server = await startServer();
  const { json } = await call(`${server.url}/v1/voices`, { key: server.key });
  isMissing = json.languages.length === 0;
  if (isMissing) console.warn("skipped: the voice models are not here; run: ./parlance models pull");
});
afterAll(() => server.close());

async function speak(body: object, init: RequestInit = {}) {
  const response = await fetch(`${server.url}/v1/speech`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...init,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, json: () => JSON.parse(bytes.toString()) };
}

describe("POST /v1/speech", () => {
  it("speaks English by default, as wav, and says exactly how long it is", async ({ skip }) => {
    if (isMissing) skip();
    const { status, headers, bytes } = await speak({ text: "Good morning, everybody." });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("audio/wav");
    expect(headers.get("x-svc-sample-rate")).toBe("24000");
    expect(Number(headers.get("content-length"))).toBe(bytes.length);
    const { samples, sampleRateHz } = readWav(bytes)!;
    expect(sampleRateHz).toBe(24000);
    expect(Number(headers.get("x-svc-duration-ms"))).toBe(Math.round((samples.length * 1000) / 24000));
    expect(samples.length).toBeGreaterThan(24000 * 0.8);
    expect(samples.length).toBeLessThan(24000 * 4);
  });

  it("reads SSML: a second of silence is a second, a slow word is slow, an unknown tag is a 400 with its name", async ({
    skip,
  }) => {
    if (isMissing) skip();
    const lengthOf = async (inside: string) => {
      // Kokoro says the same in the same time each time.
      const { status, headers } = await speak({ text: `<speak>${inside}</speak>` });
      expect(status).toBe(200);
      return Number(headers.get("x-svc-duration-ms"));
    };
    const plain = await lengthOf("Good <s>morning.</s>");
    expect(Math.abs((await lengthOf('Good <s>morning.</s><break time="1s"/>')) - plain - 1000)).toBeLessThan(60);
    const slow = await lengthOf('<prosody rate="x-slow" volume="soft">Good <s>morning.</s></prosody>');
    expect(slow).toBeGreaterThan(plain * 1.1);
    const refused = await speak({ text: "<speak>Hello <blink>you</blink></speak>" });
    expect([refused.status, refused.json().error.message]).toEqual([
      400,
      "SSML: <blink> is not known here. Tags: speak, p, s, break, emphasis, prosody, say-as, sub, phoneme.",
    ]);
  });

  it("speaks Hindi with the other engine at its own rate", async ({ skip }) => {
    if (isMissing) skip();
    const { status, headers, bytes } = await speak({ text: "नमस्ते, आप कैसे हैं?", language: "hi" });
    expect(status).toBe(200);
    expect(headers.get("x-svc-sample-rate")).toBe("16000");
    expect(readWav(bytes)!.sampleRateHz).toBe(16000);
  });

  it.each(["mp3", "opus", "pcm"])("sends %s", async (format) => {
    if (isMissing) return;
    const { status, headers, bytes } = await speak({ text: "One two three.", voice: "en_clara", format });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(
      { mp3: /^audio\/mpeg$/, opus: /^audio\/ogg$/, pcm: /^audio\/pcm;rate=24000/ }[format]!,
    );
    expect(Number(headers.get("x-svc-duration-ms"))).toBeGreaterThan(500);
    if (format === "pcm") {
      expect(Number(headers.get("x-svc-duration-ms"))).toBe(Math.round((bytes.length / 2 / 24000) * 1000));
    }
    if (format === "opus") expect(bytes.subarray(0, 4).toString()).toBe("OggS");
  });

  it.each([
    ["no text", {}, /"text" is required/],
    ["an empty text", { text: "" }, /"text" must not be empty/],
    ["only blanks", { text: " \n\t " }, /"text" must not be empty/],
    ["only punctuation", { text: "... !? —" }, /nothing that can be pronounced/],
    ["3001 characters", { text: "a".repeat(3001) }, /at most 3000 characters/],
    ["an unknown language", { text: "Hi", language: "xx" }, /no language "xx".*en-us/],
    ["an unknown voice", { text: "Hi", voice: "nobody" }, /no voice "nobody" for "en-us".*af_heart/],
    ["a voice of another language", { text: "Hi", voice: "ef_dora" }, /no voice "ef_dora" for "en-us"/],
    ["a speed over 2", { text: "Hi", speed: 2.1 }, /"speed" must be at most 2/],
    ["a speed that is no number", { text: "Hi", speed: "fast" }, /"speed" must be a number/],
    ["an unknown format", { text: "Hi", format: "flac" }, /"format" must be one of: wav, mp3/],
    ["Latin text for Tamil", { text: "vanakkam", language: "ta" }, /Tamil script/],
    ["an unknown persona", { text: "Hi", persona_id: "p_nothing" }, /persona/],
  ])("%s is a 400 that says what is right", async (_name, body, message) => {
    if (isMissing) return;
    const { status, json } = await speak(body);
    expect(status).toBe(400);
    expect(json().error.type).toBe("invalid_request");
    expect(json().error.message).toMatch(message);
  });

  it("forgives case, underscores and regions in language codes", async ({ skip }) => {
    if (isMissing) skip();
    for (const language of ["EN_us", "en", "es-MX", "PT"]) {
      const { status } = await speak({ text: "No.", language });
      expect(status).toBe(200);
    }
  });

  it.each([
    ["one letter", "a"],
    ["a word without end", "supercalifragilistic".repeat(8)],
    ["mixed scripts", "Hello мир, 你好 and مرحبا to you"],
    ["marks of direction", "\u202eHello\u202c \u200fworld\u200e"],
    ["control characters", "Hel\u0000lo\u0007 wor\u001bld"],
    ["half an emoji", "Hello \ud83d world"],
    ["emoji alone", "👍"],
    ["digits alone", "42"],
    ["markup", "<b>Hello</b> & [goodbye](http://example.com)"],
    ["a tower of accents", `Z${"\u0301".repeat(200)}algo`],
  ])("%s gets an answer", async (_name, text) => {
    if (isMissing) return;
    const { status } = await speak({ text, voice: "en_clara", speed: 2 });
    expect(status).toBe(200);
  });

  it("a quarter of the speed takes four times the time", async ({ skip }) => {
    if (isMissing) skip();
    const text = "The weather will be fine on Sunday.";
    // Kokoro says the same text in the same time each time; Piper's rhythm is drawn anew for every sentence.
    const [slow, fast] = [await speak({ text, speed: 0.5 }), await speak({ text, speed: 2 })];
    const ratio = Number(slow.headers.get("x-svc-duration-ms")) / Number(fast.headers.get("x-svc-duration-ms"));
    expect(ratio).toBeGreaterThan(3);
    expect(ratio).toBeLessThan(5);
  });

  it("3000 characters are taken, and a short request beside them does not wait for the end", async ({ skip }) => {
    if (isMissing) skip();
    const text = "The quick brown fox jumps over the lazy dog. ".repeat(70).slice(0, 3000);
    const abort = new AbortController();
    const long = await fetch(`${server.url}/v1/speech`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify({ text, voice: "en_clara", speed: 2, stream: true }),
      signal: abort.signal,
    });
    expect(long.status).toBe(200);
    const sound = long.body!.getReader();
    await sound.read();
    let isOver = false;
    const reading = (async () => {
      while (!(await sound.read()).done);
      isOver = true;
    })().catch(() => {});
    expect((await speak({ text: "Hello there.", voice: "en_clara" })).status).toBe(200);
    expect(isOver).toBe(false);
    abort.abort();
    await reading;
  });
});

describe("streaming", () => {
  it("sends a wav that is read to its end", async ({ skip }) => {
    if (isMissing) skip();
    const response = await fetch(`${server.url}/v1/speech`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify({
        text: "First sentence here, with a clause. The second sentence follows the first one. And then comes a third one.",
        stream: true,
      }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-svc-sample-rate")).toBe("24000");
    expect(response.headers.get("content-length")).toBeNull();
    const { samples } = readWav(Buffer.from(await response.arrayBuffer()))!;
    expect(samples.length).toBeGreaterThan(24000 * 4);
  });

  it("a mistake is still a JSON error", async ({ skip }) => {
    if (isMissing) skip();
    const { status, json } = await speak({ text: "Hi", voice: "nobody", stream: true });
    expect(status).toBe(400);
    expect(json().error.type).toBe("invalid_request");
  });

  it("hanging up stops the synthesis and frees the engine", async ({ skip }) => {
    if (isMissing) skip();
    const abort = new AbortController();
    const response = await fetch(`${server.url}/v1/speech`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify({ text: "This is a long story that nobody will hear. ".repeat(60), stream: true }),
      signal: abort.signal,
    });
    const reader = response.body!.getReader();
    for (let bytes = 0; bytes < 24_000; ) bytes += (await reader.read()).value!.length;
    // Sound is here, and the engine is still at it.
    await expect.poll(() => engineLoad()).toBeGreaterThan(0);
    abort.abort();
    await expect(reader.read()).rejects.toThrow();
    // Two pieces at most were under way; the rest of the hour-long story never starts.
    await expect.poll(() => engineLoad(), { timeout: 60_000, interval: 500 }).toBe(0);
  });
});

/** Jobs that wait or run in the speech engines, from the metrics. */
async function engineLoad(): Promise<number> {
  const { text } = await call(`${server.url}/metrics`, {});
  const lines = text.split("\n").filter((line) => /^parlance_engine_(queue_length|active)/.test(line));
  return lines
    .filter((line) => /kokoro|piper/.test(line))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

describe("a crash", () => {
  it("costs no request, one that crashes again a 502, and the next one works", async ({ skip }) => {
    if (isMissing) skip();
    await speak({ text: "Warm up.", voice: "en_clara" });
    const text = "This request will not survive the crashes of its engine. ".repeat(4);
    const crash = () => {
      for (const pid of childrenRunning("engines/piper/child")) process.kill(pid, "SIGKILL");
    };
    const once = speak({ text, voice: "en_clara" });
    await new Promise((resolve) => setTimeout(resolve, 400));
    crash();
    expect((await once).status).toBe(200);
    const crashing = setInterval(crash, 200);
    const { status, json } = await speak({ text, voice: "en_clara" });
    clearInterval(crashing);
    expect(status).toBe(502);
    expect(json().error.type).toBe("upstream_error");
    expect((await speak({ text: "Hello again.", voice: "en_clara" })).status).toBe(200);
  });
});

/** Processes started by this one whose command line names a module. */
function childrenRunning(module: string): number[] {
  if (!existsSync("/proc")) return [];
  const table = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  return table
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null && Number(match[2]) === process.pid && match[3]!.includes(module))
    .map((match) => Number(match![1]));
}

describe("GET /v1/voices", () => {
  it("lists languages with their engine and at least three voices where there are several", async ({ skip }) => {
    if (isMissing) skip();
    const { status, json } = await call(`${server.url}/v1/voices`, { key: server.key });
    expect(status).toBe(200);
    const codes = json.languages.map(({ code }: { code: string }) => code);
    for (const code of "en-us en-gb es fr it pt-br de nl sv hi bn ta te mr gu kn ml pa ur ar".split(" "))
      expect(codes).toContain(code);
    for (const { engine, voices, label } of json.languages) {
      expect(label).toBeTruthy();
      if (engine === "engine_a") expect(voices.length).toBeGreaterThanOrEqual(3);
      else expect(voices.length).toBe(1);
      for (const voice of voices) expect(Object.keys(voice)).toEqual(["id", "label"]);
    }
    expect(json.languages[0].voices.length).toBeGreaterThanOrEqual(20 + 12);
    for (const { heard } of json.languages) expect(["yes", "preview", "no"]).toContain(heard);
    expect(json.languages.find(({ code }: { code: string }) => code === "ml").heard).toBe("no");
  });

  it("needs its own scope", async () => {
    const { key } = await server.newKey(["speech"]);
    expect((await call(`${server.url}/v1/voices`, { key })).status).toBe(403);
    const { key: other } = await server.newKey(["voices"]);
    expect((await call(`${server.url}/v1/speech`, { key: other, json: { text: "Hi" } })).status).toBe(403);
  });
});

describe("OpenAI's own client", () => {
  it("speaks with its own voice names and with ours", async ({ skip }) => {
    if (isMissing) skip();
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.key });
    for (const voice of ["alloy", "en_clara"]) {
      const response = await client.audio.speech.create({
        model: "tts-1",
        voice,
        input: "Hello from the client.",
        response_format: "wav",
      });
      expect(readWav(Buffer.from(await response.arrayBuffer()))!.samples.length).toBeGreaterThan(10_000);
    }
  });

  it("gets mp3 unless it asks for something else", async ({ skip }) => {
    if (isMissing) skip();
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.key });
    const response = await client.audio.speech.create({
      model: "tts-1",
      voice: "en_clara" as "alloy",
      input: "Hello.",
    });
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
  });
});

describe("what stays behind", () => {
  it("no word that was spoken is on the disk", async ({ skip }) => {
    if (isMissing) skip();
    await speak({ text: "Xylophonic zeppelins quibble.", voice: "en_clara" });
    const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const file of files) {
      expect(readFileSync(join(file.parentPath, file.name)).includes("zeppelins")).toBe(false);
    }
  });
});
