import { createSocket } from "node:dgram";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CallClient } from "../support/call/call-client.ts";
import { call } from "../support/call.ts";
import { killEngines } from "../support/engine-processes.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

/** An address of this machine that is not loopback. */
const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && one.family === "IPv4" && !one.internal)?.address;

function freeUdpPort(): Promise<number> {
  const probe = createSocket("udp4");
  return new Promise((resolve) => {
    probe.bind(0, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ SVC_CALLS_MOST: "20" });
});
afterAll(() => server.close());

const mint = (json: object = {}, key = server.key) => call(`${server.url}/v1/realtime/session`, { key, json });
const offerTo = (session: { url: string }, token: string, json: object) =>
  call(`${session.url.replace("localhost", "127.0.0.1")}?token=${encodeURIComponent(token)}`, { json });

describe("a token for a call", () => {
  it("comes with everything that a client needs", async () => {
    const before = Date.now();
    const { status, json } = await mint();
    expect(status).toBe(200);
    const { session_id, token, url, expires_at, ...rest } = json;
    expect(session_id).toMatch(/^rts_\w+$/);
    expect(token).toMatch(/^prt_\w+$/);
    expect(url).toMatch(new RegExp(`^http://localhost:\\d+/v1/realtime/session/${session_id}/offer$`));
    expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(before + 60_000);
    expect(Date.parse(expires_at)).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(rest).toEqual({
      expires_in: 60,
      ice_servers: [],
      settings: { voice: "en_nora", language: "en-us" },
      model: "svc-agent-1",
      webrtcRequestParams: { endpoint: `${url}?token=${token}` },
      iceConfig: { iceServers: [] },
    });
  });

  it("echoes the voice and the language that apply", async () => {
    const { json } = await mint({ language: "es", voice: "ef_dora", mode: "external", ttl_seconds: 600 });
    expect([json.settings, json.expires_in]).toEqual([{ voice: "ef_dora", language: "es" }, 600]);
  });

  it("takes every field of the contract", async () => {
    const { status } = await mint({
      mode: "assistant",
      tone_preset: "calm",
      style_text: "s".repeat(4000),
      temperature: 0.7,
      language: "EN_us",
    });
    expect(status).toBe(200);
  });

  it("takes voice and language from a persona of its workspace, and the request's own fields first", async () => {
    const persona = { name: "Dora", base_voice: "ef_dora", language: "es", tone_preset: "calm" };
    const { json } = await call(`${server.url}/v1/personas`, { key: server.key, json: persona });
    const persona_id = json.persona.id;
    expect((await mint({ persona_id })).json.settings).toEqual({ voice: "ef_dora", language: "es" });
    expect((await mint({ persona_id, voice: "em_alex" })).json.settings).toEqual({ voice: "em_alex", language: "es" });
    await server.admin("workspaces create", { name: "other" });
    const { key } = await server.newKey(["realtime"], { workspace: "other" });
    expect((await mint({ persona_id }, key)).status).toBe(400);
  });

  it.each([
    ["a life of 0 s", { ttl_seconds: 0 }],
    ["a life of 601 s", { ttl_seconds: 601 }],
    ["an unknown mode", { mode: "other" }],
    ["a style of 4001 characters", { style_text: "s".repeat(4001) }],
    ["a temperature of 3", { temperature: 3 }],
    ["an unknown voice", { voice: "nobody" }],
    ["an unknown language", { language: "tlh" }],
    ["an unknown tone", { tone_preset: "purple" }],
    ["an unknown persona", { persona_id: "p_nobody" }],
    ["something that is no persona", { persona_id: "nobody" }],
  ])("is refused with a 400 for %s", async (_what, body) => {
    const { status, json } = await mint(body);
    expect([status, json.error.type]).toEqual([400, "invalid_request"]);
  });

  it("needs a key with the scope", async () => {
    const { key } = await server.newKey(["speech"]);
    expect((await mint({}, key)).status).toBe(403);
    expect((await mint({}, "parl_wrong")).status).toBe(401);
  });

  it("carries credentials for the relay, and the public address", async () => {
    const elsewhere = await startServer({
      SVC_TURN_URLS: "stun:relay.example.com:3478, turn:relay.example.com:3478?transport=udp",
      SVC_TURN_SECRET: "north",
      SVC_PUBLIC_URL: "https://voice.example.com",
    });
    try {
      const { json } = await call(`${elsewhere.url}/v1/realtime/session`, { key: elsewhere.key, json: {} });
      expect(json.url).toMatch(/^https:\/\/voice\.example\.com\/v1\/realtime\/session\/rts_/);
      expect(json.ice_servers).toEqual([
        { urls: ["stun:relay.example.com:3478"] },
        {
          urls: ["turn:relay.example.com:3478?transport=udp"],
          username: expect.stringMatching(new RegExp(`^\\d+:${json.session_id}$`)),
          credential: expect.stringMatching(/^[\w+/]{27}=$/),
        },
      ]);
      expect(json.iceConfig.iceServers).toEqual(json.ice_servers);
    } finally {
      await elsewhere.close();
    }
  });
});

