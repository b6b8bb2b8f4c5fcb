import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { type FakeUpstream, sendJson, startFakeUpstream } from "../support/fake-upstream.ts";
import { startGatewayServer } from "../support/gateway-server.ts";

let upstream: FakeUpstream;
let dataDir: string;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  dataDir = mkdtempSync(join(tmpdir(), "parlance-videos-"));
});
afterAll(async () => {
  await upstream.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = () =>
  startGatewayServer({
    SVC_DATA_DIR: dataDir,
    SVC_GATEWAY_UPSTREAM_URL: upstream.url,
    SVC_GATEWAY_UPSTREAM_KIND: "openrouter",
  });

async function until<State>(look: () => Promise<State>, isThere: (state: State) => boolean): Promise<State> {
  for (;;) {
    const state = await look();
    if (isThere(state)) return state;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it("a video that was begun before a restart is there after it, paid for once, and nothing on disk tells what it shows", async () => {
  let isDone = false;
  let starts = 0;
  upstream.on("/v1/videos", (_request, response) => {
    starts += 1;
    sendJson(response, { id: "job-7", status: "pending" }, 202);
  });
  upstream.on("/v1/videos/job-7", (_request, response) => {
    const done = { status: "completed", unsigned_urls: ["https://v.example/7.mp4"], usage: { cost: 0.5 } };
    sendJson(response, { id: "job-7", prompt: "marmaladefox", ...(isDone ? done : { status: "in_progress" }) });
  });
  const first = await start();
  const { key } = await first.newAccount("5");
  const json = { model: "acme/video", prompt: "marmaladefox", duration: 5 };
  const headers = { prefer: "respond-async" };
  const queued = await call(`${first.base}/videos/generations`, { key, json, headers });
  expect([queued.status, queued.json.status]).toEqual([202, "queued"]);
  const path = `/videos/generations/${queued.json.id}`;
  await until(
    async () => upstream.received.some((request) => request.path === "/v1/videos/job-7"),
    (isPolled) => isPolled,
  );
  await first.close();
  isDone = true;

  const second = await start();
  const video = await until(
    () => call(`${second.base}${path}`, { key }),
    ({ json: state }) => state.status !== "running",
  );
  expect(video.json).toMatchObject({ status: "completed", unsigned_urls: ["https://v.example/7.mp4"] });
  expect(video.json.usage.cost).toBe(0.6);
  expect([starts, await second.balance(key)]).toEqual([1, "4.40"]);
  await second.close();

  const third = await start();
  expect((await call(`${third.base}${path}`, { key })).json).toMatchObject({
    status: "completed",
    unsigned_urls: ["https://v.example/7.mp4"],
  });
  const stranger = await third.newAccount("1");
  expect((await call(`${third.base}${path}`, { key: stranger.key })).status).toBe(404);
  expect(await third.balance(key)).toBe("4.40");
  await third.close();
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(
    files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes("marmaladefox")).map((f) => f.name),
  ).toEqual([]);
});

it("a video whose upstream has no jobs ends with the server, which says so and charges nothing", async () => {
  upstream.on("/v1/videos", () => {});
  const first = await start();
  const { key } = await first.newAccount("5");
  const json = { model: "acme/video", prompt: "a dog", duration: 5 };
  const queued = await call(`${first.base}/videos/generations`, { key, json, headers: { prefer: "respond-async" } });
  await first.close();
  const second = await start();
  const video = await call(`${second.base}/videos/generations/${queued.json.id}`, { key });
  expect(video.json).toMatchObject({ status: "failed", error: { message: expect.stringContaining("ended") } });
  expect(await second.balance(key)).toBe("5.00");
  await second.close();
});
