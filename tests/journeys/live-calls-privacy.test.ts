import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CallClient } from "../support/call/call-client.ts";
import { call } from "../support/call.ts";
import { filesHolding } from "../support/files-holding.ts";
import { makeKey, startCli } from "../support/run-cli.ts";
import { clips, readPcm, whyNoHearing } from "../support/speech-clips.ts";

const reason = whyNoHearing();
if (reason) console.warn(`what calls leave behind is not tested: ${reason}`);

const mark = "Zwiebelkuchen7Quartz";
/** What is said in the clip. */
const saidWords = "wait no longer";

describe.skipIf(reason)("after a call", () => {
  it("nothing that was said, spoken or written in it is on disk, in the database or in the logs", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parlance-call-privacy-"));
    const temporary = join(folder, "tmp");
    mkdirSync(temporary);
    const server = startCli(["serve", "--port", "0"], {
      SVC_DATA_DIR: join(folder, "data"),
      TMPDIR: temporary,
      SVC_LOG_TRANSCRIPTS: "0",
      SVC_LOG_LEVEL: "debug",
      SVC_MODELS_PULL: "0",
      ...(process.env.SVC_MODELS_DIR ? { SVC_MODELS_DIR: process.env.SVC_MODELS_DIR } : {}),
    });
    const out = await server.seen(/listening on \S+/);
    const url = /listening on (\S+)/.exec(out)![1]!;
    const key = await makeKey(join(folder, "data"));
    const greeting = out.length;
    const settings = { mode: "external", style_text: `Always mention ${mark}.` };
    const { json: session } = await call(`${url}/v1/realtime/session`, { key, json: settings });
    const client = await CallClient.join(session);
    const pcm = readPcm(clips.english);
    await client.say(pcm);
    const turn = await client.waitFor(({ type, data }) => type === "user-transcription" && data.final, 120_000);
    expect(turn.data.text.toLowerCase()).toContain(saidWords);
    const speak = { t: "speak", d: { text: `${mark} is on the table.` } };
    client.send({ label: "rtvi-ai", type: "client-message", id: "2", data: speak });
    await client.waitFor(({ type }) => type === "bot-stopped-speaking", 120_000);
    client.send({ label: "rtvi-ai", type: "disconnect-bot", id: "3", data: {} });
    await client.waitFor(({ message }) => message?.type === "peerLeft");
    client.close();
    server.process.kill("SIGTERM");
    const finished = await server.finished;
    const said = finished.out.slice(greeting) + finished.err;
    expect(said).toContain("call ended");
    for (const secret of [mark, saidWords, key, session.token]) expect(said).not.toContain(secret);
    // A stretch from the middle of the voice, as it would be in any file of samples.
    const sound = Buffer.from(pcm.subarray(20_000, 20_064));
    const leaking = filesHolding(folder, [mark, saidWords, key, session.token, sound]);
    rmSync(folder, { recursive: true, force: true });
    expect(leaking).toEqual([]);
  });
});
