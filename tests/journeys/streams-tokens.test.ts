import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { createPostgresDatabase, postgresUrl } from "../support/databases.ts";
import { makeKey, startCli } from "../support/run-cli.ts";
import { clips, readPcm, whyNoHearing } from "../support/speech-clips.ts";
import { startServer } from "../support/start-server.ts";
import { openStream, openStreamServer } from "../support/stream-client.ts";

const reason = whyNoHearing();
if (reason) console.warn(`tokens for streams are not tested: ${reason}`);
if (!postgresUrl) console.warn("tokens of two server processes are not tested: TEST_POSTGRES_URL is not set");

const { server, mint, open } = await openStreamServer();

describe.skipIf(reason)("a token for a stream", () => {
  it.each([
    ["stt", {}, {}],
    ["stt", { language: "es" }, {}],
    ["stt/auto", {}, { interim: true, auto_detect: true }],
    ["stt/lang", { language: "es" }, { interim: true, auto_detect: false, settings: { language: "es" } }],
  ])("for %s says everything that a client needs", async (kind, body, extra) => {
    const { status, json } = await mint(kind, body);
    expect(status).toBe(200);
    const { session_id, token, url, stream_url, ...rest } = json;
    expect(session_id).toMatch(/^rts_\w+$/);
    expect(rest).toEqual({
      expires_in: 60,
      sample_rate: 16000,
      format: "pcm_s16le",
      channels: 1,
      model: "svc-stt-1",
      ...extra,
    });
    expect(stream_url).toMatch(/^ws:\/\/localhost:\d+\/v1\/realtime\/stt/);
    expect(url).toBe(`${stream_url}?token=${token}${kind === "stt/lang" ? "&language=es" : ""}`);
  });

  it("needs a language on stt/lang, a sane life, a known language and the scope", async () => {
    expect((await mint("stt/lang")).json.error.message).toBe('"language" is required (string).');
    for (const ttl_seconds of [0, 601, "60"]) expect((await mint("stt", { ttl_seconds })).status).toBe(400);
    expect((await mint("stt", { ttl_seconds: 600 })).json.expires_in).toBe(600);
    const unknown = await mint("stt", { language: "tlh" });
    expect([unknown.status, unknown.json.error.type]).toEqual([400, "invalid_request"]);
    const { key } = await server.newKey(["transcribe"]);
    expect((await mint("stt", {}, key)).status).toBe(403);
  });

  it("carries the public address of the settings, whatever the Host header says", async () => {
    const elsewhere = await startServer({ SVC_PUBLIC_URL: "https://voice.example.com/" });
    try {
      const { json } = await call(`${elsewhere.url}/v1/realtime/stt`, { key: elsewhere.key, json: {} });
      expect(json.stream_url).toBe("wss://voice.example.com/v1/realtime/stt/stream");
    } finally {
      await elsewhere.close();
    }
  });

  it("opens exactly one stream, however many ask at once", async () => {
    const { json } = await mint("stt");
    const clients = await Promise.all(Array.from({ length: 8 }, () => openStream(json.url)));
    const outcomes = await Promise.all(
      clients.map((client) => Promise.race([client.closed, client.waitFor("ready").catch(() => client.closed)])),
    );
    expect(outcomes.filter((outcome) => outcome === 4401)).toHaveLength(7);
    for (const client of clients) client.close();
  });

  it.each([
    ["unknown", async () => `${server.url.replace("http", "ws")}/v1/realtime/stt/stream?token=prt_nobody`],
    ["of another kind", async () => (await mint("stt")).json.url.replace("/stt/stream", "/stt/auto/stream")],
    ["an API key", async () => `${server.url.replace("http", "ws")}/v1/realtime/stt/stream?token=${server.key}`],
    [
      "expired",
      async () => {
        const { json } = await mint("stt", { ttl_seconds: 1 });
        await new Promise((resolve) => setTimeout(resolve, 1100));
        return json.url;
      },
    ],
  ])("that is %s is refused with 4401 after the handshake", async (_name, url) => {
    expect(await (await openStream(await url())).closed).toBe(4401);
  });

  it("dies with the key that minted it", async () => {
    const { id, key } = await server.newKey(["realtime"]);
    const { json } = await mint("stt", {}, key);
    await server.admin("keys revoke", { id });
    expect(await (await openStream(json.url)).closed).toBe(4401);
  });

  it("cannot mint others", async () => {
    const { json } = await mint("stt");
    expect((await mint("stt", {}, json.token)).status).toBe(401);
  });

  it("may come in a header or in the first message instead of the address", async () => {
    const first = (await mint("stt")).json;
    const byHeader = await openStream(first.stream_url, { headers: { authorization: `Bearer ${first.token}` } });
    await byHeader.waitFor("ready");
    const second = (await mint("stt")).json;
    const byMessage = await openStream(second.stream_url);
    byMessage.send({ type: "auth", token: second.token });
    await byMessage.waitFor("ready");
    const third = await openStream(second.stream_url);
    third.send({ type: "auth", token: second.token });
    expect(await third.closed).toBe(4401);
    byHeader.close();
    byMessage.close();
  });

  it("may expire while its stream goes on", async () => {
    const client = await open("stt/lang", { language: "en", ttl_seconds: 1 });
    await client.waitFor("ready");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    client.send(readPcm(clips.english));
    client.send({ type: "flush" });
    expect((await client.waitFor("final")).text).toMatch(/no longer/);
    client.close();
  });

  it("belongs to its workspace alone", async () => {
    await server.admin("workspaces create", { name: "others" });
    const { key } = await server.newKey(["realtime"], { workspace: "others" });
    const mine = await mint("stt");
    const theirs = await mint("stt", {}, key);
    expect(theirs.json.session_id).not.toBe(mine.json.session_id);
    // Nothing on the API shows a token again, to anybody.
    for (const path of ["/v1/realtime/stt", `/v1/realtime/stt/${mine.json.session_id}`]) {
      expect([404, 405]).toContain((await call(server.url + path, { key })).status);
    }
  });
});

describe.skipIf(reason || !postgresUrl)("a token for a stream of two server processes with one database", () => {
  it("opens one stream at one of them", async () => {
    const { url, drop } = await createPostgresDatabase();
    const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), "parlance-")));
    const servers = [];
    try {
      const outputs: string[] = [];
      for (const [index, SVC_DATA_DIR] of folders.entries()) {
        servers.push(startCli(["serve", "--port", "0"], { SVC_DATA_DIR, SVC_DATABASE_URL: url }));
        outputs.push(await servers[index]!.seen(/listening on \S+\s/));
      }
      const key = await makeKey(folders[0]!, { SVC_DATABASE_URL: url });
      const [first, second] = outputs.map((output) => /listening on (\S+)/.exec(output)![1]!);
      const { json } = await call(`${first}/v1/realtime/stt`, { key, json: {} });
      const at = (server: string) =>
        openStream(`${server.replace("http", "ws")}/v1/realtime/stt/stream?token=${json.token}`);
      const clients = await Promise.all([second!, first!, second!, first!, second!, first!].map(at));
      const outcomes = await Promise.all(
        clients.map((client) => Promise.race([client.closed, client.waitFor("ready").catch(() => client.closed)])),
      );
      expect(outcomes.filter((outcome) => outcome === 4401)).toHaveLength(5);
      for (const client of clients) client.close();
    } finally {
      for (const server of servers) server.process.kill("SIGTERM");
      await Promise.all(servers.map((server) => server.finished));
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      await drop();
    }
  });
});
