import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { joinSamples } from "../../src/audio/pcm.ts";
import { summarizePitch, toSemitones, trackPitch } from "../../src/audio/pitch.ts";
import { HEARD_RATE_HZ } from "../../src/ports/media.ts";
import { CallClient } from "../support/call/call-client.ts";
import { type InstantChat, startInstantChat } from "../support/call/instant-chat.ts";
import { call } from "../support/call.ts";
import { clips, readPcm, whyNoHearing } from "../support/speech-clips.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const reason = whyNoHearing();
if (reason) console.warn(`how calls sound and what is counted of them is not tested: ${reason}`);

let chat: InstantChat;
let server: TestServer;

describe.skipIf(reason)("a live call that is answered by a chat engine over HTTP", () => {
  beforeAll(async () => {
    chat = await startInstantChat(["We bake bread every morning ", "and the shop is open all day long."]);
    server = await startServer({ SVC_CHAT_ENGINE: chat.engine, SVC_CALLS_MOST: "20" });
  });
  afterAll(async () => {
    await server?.close();
    await chat?.close();
  });

  async function join(settings: object): Promise<CallClient> {
    const { json: session } = await call(`${server.url}/v1/realtime/session`, { key: server.key, json: settings });
    return CallClient.join(session);
  }

  const metric = async (name: RegExp) => Number(name.exec((await call(`${server.url}/metrics`)).text)?.[1] ?? 0);

  it("has the tone that it was minted with, in its words and in its voice", async () => {
    const heights = new Map<string, number>();
    for (const [tone, wording] of [
      ["excited", "Be excited"],
      ["sad", "Sound sad"],
    ] as const) {
      const client = await join({ mode: "assistant", tone_preset: tone });
      const heard = await client.record();
      client.send({
        label: "rtvi-ai",
        type: "send-text",
        id: "2",
        data: { content: "When are you open?", options: { run_immediately: true, audio_response: true } },
      });
      await client.waitFor(({ type }) => type === "bot-stopped-speaking", 120_000);
      client.close();
      expect(chat.prompts().at(-1)).toContain(wording);
      const samples = joinSamples(heard.map((packet) => Float32Array.from(packet, (value) => value / 32768)));
      heights.set(tone, summarizePitch(trackPitch(samples, HEARD_RATE_HZ))!.medianHz);
    }
    expect(toSemitones(heights.get("excited")! / heights.get("sad")!)).toBeGreaterThan(2);
  });

  it("shows in the metrics: that it is there, how long each stage of its answers took, and packets that got lost", async () => {
    const client = await join({ mode: "assistant" });
    expect(await metric(/^parlance_calls (\d+)/m)).toBeGreaterThanOrEqual(1);
    const lostBefore = await metric(/^parlance_call_packets_lost_total (\d+)/m);
    await client.say(readPcm(clips.english));
    client.losePackets(3);
    await client.say(new Uint8Array(32_000));
    const told = await client.waitFor(({ type }) => type === "metrics", 120_000);
    expect(told.data.ttfb.map(({ processor }: { processor: string }) => processor)).toContain("endOfTurn");
    for (const stage of ["transcription", "endOfTurn", "firstToken", "firstSound", "total"]) {
      expect(await metric(new RegExp(`^parlance_call_stage_seconds_count{stage="${stage}"} (\\d+)`, "m"))).toBe(1);
    }
    await expect
      .poll(() => metric(/^parlance_call_packets_lost_total (\d+)/m), { timeout: 20_000 })
      .toBe(lostBefore + 3);
    client.close();
    await expect.poll(() => metric(/^parlance_calls (\d+)/m), { timeout: 60_000 }).toBe(0);
    // What was lost in a call that is over stays counted.
    expect(await metric(/^parlance_call_packets_lost_total (\d+)/m)).toBe(lostBefore + 3);
  });
});
