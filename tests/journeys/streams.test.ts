import { describe, expect, it } from "vitest";
import { fromPcm16 } from "../../src/audio/pcm.ts";
import { createStreamEncoder } from "../../src/audio/stream-codec.ts";
import { call } from "../support/call.ts";
import { killEngines } from "../support/engine-processes.ts";
import { clips, quieter, readPcm, shareHeard, silence, transcriptOf, whyNoHearing } from "../support/speech-clips.ts";
import { startServer } from "../support/start-server.ts";
import { openStream, openStreamServer, speakInto } from "../support/stream-client.ts";

const reason = whyNoHearing();
if (reason) console.warn(`streaming speech to text is not tested: ${reason}`);

const { server, mint, open } = await openStreamServer();

describe.skipIf(reason)("streaming speech to text", () => {
  it("shows interim text while somebody speaks, and a final text when they stop", async () => {
    const client = await open("stt/lang", { language: "en" });
    await client.waitFor("ready");
    const said = (kind: string) => client.messages.filter(({ type }) => type === kind);
    // Guesses are a courtesy that a busy machine may leave out, so this speaker repeats themselves until one comes.
    while (said("interim").length === 0) {
      await speakInto(client, readPcm(clips.englishLong));
      await speakInto(client, silence(1));
    }
    client.send({ type: "close" });
    expect(await client.closed).toBe(1000);
    for (const final of said("final")) {
      expect(Object.keys(final).sort()).toEqual(
        ["confidence", "end_ms", "language", "start_ms", "text", "type", "utterance", "words"].sort(),
      );
      // No interim of an utterance comes after its final.
      const order = client.messages.filter(({ utterance }) => utterance === final.utterance).map(({ type }) => type);
      expect(order.at(-1)).toBe("final");
    }
    const [interim] = said("interim");
    expect([typeof interim!.text, interim!.language]).toEqual(["string", "en-us"]);
    const text = said("final").map((final) => final.text);
    expect(shareHeard(transcriptOf(clips.englishLong), text.join(" "))).toBeGreaterThan(0.8);
  });

  it("identifies the language of each utterance", async () => {
    const client = await open("stt/auto");
    client.send(readPcm(clips.englishLong));
    client.send(silence(1));
    client.send(readPcm(clips.spanish));
    client.send(silence(1));
    client.send(readPcm(clips.german));
    client.send({ type: "close" });
    expect(await client.closed).toBe(1000);
    const finals = client.messages.filter(({ type }) => type === "final");
    const english = finals.filter(({ language }) => language === "en-us").map(({ text }) => text);
    const spanish = finals.filter(({ language }) => language === "es").map(({ text }) => text);
    expect(shareHeard(transcriptOf(clips.englishLong), english.join(" "))).toBeGreaterThan(0.8);
    expect(shareHeard(transcriptOf(clips.spanish), spanish.join(" "))).toBeGreaterThan(0.7);
    const german = finals.filter(({ language }) => language === "de").map(({ text }) => text);
    expect(shareHeard(transcriptOf(clips.german), german.join(" "))).toBeGreaterThan(0.7);
    for (const { text } of finals.filter(({ language }) => language === "und")) expect(text).toBe("");
  });

  it("takes a whole file at once, in frames of any size", async () => {
    const pcm = Buffer.concat(Array.from({ length: 6 }, () => [readPcm(clips.englishLong), silence(1)]).flat());
    const client = await open("stt/lang", { language: "en" });
    for (let at = 0, step = 1; at < pcm.length; at += step, step = (step * 7 + 3) % 20_011) {
      client.send(pcm.subarray(at, at + step));
      step = Math.max(step, 1);
    }
    client.send({ type: "close" });
    expect(await client.closed).toBe(1000);
    const said = client.messages
      .filter(({ type }) => type === "final")
      .map(({ text }) => text)
      .join(" ");
    expect(said.match(/Chinese/g)).toHaveLength(6);
    expect(said.match(/Netherlands/g)).toHaveLength(6);
  });

  it("hears everybody when several speak at once, and a faint voice after a loud one, beside streams that are silent", async () => {
    const silent = await Promise.all(Array.from({ length: 10 }, () => open("stt/lang", { language: "en" })));
    const turns = [readPcm(clips.englishLong), quieter(readPcm(clips.english), 50)];
    const said = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const client = await open("stt/lang", { language: "en" });
        for (let turn = 0; turn < 4; turn++) {
          client.send(turns[(index + turn) % 2]!);
          client.send(silence(1.5));
        }
        client.send({ type: "close" });
        expect(await client.closed).toBe(1000);
        return client.messages.filter(({ type }) => type === "final").map(({ text }) => text);
      }),
    );
    for (const texts of said) {
      expect(texts.filter((text) => text === "He could wait no longer.")).toHaveLength(2);
      const rest = texts.join(" ");
      expect([rest.match(/Chinese/g)?.length, rest.match(/Netherlands/g)?.length]).toEqual([2, 2]);
    }
    for (const client of silent) {
      expect(client.messages).toEqual([{ type: "ready" }]);
      client.close();
    }
  });

  it.each([
    { encoding: "mulaw", sample_rate: 8000 },
    { encoding: "alaw", sample_rate: 16000 },
    { encoding: "opus", sample_rate: 48000 },
    { encoding: "pcm_s16le", sample_rate: 44100 },
  ] as const)("hears $encoding at $sample_rate Hz, and tells when each word was said", async (format) => {
    const minted = (await mint("stt/lang", { language: "en", ...format })).json;
    expect([minted.format, minted.sample_rate]).toEqual([format.encoding, format.sample_rate]);
    const client = await openStream(minted.url);
    const { encoding, sample_rate: sampleRateHz } = format;
    const encoder = await createStreamEncoder(16_000, { encoding, sampleRateHz });
    const sound = fromPcm16(readPcm(clips.english));
    for (const message of [...encoder.encode(sound), ...encoder.finish()]) client.send(message);
    encoder.free();
    client.send({ type: "keepalive" });
    client.send({ type: "flush" });
    await client.waitFor("flushed");
    await client.waitFor("keepalive");
    const final = client.messages.find(({ type }) => type === "final")!;
    expect(final.text).toBe("He could wait no longer.");
    expect(final.words.map(({ word }: { word: string }) => word)).toEqual(final.text.split(" "));
    const times = final.words.flatMap((word: { start_ms: number; end_ms: number }) => [word.start_ms, word.end_ms]);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(final.start_ms);
    expect(times.at(-1)).toBeLessThanOrEqual(final.end_ms);
    client.close();
  });

  it("refuses formats that do not exist, and messages that are no packets", async () => {
    expect((await mint("stt", { encoding: "mp3" })).json.error.message).toMatch(/"encoding" must be one of: pcm_s16le/);
    for (const sample_rate of [7999, 96_000, 16_001, "16000"]) {
      expect((await mint("stt/auto", { sample_rate })).json.error.message).toMatch(
        /"sample_rate" must be one of: 8000/,
      );
    }
    const odd = await mint("stt", { encoding: "opus", sample_rate: 44100 });
    expect(odd.json.error.message).toBe('"sample_rate" of Opus must be one of: 8000, 12000, 16000, 24000, 48000.');
    const client = await open("stt", { encoding: "opus" });
    client.send(Uint8Array.of(255, 255, 255));
    expect((await client.waitFor("error")).error.message).toMatch(/one opus packet/);
    expect(await client.closed).toBe(4400);
  });

  it("takes the key itself from a server-side client, with the rules of the mint", async () => {
    const address = `${server.url.replace("http", "ws")}/v1/realtime/stt/lang/stream`;
    const client = await openStream(`${address}?language=en&sample_rate=16000`, {
      headers: { "x-api-key": server.key },
    });
    await client.waitFor("ready");
    client.send(readPcm(clips.english));
    client.send({ type: "close" });
    expect(await client.closed).toBe(1000);
    expect(client.messages.find(({ type }) => type === "final")?.text).toBe("He could wait no longer.");

    const { key: poor } = await server.newKey(["speech"]);
    const refused = async (query: string, key: string) =>
      openStream(address + query, { headers: { authorization: `Bearer ${key}` } }).then(
        () => "opened",
        (error: Error) => error.message,
      );
    expect(await refused("?language=en", "parl_nobody")).toMatch(/401/);
    expect(await refused("?language=en", poor)).toMatch(/403/);
    expect(await refused("", server.key)).toMatch(/400/);
    expect(await refused("?language=en&sample_rate=1", server.key)).toMatch(/400/);
    expect(await refused("?language=en&lang=en", server.key)).toMatch(/400/);
    const plain = await call(`${server.url}/v1/realtime/stt/stream`, { key: server.key });
    expect([plain.status, plain.json.error.type]).toEqual([404, "not_found"]);
    const usage = await server.admin<{ route: string; requests: number }[]>("usage", {});
    expect(usage.filter(({ route }) => route === "WS /v1/realtime/stt/lang/stream")[0]!.requests).toBeGreaterThan(0);
  });

  it("ends the streams of a key that is revoked", async () => {
    const { id, key } = await server.newKey(["realtime"]);
    const address = `${server.url.replace("http", "ws")}/v1/realtime/stt/stream`;
    const client = await openStream(address, { headers: { authorization: `Bearer ${key}` } });
    await client.waitFor("ready");
    await server.admin("keys revoke", { id });
    expect(await client.closed).toBe(4401);
  });

  it("finalizes at once when told to, and says when that is done", async () => {
    const client = await open("stt/lang", { language: "en" });
    client.send(readPcm(clips.english));
    client.send({ type: "flush", id: 7 });
    expect((await client.waitFor("flushed")).id).toBe(7);
    expect(client.messages.filter(({ type }) => type === "final").map(({ text }) => text)).toEqual([
      "He could wait no longer.",
    ]);
    client.close();
  });

  it("changes the language by a config message on stt/lang, and only there", async () => {
    const client = await open("stt/lang", { language: "en" });
    client.send({ type: "config", language: "es" });
    client.send(readPcm(clips.spanish));
    client.send({ type: "flush" });
    await client.waitFor("flushed");
    const finals = client.messages.filter(({ type }) => type === "final");
    expect(new Set(finals.map(({ language }) => language))).toEqual(new Set(["es"]));
    client.send({ type: "config", language: "xx" });
    expect((await client.waitFor("error")).error.type).toBe("invalid_request");
    client.close();
    const other = await open("stt");
    other.send({ type: "config", language: "es" });
    expect((await other.waitFor("error")).error.message).toMatch(/stt\/lang/);
    other.close();
  });

  it("ignores types it does not know and refuses what is no message with 4400", async () => {
    const client = await open("stt");
    client.send({ type: "something-new", field: 1 });
    client.send({ type: "flush" });
    await client.waitFor("flushed");
    client.socket.send("no JSON");
    expect(await client.closed).toBe(4400);
  });

  it("says so when an engine process dies during an utterance, and hears the next one", async () => {
    const client = await open("stt/lang", { language: "en" });
    client.send(readPcm(clips.english));
    client.send({ type: "flush" });
    await client.waitFor("final");
    const long = readPcm(clips.englishLong);
    client.send(long);
    client.send({ type: "flush" });
    await client.waitFor(({ type, utterance }) => type === "speech_started" && utterance > 1);
    const killing = setInterval(() => killEngines("moonshine/child"), 50);
    const { error } = await client.waitFor("error");
    clearInterval(killing);
    expect(error.type).toBe("upstream_error");
    client.send(silence(1));
    client.send(readPcm(clips.english));
    client.send({ type: "close" });
    expect(await client.closed).toBe(1000);
    expect(client.messages.filter(({ type }) => type === "final").at(-1)!.text).toBe("He could wait no longer.");
  });

  it("loses no sound when the process for voice activity dies", async () => {
    const client = await open("stt/lang", { language: "en" });
    const pcm = readPcm(clips.english);
    client.send(pcm.subarray(0, pcm.length >> 2));
    await new Promise((resolve) => setTimeout(resolve, 300));
    killEngines("silero/child");
    client.send(pcm.subarray((pcm.length >> 2) & ~1));
    client.send({ type: "close" });
    expect(await client.closed).toBe(1000);
    expect(client.messages.find(({ type }) => type === "final")?.text).toBe("He could wait no longer.");
  });

  it("finalizes what is open before a stopping server closes with 1012", async () => {
    const stopping = await startServer();
    const { json } = await call(`${stopping.url}/v1/realtime/stt/lang`, {
      key: stopping.key,
      json: { language: "en" },
    });
    const client = await openStream(json.url);
    client.send(readPcm(clips.english));
    await client.waitFor("final");
    client.send(readPcm(clips.english));
    await client.waitFor(({ type, utterance }) => type === "speech_started" && utterance === 2);
    await stopping.close();
    expect(await client.closed).toBe(1012);
    const finals = client.messages.filter(({ type }) => type === "final");
    expect(finals.map(({ text }) => text)).toEqual(["He could wait no longer.", "He could wait no longer."]);
  });
});