describe("signaling", () => {
  it("answers an offer once: a second use, a forged and an expired token get 401 with the reason as detail", async () => {
    const { json: session } = await mint({ mode: "external" });
    const client = await CallClient.open();
    const body = { sdp: client.offer, type: "offer", pc_id: null, restart_pc: false };
    const first = await offerTo(session, session.token, body);
    expect(first.status).toBe(200);
    expect(first.json).toEqual({
      sdp: expect.stringMatching(/^v=0/),
      type: "answer",
      pc_id: expect.stringMatching(/^pc_/),
    });
    const second = await offerTo(session, session.token, body);
    expect([second.status, second.json.error.type]).toEqual([401, "unauthorized"]);
    expect(second.json.detail).toBe(second.json.error.message);
    const { json: other } = await mint({ mode: "external", ttl_seconds: 1 });
    expect((await offerTo(other, "prt_forged", body)).status).toBe(401);
    expect((await offerTo(other, "", body)).status).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect((await offerTo(other, other.token, body)).status).toBe(401);
    client.close();
  });

  it("of a live call goes on after its token expired, and no other call can be opened with it", async () => {
    const { json: session } = await mint({ mode: "external", ttl_seconds: 1 });
    const client = await CallClient.open();
    const { json: opened } = await offerTo(session, session.token, { sdp: client.offer, type: "offer" });
    client.answer(opened.sdp);
    await client.connected;
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const anew = await CallClient.open();
    const restart = { sdp: anew.offer, type: "offer", pc_id: opened.pc_id, restart_pc: true };
    expect((await offerTo(session, "prt_forged", restart)).status).toBe(401);
    const restarted = await offerTo(session, session.token, restart);
    expect(restarted.status).toBe(200);
    expect(restarted.json.pc_id).not.toBe(opened.pc_id);
    anew.answer(restarted.json.sdp);
    await anew.connected;
    expect((await offerTo(session, session.token, { ...restart, pc_id: null })).status).toBe(401);
    client.close();
    anew.close();
  });

  it("leaves the token good when the offer was none", async () => {
    const { json: session } = await mint({ mode: "external" });
    for (const sdp of ["nonsense", "v=0\r\nm=", `v=0\r\n${"a".repeat(2000)}`]) {
      const { status } = await offerTo(session, session.token, { sdp, type: "offer" });
      expect(status).toBe(400);
    }
    expect((await offerTo(session, session.token, { sdp: 5, type: "offer" })).status).toBe(400);
    const client = await CallClient.open();
    expect((await offerTo(session, session.token, { sdp: client.offer, type: "offer" })).status).toBe(200);
    client.close();
  });

  it("knows candidates only of its own calls", async () => {
    const { json: session } = await mint({ mode: "external" });
    const client = await CallClient.open();
    const { json: opened } = await offerTo(session, session.token, { sdp: client.offer, type: "offer" });
    const url = `${session.url.replace("localhost", "127.0.0.1")}?token=`;
    const candidates = [
      { candidate: "candidate:1 1 udp 1 never-there.local 9 typ host", sdp_mid: "0", sdp_mline_index: 0 },
      { candidate: "", sdp_mid: "0", sdp_mline_index: 0 },
      { candidate: "nonsense", sdp_mid: null },
    ];
    const patch = (token: string, pc_id: string) => call(url + token, { method: "PATCH", json: { pc_id, candidates } });
    expect((await patch(session.token, opened.pc_id)).json).toEqual({ status: "success" });
    expect((await patch("prt_forged", opened.pc_id)).status).toBe(404);
    expect((await patch(session.token, "pc_other")).json.detail).toBe("Peer connection not found");
    client.close();
  });
});

