import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Call, call, form } from "../support/call.ts";
import { filesHolding } from "../support/files-holding.ts";
import { makeKey, startCli } from "../support/run-cli.ts";
import { clips, readClip, whyNoHearing } from "../support/speech-clips.ts";

/** What people say and write, through every route of the day. A new capability joins with one line. */
const markedRequests: { path: string; send(mark: string): Call }[] = [
  { path: "/v1/speech", send: (mark) => ({ json: { text: `Hello ${mark}` } }) },
  { path: "/v1/speech", send: (mark) => ({ json: { text: "Hello", language: mark } }) },
  { path: "/v1/audio/speech", send: (mark) => ({ json: { model: "tts-1", voice: "alloy", input: `Hello ${mark}` } }) },
  { path: "/v1/chat", send: (mark) => ({ json: { message: `Hello ${mark}` } }) },
  { path: "/v1/translate", send: (mark) => ({ json: { text: `Hello ${mark}`, target_language: "es" } }) },
  { path: "/v1/embeddings", send: (mark) => ({ json: { input: [`Hello ${mark}`] } }) },
  {
    path: "/v1/transcribe",
    send: (mark) => ({ body: form({ file: new Blob([mark.repeat(100)]), language: "en-us" }) }),
  },
  { path: "/v1/dub", send: (mark) => ({ body: form({ file: new Blob([mark.repeat(100)]), target_language: "es" }) }) },
  { path: "/v1/personas", send: (mark) => ({ json: { name: "Ann", tone_preset: mark } }) },
  { path: "/v1/personas", send: (mark) => ({ body: form({ name: "Ann", file: new Blob([mark.repeat(100)]) }) }) },
  { path: "/v1/realtime/tts", send: (mark) => ({ json: { voice: mark } }) },
  { path: "/v1/realtime/tts", send: (mark) => ({ json: { persona_id: mark } }) },
  { path: `/v1/nothing`, send: (mark) => ({ json: { text: mark } }) },
  {
    path: "/gateway/v1/chat/completions",
    send: (mark) => ({ json: { model: "local/none", messages: [{ role: "user", content: mark }] } }),
  },
  { path: "/gateway/v1/embeddings", send: (mark) => ({ json: { model: "local/none", input: mark } }) },
  { path: "/gateway/v1/rerank", send: (mark) => ({ json: { model: "local/none", query: mark, documents: [mark] } }) },
];

const mark = "Zwiebelkuchen7Quartz";

/** What is said in a recording, and its translation. */
const spokenMarks = ["calzado", "footwear", "shoes"];

describe("after a busy day", () => {
  it("no spoken or written content, no key and no token is in the database, the data folder or the logs", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "parlance-privacy-"));
    const server = startCli(["serve", "--port", "0"], {
      SVC_DATA_DIR: dataDir,
      SVC_LOG_TRANSCRIPTS: "0",
      SVC_LOG_LEVEL: "debug",
      SVC_RATE_PER_MINUTE: "1000",
      ...(process.env.SVC_MODELS_DIR ? { SVC_MODELS_DIR: process.env.SVC_MODELS_DIR } : {}),
    });
    const out = await server.seen(/listening on \S+/);
    const url = /listening on (\S+)/.exec(out)![1]!;
    const key = await makeKey(dataDir);
    const greeting = out.length;
    for (const { path, send } of markedRequests) {
      const { status } = await call(url + path, { key, ...send(mark) });
      expect(status, path).not.toBe(500);
      await call(`${url + path}?token=${mark}&key=${key}`, { ...send(mark) });
    }
    const spoken = { file: new Blob([readClip(clips.spanish)]), source_language: "es" };
    const dub = { key, body: form({ ...spoken, target_language: "en-us", voice: "en_nora", timing: "true" }) };
    const cloned = { key, body: form({ file: spoken.file, name: "Ann" }) };
    if (!whyNoHearing()) {
      expect((await call(`${url}/v1/dub`, dub)).json.sourceText).toContain("calzado");
      const { id } = (await call(`${url}/v1/personas`, cloned)).json.persona;
      const isBuilding = async () =>
        (await call(`${url}/v1/personas/${id}`, { key })).json.persona.status === "processing";
      while (await isBuilding()) await new Promise((resolve) => setTimeout(resolve, 500));
    }
    server.process.kill("SIGTERM");
    const finished = await server.finished;
    const said = finished.out.slice(greeting) + finished.err;
    expect(said).toContain('"route":"/v1/chat"');
    for (const word of [mark, ...spokenMarks]) expect(said).not.toContain(word);
    expect(said).not.toContain(key);
    const leaking = filesHolding(dataDir, [mark, key, ...spokenMarks]);
    rmSync(dataDir, { recursive: true, force: true });
    expect(leaking).toEqual([]);
  });
});
