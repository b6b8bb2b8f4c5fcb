import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, form } from "../support/call.ts";
import { makeKey, runCli } from "../support/run-cli.ts";
import { type HostileServer, startHostile } from "./hostile-server.ts";

let server: HostileServer;
let otherKey: string;
beforeAll(async () => {
  server = await startHostile({ SVC_BUFFERED_BYTES: "8MB", SVC_TRUSTED_PROXIES: "127.0.0.1" });
  await runCli(["workspaces", "create", "other"], { SVC_DATA_DIR: server.dataDir });
  otherKey = await makeKey(server.dataDir, {}, "other");
});
afterAll(() => server.stop());

/** A connection with the beginning of a request, and what the server says to it. */
async function begin(lines: readonly string[], body: string | Buffer = "") {
  const socket = net.connect({ port: Number(new URL(server.url).port), host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  await once(socket, "connect");
  let heard = "";
  socket.on("data", (bytes) => {
    heard += bytes.toString("latin1");
  });
  socket.write(lines.join("\r\n"));
  socket.write(body);
  return { socket, heard: () => heard };
}

const offer = (path: string, address: string, bytes: number) => [
  `POST ${path} HTTP/1.1`,
  "Host: x",
  `X-Forwarded-For: ${address}`,
  "Content-Type: application/json",
  `Content-Length: ${bytes}`,
  "",
  "",
];
const statusOf = (heard: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 0);
const upload = (key: string, bytes: number) =>
  call(`${server.url}/v1/transcribe`, {
    key,
    body: form({ file: new Blob([Buffer.alloc(bytes)], { type: "audio/wav" }), language: "en" }),
  });

describe("a stranger with a token that opens nothing", () => {
  it("is refused before the body, however much of it is announced, and takes no room from uploads", async () => {
    const strangers = await Promise.all(
      Array.from({ length: 280 }, (_, n) =>
        begin(offer("/v1/realtime/session/offer?token=x", `192.0.2.${n % 250}`, 60_000), "{"),
      ),
    );
    for (const { heard } of strangers) await expect.poll(() => statusOf(heard())).toBe(401);
    expect((await upload(server.key, 4_000_000)).status).not.toBe(429);
    const large = await begin(offer("/v1/realtime/session/offer?token=x", "192.0.2.251", 1_000_000), "{");
    await expect.poll(() => statusOf(large.heard())).toBe(413);
    for (const { socket } of [...strangers, large]) socket.destroy();
  });

  it("is told to wait after 120 of them in a minute, by offers, candidates and whatever its address within a /64", async () => {
    const guess = async (method: string, address: string) => {
      const token = `prt_${randomBytes(20).toString("hex")}`;
      const url = `${server.url}/v1/realtime/session/offer?token=${token}`;
      return (await call(url, { method, json: {}, headers: { "x-forwarded-for": address } })).status;
    };
    const statuses: number[] = [];
    for (let n = 0; n < 130; n++) statuses.push(await guess(n % 2 ? "POST" : "PATCH", `2001:db8::${n.toString(16)}`));
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await guess("POST", "2001:db8:0:1::1")).toBe(401);
  });
});

describe("bodies that fill the memory for uploads", () => {
  it("and stand still give way to one that comes", async () => {
    const slow = await Promise.all(
      [0, 1, 2].map((n) =>
        begin(
          [
            "POST /v1/chat HTTP/1.1",
            "Host: x",
            `Authorization: Bearer ${n < 2 ? server.key : otherKey}`,
            "Content-Type: application/json",
            "Content-Length: 4400000",
            "",
            "",
          ],
          Buffer.alloc(n < 2 ? 1_900_000 : 3_800_000, " "),
        ),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(slow.map(({ heard }) => statusOf(heard()))).toEqual([0, 0, 0]);
    expect((await upload(otherKey, 2_000_000)).status).not.toBe(429);
    await expect.poll(() => slow.some(({ heard }) => statusOf(heard()) === 429)).toBe(true);
    for (const { socket } of slow) socket.destroy();
  });
});

describe("half a request", () => {
  it("gets its 408, and its descriptor is free although the client never hangs up", async () => {
    const descriptors = () => readdirSync(`/proc/${server.pid}/fd`).length;
    const before = descriptors();
    const halves = await Promise.all(Array.from({ length: 100 }, () => begin(["GET /healthz HT"])));
    await expect.poll(descriptors).toBeGreaterThan(before + 90);
    for (const { heard } of halves) await expect.poll(() => statusOf(heard()), { timeout: 120_000 }).toBe(408);
    await expect.poll(descriptors).toBeLessThan(before + 20);
    for (const { socket } of halves) socket.destroy();
  });
});
