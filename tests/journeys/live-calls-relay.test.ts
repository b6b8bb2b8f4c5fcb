import { mkdtempSync, rmSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/package-root.ts";
import { type CallBrowser, openCallBrowser } from "../support/call/browser.ts";
import { createNatNetworks, HTTP_PORT } from "../support/call/nat-networks.ts";
import { RELAY_SECRET, type Relay, startRelay, whyNoRelay } from "../support/call/relay.ts";
import { call } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import { whyNoBrowser } from "../support/find-browser.ts";
import { makeKey, startCli, startProgram } from "../support/run-cli.ts";
import { clips, shareHeard, transcriptOf, whyNoHearing } from "../support/speech-clips.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && one.family === "IPv4" && !one.internal)?.address;
const reason =
  whyNoBrowser() ?? whyNoHearing() ?? whyNoRelay() ?? (address ? undefined : "this machine has no network");
if (reason) console.warn(`calls through a relay are not tested: ${reason}`);

describe.skipIf(whyNoHearing() ?? whyNoRelay())("both sides behind symmetric NATs", () => {
  it("reach each other through the relay", async (context) => {
    const networks = createNatNetworks();
    if ("reason" in networks) {
      console.warn(`calls between NATs are not tested: ${networks.reason}`);
      return context.skip();
    }
    // coturn gives a caller up when one of its peers has no route, as private addresses have none out there.
    const more = ["--denied-peer-ip", "10.0.0.0-10.255.255.255"];
    const relay = await startRelay(networks.relayAddress, { prefix: networks.inside("public"), port: 3478, more });
    const dataDir = mkdtempSync(join(tmpdir(), "parlance-nat-"));
    const url = `http://${networks.serverAddress}:${HTTP_PORT}`;
    const env = {
      SVC_HOST: "0.0.0.0",
      SVC_PUBLIC_URL: url,
      SVC_DATA_DIR: dataDir,
      SVC_TURN_URLS: `turn:${networks.relayAddress}:3478?transport=udp`,
      SVC_TURN_SECRET: RELAY_SECRET,
      ...(process.env.SVC_MODELS_DIR ? { SVC_MODELS_DIR: process.env.SVC_MODELS_DIR } : {}),
    };
    const server = startCli(["serve", "--port", String(HTTP_PORT)], env, networks.inside("server"));
    try {
      await server.seen(/listening on \S+/);
      const key = await makeKey(dataDir);
      const script = join(packageRoot(), "tests", "support", "call", "nat-caller.ts");
      const caller = startProgram([
        ...networks.inside("caller"),
        process.execPath,
        "--import",
        "tsx",
        script,
        url,
        key,
      ]);
      const { code, out, err } = await caller.finished;
      expect(code, err).toBe(0);
      const { heard, route } = JSON.parse(out.trim().split("\n").at(-1)!);
      expect(route).toContain("relay");
      expect(shareHeard(transcriptOf(clips.english), heard)).toBeGreaterThan(0.7);
    } finally {
      server.process.kill("SIGTERM");
      await server.finished;
      relay.close();
      networks.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe.skipIf(reason)("a caller who can reach nothing but the relay", () => {
  let relay: Relay;
  let server: TestServer;
  let browser: CallBrowser;
  beforeAll(async () => {
    relay = await startRelay(address!);
    server = await startServer({
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
    await eventually(async () => (await caller.loud()).length).toBeGreaterThan(10);
    expect(await caller.route()).toBe("relay");
    await caller.close();
  });
});
