import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toPcm16 } from "../../src/audio/pcm.ts";
import { type CallBrowser, type Caller, openCallBrowser, type StartOptions } from "../support/call/browser.ts";
import { call, form } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import { whyNoBrowser } from "../support/find-browser.ts";
import { clips, readPcm, shareHeard, silence, toWav, transcriptOf, whyNoHearing } from "../support/speech-clips.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const reason = whyNoBrowser() ?? whyNoHearing();
if (reason) console.warn(`live calls are not tested: ${reason}`);

let server: TestServer;
let browser: CallBrowser;
const folder = mkdtempSync(join(tmpdir(), "parlance-call-"));

describe.skipIf(reason)("a live call of an unmodified Pipecat client in Chromium", () => {
  beforeAll(async () => {
    server = await startServer({ SVC_WARM_UP: "1", SVC_CALLS_MOST: "20" });
    const microphoneFile = join(folder, "microphone.wav");
    // Said again and again: whoever is connected late hears the next one.
    const sayings = Array.from({ length: 10 }, () => [silence(5), readPcm(clips.english)]).flat();
    writeFileSync(microphoneFile, toWav(Buffer.concat([...sayings, silence(600)])));
    browser = await openCallBrowser({ microphoneFile });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Mints with the key and connects, in one step of the client. */
  async function dial(requestData: object, options: StartOptions = {}): Promise<Caller> {
    const caller = await browser.newCaller();
    await caller.start({
      endpoint: `${server.url}/v1/realtime/session`,
      headers: { authorization: `Bearer ${server.key}` },
      requestData,
      ...options,
    });
    await caller.waitFor("BotReady");
    return caller;
  }

  const isFinal = (event: { data: { final: boolean } }) => event.data.final;

  it("in external mode hears each turn, speaks what it is given, answers requests and ends cleanly", async () => {
    const caller = await dial({ mode: "external" });
    await caller.say(clips.english);
    const turn = await caller.waitFor("UserTranscript", isFinal);
    expect(shareHeard(transcriptOf(clips.english), turn.data.text)).toBeGreaterThan(0.7);

    const words = "The answer is on its way to you now.";
    expect(await caller.do("request", "speak", { text: words })).toEqual({ status: "accepted" });
    const started = await caller.waitFor("BotStartedSpeaking");
    const stopped = await caller.waitFor("BotStoppedSpeaking");
    await eventually(async () => (await caller.loud()).length).toBeGreaterThan(20);

    const names = (await caller.events()).map(({ name }) => name);
    const order = [
      "UserStartedSpeaking",
      "UserStoppedSpeaking",
      "BotTtsStarted",
      "BotStartedSpeaking",
      "BotStoppedSpeaking",
    ];
    expect(order.map((name) => names.indexOf(name))).toEqual(
      order.map((name) => names.indexOf(name)).sort((a, b) => a - b),
    );
    const output = async () =>
      (await caller.events()).filter(({ name }) => name === "BotOutput").map(({ data }) => data.spoken_status);
    await eventually(async () => (await output()).at(-1)).toBe("completed");
    expect((await output())[0]).toBe("new");
    expect(await output()).toContain("in-progress");
    expect(stopped.at).toBeGreaterThan(started.at);

    const file = new Blob([toWav(toPcm16(await caller.sound()))]);
    const heard = await call(`${server.url}/v1/transcribe`, {
      key: server.key,
      body: form({ file, language: "en-us" }),
    });
    expect(shareHeard(words, heard.json.text)).toBeGreaterThan(0.7);

    await expect(caller.do("request", "dance", {})).rejects.toThrow();
    await caller.do("stop");
    await caller.waitFor("Disconnected");
    await eventually(() => callsOpen()).toBe(0);
    await caller.close();
  });

  it("in external mode replaces a filler by the real answer", async () => {
    const caller = await dial({ mode: "external" });
    await caller.do("speak", "I am looking that up in the very long list of all the orders that came to us today.");
    await caller.waitFor("BotStartedSpeaking");
    await caller.do("speak", "Your order left today.", true);
    const last = await caller.waitFor("BotTranscript");
    expect(last.data.text).toBe("Your order left today.");
    await caller.close();
  });

  it("falls silent when the caller talks over it", async () => {
    const caller = await dial({ mode: "external" });
    const long = "This is a long story about a small town by the sea. ".repeat(8);
    await caller.do("speak", long);
    await caller.waitFor("BotStartedSpeaking");
    await eventually(async () => (await caller.loud()).length).toBeGreaterThan(20);
    await caller.say(clips.english);
    await caller.waitFor("BotStoppedSpeaking");
    const turn = await caller.waitFor("UserTranscript", isFinal);
    expect(turn.data.text).not.toBe("");
    // Long before the end of the story, and for good.
    const heard = await caller.loud();
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(await caller.loud()).toEqual(heard);
    const spoken = (await caller.events()).filter(({ name }) => name === "BotTtsText").map(({ data }) => data.text);
    expect(spoken.join(" ").length).toBeLessThan(long.length / 2);
    await caller.close();
  });

  it("in assistant mode answers aloud, streams its words and tells how long each stage took", async () => {
    const caller = await dial({ mode: "assistant", style_text: "You love trains.", temperature: 0 });
    await caller.say(clips.english);
    await caller.waitFor("UserTranscript", isFinal);
    await caller.waitFor("BotStartedSpeaking", undefined, { withinMs: 300_000 });
    const { data } = await caller.waitFor("Metrics");
    expect(data.ttfb.map(({ processor }: { processor: string }) => processor)).toEqual([
      "transcription",
      "endOfTurn",
      "firstToken",
      "firstSound",
      "total",
    ]);
    await eventually(async () => (await caller.loud()).length).toBeGreaterThan(10);
    const names = new Set((await caller.events()).map(({ name }) => name));
    for (const name of ["BotLlmStarted", "BotLlmText", "BotTtsStarted", "BotOutput"]) expect(names).toContain(name);
    await caller.close();
  });

  it("is opened by the reply of the mint itself, with the browser's own microphone", async () => {
    const { json } = await call(`${server.url}/v1/realtime/session`, { key: server.key, json: { mode: "external" } });
    const caller = await browser.newCaller();
    await caller.start({ params: json, hasDevice: true });
    const isHeard = (text: string) => shareHeard(transcriptOf(clips.english), text) > 0.5;
    await caller.waitFor("UserTranscript", (event) => isFinal(event) && isHeard(event.data.text));
    await caller.close();
  });

  it("is rendered by Pipecat's React components", async () => {
    const react = await openCallBrowser({ page: "react-page.js" });
    const caller = await react.newCaller();
    await caller.start({
      endpoint: `${server.url}/v1/realtime/session`,
      headers: { authorization: `Bearer ${server.key}` },
      requestData: { mode: "external" },
    });
    await caller.waitFor("BotReady");
    await caller.say(clips.english);
    await caller.waitFor("UserTranscript", isFinal);
    await caller.do("speak", "You are welcome.");
    await caller.waitFor("BotStoppedSpeaking");
    const shown = async (role: string) => (await caller.page.locator(`li.${role}`).allTextContents()).join(" ");
    await eventually(() => shown("assistant")).toContain("You are welcome.");
    await eventually(async () => shareHeard(transcriptOf(clips.english), await shown("user"))).toBeGreaterThan(0.7);
    await react.close();
  });

  it("can be made from the page at /call", async () => {
    const { page } = await browser.newCaller();
    await page.goto(`${server.url}/call`);
    await page.fill("#secret", server.key);
    await page.selectOption("#mode", "external");
    await page.click("#call");
    await eventually(() => page.textContent("#state")).toBe("Connected. Talk.");
    await page.fill("#text", "Good morning.");
    await page.press("#text", "Enter");
    await eventually(() => page.textContent("#words")).toContain("Good morning.");
    await page.click("#call");
    await eventually(() => page.textContent("#state")).toBe("Call ended.");
    await page.close();
  });

  async function callsOpen(): Promise<number> {
    const { text } = await call(`${server.url}/metrics`);
    return Number(/^parlance_calls (\d+)/m.exec(text)?.[1]);
  }
});