describe("the rate of a key", () => {
  it("counts a call once, however long it lasts and however often its client comes back", async () => {
    const { key } = await server.newKey(["realtime"], { ratePerMinute: 2 });
    const { json: session } = await mint({ mode: "external" }, key);
    const client = await CallClient.open();
    const offer = { sdp: client.offer, type: "offer" };
    const { json: opened } = await offerTo(session, session.token, offer);
    client.answer(opened.sdp);
    await client.connected;
    for (let again = 0; again < 4; again++) {
      const endpoint = `${session.url.replace("localhost", "127.0.0.1")}?token=${session.token}`;
      const json = { pc_id: opened.pc_id, candidates: client.candidates };
      expect((await call(endpoint, { method: "PATCH", json })).status).toBe(200);
    }
    client.send({ label: "rtvi-ai", type: "client-ready", id: "1", data: {} });
    for (let n = 0; n < 5; n++) {
      const data = { t: "nothing", d: {} };
      client.send({ label: "rtvi-ai", type: "client-message", id: `m${n}`, data });
      await client.waitFor(({ id }) => id === `m${n}`);
    }
    expect((await mint({ mode: "external" }, key)).status).toBe(200);
    expect((await mint({ mode: "external" }, key)).status).toBe(429);
    client.close();
  });
});

describe("a full node", () => {
  it("mints no more tokens and says when to come back; one call ending makes room", async () => {
    const small = await startServer({ SVC_CALLS_MOST: "1" });
    try {
      const mintHere = () => call(`${small.url}/v1/realtime/session`, { key: small.key, json: { mode: "external" } });
      const { json: session } = await mintHere();
      const { json: early } = await mintHere();
      const client = await CallClient.open();
      const { json: opened } = await offerTo(session, session.token, { sdp: client.offer, type: "offer" });
      client.answer(opened.sdp);
      await client.connected;
      const full = await mintHere();
      expect([full.status, full.json.error.type, full.headers.get("retry-after")]).toEqual([429, "rate_limited", "10"]);
      const late = await offerTo(early, early.token, { sdp: client.offer, type: "offer" });
      expect(late.status).toBe(429);
      client.close();
      await expect.poll(async () => (await mintHere()).status, { timeout: 60_000 }).toBe(200);
    } finally {
      await small.close();
    }
  });
});

describe("media", () => {
  const connect = async (at: TestServer) => {
    const { json: session } = await call(`${at.url}/v1/realtime/session`, { key: at.key, json: { mode: "external" } });
    const client = await CallClient.open();
    const { json: opened } = await offerTo(session, session.token, { sdp: client.offer, type: "offer" });
    client.answer(opened.sdp);
    await client.connected;
    return { client, sdp: opened.sdp as string };
  };

  it.skipIf(!ownAddress)(
    "of all calls goes through one port and one announced address, when they are set",
    async () => {
      const port = await freeUdpPort();
      const narrow = await startServer({
        SVC_MEDIA_PORT: String(port),
        SVC_MEDIA_ADDRESS: ownAddress!,
        SVC_CALLS_MOST: "20",
      });
      try {
        const calls = [await connect(narrow), await connect(narrow), await connect(narrow)];
        for (const { client, sdp } of calls) {
          const candidates = sdp.match(/^a=candidate:.*$/gm)!;
          expect(candidates).toHaveLength(1);
          expect(candidates[0]).toContain(` ${ownAddress} ${port} typ host`);
          client.send({ label: "rtvi-ai", type: "client-ready", id: "1", data: {} });
          await client.waitFor((message) => message.type === "bot-ready");
        }
        for (const { client } of calls) client.close();
      } finally {
        await narrow.close();
      }
    },
  );

  it("that dies takes its calls along, and nothing else: the next call works", async () => {
    const first = await connect(server);
    expect(killEngines("media/child")).toBe(1);
    const openCalls = async () =>
      Number(/^parlance_calls (\d+)/m.exec((await call(`${server.url}/metrics`)).text)?.[1]);
    await expect.poll(openCalls, { timeout: 30_000 }).toBe(0);
    first.client.close();
    const second = await connect(server);
    second.client.send({ label: "rtvi-ai", type: "client-ready", id: "1", data: { version: "1.0.0" } });
    const ready = await second.client.waitFor((message) => message.type === "bot-ready");
    expect(ready.data.version).toBe("1.0.0");
    second.client.close();
  });
});

describe("when the server shuts down", () => {
  it("calls are told, may end until the deadline, and are then told goodbye", async () => {
    const short = await startServer({ SVC_SHUTDOWN: "1s" });
    const { json: session } = await call(`${short.url}/v1/realtime/session`, {
      key: short.key,
      json: { mode: "external" },
    });
    const client = await CallClient.open();
    const { json: opened } = await offerTo(session, session.token, { sdp: client.offer, type: "offer" });
    client.answer(opened.sdp);
    await client.connected;
    client.send({ label: "rtvi-ai", type: "client-ready", id: "1", data: { version: "2.1.0" } });
    await client.waitFor((message) => message.type === "bot-ready");
    await short.close();
    await client.waitFor((message) => message.type === "server-message" && message.data.type === "server-closing");
    await client.waitFor((message) => message.message?.type === "peerLeft");
    client.close();
  });
});
