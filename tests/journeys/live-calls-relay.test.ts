import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallBrowser, openCallBrowser, whyNoBrowser } from "../support/call/browser.ts";
import { RELAY_SECRET, type Relay, startRelay, whyNoRelay } from "../support/call/relay.ts";
import { call } from "../support/call.ts";
import { clips, shareHeard, transcriptOf, whyNoHearing } from "../support/speech-clips.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && one.family === "IPv4" && !one.internal)?.address;
const reason =
  whyNoBrowser() ?? whyNoHearing() ?? whyNoRelay() ?? (address ? undefined : "this machine has no network");
if (reason) console.warn(`calls through a relay are not tested: ${reason}`);

describe.skipIf(reason)("a caller who can reach nothing but the relay", () => {
  let relay: Relay;
  let server: TestServer;
  let browser: CallBrowser;
  beforeAll(async () => {
    relay = await startRelay(address!);
    server = await startServer({
      SVC_WARM_UP: "1",
      SVC_CALLS_MOST: "20",
      SVC_TURN_URLS: `turn:${address}:${relay.port}?transport=udp,turn:${address}:${relay.port}?transport=tcp`,
      SVC_TURN_SECRET: RELAY_SECRET,
    });
    browser = await openCallBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    relay?.close();
  });

  it("is heard and hears through it, with the credentials of the session", async () => {
    const { json } = await call(`${server.url}/v1/realtime/session`, { key: server.key, json: { mode: "external" } });
    const caller = await browser.newCaller();
    await caller.start({ params: json, isRelayOnly: true });
    await caller.waitFor("BotReady");
    await caller.say(clips.english);
    const turn = await caller.waitFor("UserTranscript", ({ data }) => data.final);
    expect(shareHeard(transcriptOf(clips.english), turn.data.text)).toBeGreaterThan(0.7);
    await caller.do("speak", "I can hear you well.");
    await caller.waitFor("BotStoppedSpeaking");
    await expect.poll(async () => (await caller.loud()).length, { timeout: 20_000 }).toBeGreaterThan(10);
    expect(await caller.route()).toBe("relay");
    await caller.close();
  });
});
