import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectNats } from "../../src/adapters/bus/nats-bus.ts";
import { parseDollars } from "../../src/credits/money.ts";
import { runWorker } from "../../src/main/worker.ts";
import { silentLog } from "../../src/platform/log.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { busContract } from "../../src/ports/bus.contract.ts";
import { CallClient } from "../support/call/call-client.ts";
import { call, form } from "../support/call.ts";
import { createPostgresDatabase, postgresUrl } from "../support/databases.ts";
import { completion, type FakeUpstream, sendJson, startFakeUpstream } from "../support/fake-upstream.ts";
import { type GatewayServer, startGatewayServer } from "../support/gateway-server.ts";
import { lacksModels, speechModels } from "../support/local-speech.ts";
import { hasNats, type NatsServer, startNats } from "../support/nats-server.ts";
import { openStream } from "../support/stream-client.ts";

const wanted = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 50 };
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.0001 };

describe.skipIf(!hasNats || !postgresUrl)("two nodes without engines, and a worker", () => {
  let nats: NatsServer;
  let upstream: FakeUpstream;
  let one: GatewayServer;
  let other: GatewayServer;
  let rootKey: string;
  const closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    nats = await startNats();
    closers.push(() => nats.kill());
    upstream = await startFakeUpstream();
    closers.push(() => upstream.close());
    const database = await createPostgresDatabase();
    closers.push(() => database.drop());
    const env = {
      SVC_BUS_URL: nats.url,
      SVC_DATABASE_URL: database.url,
      SVC_MASTER_KEY: "of both servers, and for tests alone",
      SVC_ENGINES: "none",
      SVC_GATEWAY_UPSTREAM_URL: upstream.url,
      SVC_RATE_SHARED: "1",
    };
    // Together: the migrations run once, whoever comes first.
    [one, other] = (await Promise.all([startGatewayServer(env), startGatewayServer(env)])) as [
      GatewayServer,
      GatewayServer,
    ];
    closers.push(async () => void (await Promise.all([one.close(), other.close()])));
    // Whoever was asked first made it.
    rootKey = one.key || other.key;
    const worker = await runWorker(
      readSettings({
        SVC_BUS_URL: nats.url,
        SVC_ENGINES: "speech,transcription,extraction",
        SVC_PORT: "0",
        SVC_MODELS_PULL: "0",
      }),
      silentLog,
    );
    closers.push(() => worker.close());
  });
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  busContract("NATS", () => connectNats({ url: nats.url, name: "test", log: silentLog }));

  it("refuse a key on both within a second after it was revoked", async () => {
    const { id, key } = await one.newKey(["speech", "voices"]);
    const ask = (server: GatewayServer) => call(`${server.url}/v1/voices`, { key });
    expect((await ask(one)).status).toBe(200);
    expect((await ask(other)).status).toBe(200);
    await one.admin("keys revoke", { id });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await ask(one)).status).toBe(401);
    expect((await ask(other)).status).toBe(401);
  });

  it("count a key's requests together", async () => {
    const { key } = await one.newKey(["voices"], { ratePerMinute: 10 });
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, i) => call(`${(i % 2 ? one : other).url}/v1/voices`, { key })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = replies.find(({ status }) => status === 429)!;
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("count a key's tokens together", async () => {
    upstream.on("/v1/chat/completions", (_request, response) => sendJson(response, completion(usage)));
    const { name } = await one.newAccount("1");
    const { key } = await one.newKey(["gateway:read"], { workspace: name, tokensPerMinute: 20 });
    const ask = (server: GatewayServer) => call(`${server.base}/chat/completions`, { key, json: wanted });
    expect((await ask(one)).status).toBe(200);
    // Two answers of 15 tokens each; they are counted a moment after they have left.
    await expect.poll(async () => (await ask(other)).json.error?.message ?? "").toContain("20 tokens a minute");
    await expect.poll(async () => (await ask(one)).status).toBe(429);
  });

  it("count what a plan includes together, and extract on the worker", async () => {
    await one.admin("workspaces create", { name: "papers" });
    const { key } = await one.newKey(["extract"], { workspace: "papers" });
    const send = (server: GatewayServer) =>
      call(`${server.url}/extraction/v1/extract`, {
        key,
        body: form({ file: new Blob(["Invoice number: 12\nTotal: 10.00 EUR\n"]) }),
      });
    const replies = [];
    // The plan Free includes ten an hour.
    for (let i = 0; i < 12; i++) replies.push(await send(i % 2 ? one : other));
    expect(replies.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429, 429]);
    expect(replies[0]!.json.data.invoice_number).toBe("12");
    const found = await call(`${one.url}/extraction/v1/extractions/${replies[0]!.json.id}`, { key });
    expect(found.json.status).toBe("completed");
  });

  it("spend one balance together, exactly and never more than it has", async () => {
    upstream.on("/v1/chat/completions", (_request, response) => {
      setTimeout(() => sendJson(response, completion(usage)), 10);
    });
    // Fifty requests, each 0.00012.
    const { key, name } = await one.newAccount("0.006");
    let served = 0;
    for (let more = true; more; ) {
      const replies = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          call(`${(i % 2 ? one : other).base}/chat/completions`, { key, json: wanted }),
        ),
      );
      const paid = replies.filter(({ status }) => status === 200).length;
      served += paid;
      more = paid > 0;
      expect(replies.every(({ status }) => status === 200 || status === 402)).toBe(true);
    }
    // Each node may have set aside what is too little for one more to be held.
    expect(served).toBeGreaterThan(40);
    expect(served).toBeLessThanOrEqual(50);
    const left = ((6_000n - BigInt(served) * 120n) * 1_000_000n).toString();
    await expect.poll(async () => parseDollars(await other.balance(key)).toString(), { timeout: 20_000 }).toBe(left);
    const accounts = await one.admin<{ workspace: string; verdict: string }[]>("credits audit", {});
    expect(accounts.find(({ workspace }) => workspace === name)?.verdict).toBe("right");
    const days = `start_date=${today()}&end_date=${today()}`;
    const [here, there] = await Promise.all([one, other].map(({ base }) => call(`${base}/report?${days}`, { key })));
    expect(here!.json).toEqual(there!.json);
    expect(here!.text).toContain(String(served));
  });

  it("run a request with an Idempotency-Key once, whichever is asked", async () => {
    let calls = 0;
    let answer = () => {};
    upstream.on("/v1/chat/completions", (_request, response) => {
      calls += 1;
      answer = () => sendJson(response, completion(usage));
    });
    const { key } = await one.newAccount("1");
    const send = (server: GatewayServer, json: object = wanted) =>
      call(`${server.base}/chat/completions`, { key, json, headers: { "idempotency-key": "order-1" } });
    const first = send(one);
    await expect.poll(() => calls).toBe(1);
    expect((await send(other)).status).toBe(409);
    answer();
    const reply = await first;
    expect(reply.status).toBe(200);
    const again = await send(other);
    expect([again.status, again.headers.get("idempotent-replayed"), again.text]).toEqual([200, "true", reply.text]);
    expect((await send(other, { ...wanted, max_tokens: 51 })).status).toBe(409);
    expect(calls).toBe(1);
  });

  it("repeat a reply that is larger than a message of the bus, byte for byte", async () => {
    let calls = 0;
    const picture = "iVBORw0KGgo".repeat(300_000);
    upstream.on("/v1/images/generations", (_request, response) => {
      calls += 1;
      sendJson(response, { created: 1, data: [{ b64_json: picture }], usage });
    });
    const { key } = await one.newAccount("1");
    const send = (server: GatewayServer) =>
      call(`${server.base}/images/generations`, {
        key,
        json: { model: "acme/image", prompt: "a house" },
        headers: { "idempotency-key": "picture-1" },
      });
    const first = await send(one);
    expect([first.status, first.text.length > 3_000_000]).toEqual([200, true]);
    const again = await send(other);
    expect([again.status, again.headers.get("idempotent-replayed"), calls]).toEqual([200, "true", 1]);
    expect(again.text === first.text).toBe(true);
  });

  it.skipIf(lacksModels(...speechModels))(
    "speak by the worker, also in a stream whose token another node has minted",
    async () => {
      await expect
        .poll(async () => (await call(`${one.url}/v1/voices`, { key: rootKey })).text, { timeout: 20_000 })
        .toContain("en_nora");
      const { json } = await call(`${one.url}/v1/realtime/tts`, { key: rootKey, json: { voice: "en_nora" } });
      const { port } = new URL(other.url);
      const stream = await openStream(json.url.replace(/:\d+\//, `:${port}/`));
      stream.send({ type: "speak", text: "Good morning." });
      await stream.waitFor("done");
      expect(Buffer.concat(stream.audio).length).toBeGreaterThan(10_000);
      stream.close();
      const metrics = await call(`${other.url}/metrics`);
      expect(metrics.text).toContain('parlance_engine_saturation{engine="workers:speech"}');
      expect(metrics.text).toContain("parlance_engine_queue_age_seconds");
    },
  );

  it.skipIf(lacksModels(...speechModels))("open a call on whichever of them gets the offer, and only one", async () => {
    const mint = () => call(`${one.url}/v1/realtime/session`, { key: rootKey, json: { mode: "external" } });
    await expect.poll(async () => (await mint()).status, { timeout: 20_000 }).toBe(200);
    const { json: session } = await mint();
    const client = await CallClient.open();
    const offer = (server: GatewayServer) =>
      call(`${server.url}${new URL(session.url).pathname}?token=${session.token}`, {
        json: { sdp: client.offer, type: "offer" },
      });
    const opened = await offer(other);
    expect(opened.status).toBe(200);
    expect((await offer(one)).status).toBe(401);
    client.answer(opened.json.sdp);
    await client.connected;
    client.close();
  });
});

const today = () => new Date().toISOString().slice(0, 10);
