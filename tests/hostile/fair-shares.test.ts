import { once } from "node:events";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { call } from "../support/call.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ SVC_CONNECTIONS_PER_ADDRESS: "40" });
});
afterAll(() => server.close());

describe("connections of one address", () => {
  it("beyond its share are refused", async () => {
    const { port } = new URL(server.url);
    const sockets = Array.from({ length: 60 }, () => net.connect(Number(port), "127.0.0.1"));
    const closed = sockets.map((socket) => {
      socket.on("error", () => {});
      return once(socket, "close");
    });
    await expect.poll(() => sockets.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(40);
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  });
});

describe("a revoked key", () => {
  it("ends the streams that it opened", async () => {
    const { id, key } = await server.newKey(["realtime"]);
    const minted = await call(`${server.url}/v1/realtime/stt/auto`, { key, json: {} });
    expect(minted.status).toBe(200);
    const socket = new WebSocket(`${minted.json.stream_url}?token=${minted.json.token}`);
    await once(socket, "message");
    await server.admin("keys revoke", { id });
    const [code] = await once(socket, "close");
    expect(code).toBe(4401);
  });
});

describe("a stranger on a socket", () => {
  it("has a few kilobytes to say who it is", async () => {
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/v1/realtime/stt/stream`);
    await once(socket, "open");
    socket.on("error", () => {});
    socket.send(Buffer.alloc(500_000));
    const [code] = await once(socket, "close");
    expect([1006, 4401]).toContain(code);
  });
});

describe("a path that does not exist", () => {
  it("reserves nothing for the body that was announced", async () => {
    const { port } = new URL(server.url);
    const sockets = Array.from({ length: 30 }, () => {
      const socket = net.connect(Number(port), "127.0.0.1");
      socket.on("error", () => {});
      socket.write(
        "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n{",
      );
      return socket;
    });
    const body = new FormData();
    body.append("file", new Blob([Buffer.alloc(1_000_000)]), "a.wav");
    const { status } = await call(`${server.url}/v1/transcribe`, { key: server.key, body });
    expect([422, 502]).toContain(status);
    for (const socket of sockets) socket.destroy();
  });
});

describe("refusals", () => {
  it("wait for whoever goes on sending what is refused, and for nobody else", async () => {
    await server.admin("workspaces create", { name: "patient" });
    const other = await server.newKey(["all"], { workspace: "patient" });
    const refuse = async (key: string) => {
      const { status } = await call(`${server.url}/v1/chat`, {
        key,
        body: "[".repeat(3_900_000),
        headers: { "content-type": "application/json" },
      });
      return { status, key };
    };
    await Promise.all(Array.from({ length: 10 }, () => refuse(server.key)));
    const late = refuse(server.key);
    expect(await Promise.race([late, refuse(other.key)])).toEqual({ status: 400, key: other.key });
    expect(await late).toEqual({ status: 400, key: server.key });
  });
});

// Last: for a minute this address may not come with a key that it has not used before.
describe("unknown keys", () => {
  it("are slowed down by address, and keys that are known are not", async () => {
    await call(`${server.url}/v1/voices`, { key: server.key });
    const statuses: number[] = [];
    for (let n = 0; n < 130; n++) {
      statuses.push((await call(`${server.url}/v1/voices`, { key: `parl_guess${n}` })).status);
    }
    expect(statuses.slice(0, 120)).toEqual(Array(120).fill(401));
    expect(statuses.slice(121)).toEqual(Array(9).fill(429));
    expect((await call(`${server.url}/v1/voices`, { key: server.key })).status).toBe(200);
  });
});
