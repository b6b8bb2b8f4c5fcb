import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { localhostCertificate, localhostKey } from "../../../tests/support/localhost-certificate.ts";
import { readWhole, type UpstreamClient, type UpstreamReply } from "../../ports/model-upstream.ts";
import { createUpstreamClient } from "./undici-client.ts";

const call = { method: "POST" as const, path: "/x", headers: { "x-a": "1" }, body: Buffer.from("hello") };
const hasVersion6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));

const create = createUpstreamClient;

describe("the way to an upstream", () => {
  let server: http.Server;
  let client: UpstreamClient;
  let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void;
  const open = (port: number) => create({ origin: `http://127.0.0.1:${port}`, silenceMs: 60_000 });
  beforeAll(async () => {
    server = http.createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    client = open((server.address() as AddressInfo).port);
  });
  afterAll(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("takes a request there and brings the reply back, with its headers in any case and the first of several", async () => {
    answer = (request, response) => {
      response.writeHead(201, [
        ["Content-Type", "text/plain"],
        ["X-Twice", "one"],
        ["x-twice", "two"],
      ] as never);
      request.pipe(response);
    };
    const { head, text } = await hear(client);
    expect([head.status, text]).toEqual([201, "hello"]);
    expect([head.header("content-type"), head.header("x-twice"), head.header("x-none")]).toEqual([
      "text/plain",
      "one",
      undefined,
    ]);
  });

  it("does not take what is said on the way for the reply", async () => {
    answer = (_request, response) => {
      response.writeProcessing();
      response.end("done");
    };
    const { head, text } = await hear(client);
    expect([head.status, text]).toEqual([200, "done"]);
  });

  it("brings nothing that nobody reads, and all of it afterwards", async () => {
    const whole = "x".repeat(900_000);
    answer = (_request, response) => void response.end(whole);
    const { text } = await hear(client, () => pause(50));
    expect(text.length).toBe(whole.length);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("undoes %s, which nobody asked for", async (encoding, compress) => {
    const whole = "word ".repeat(200_000);
    answer = (_request, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      response.end(compress(whole));
    };
    expect((await hear(client, () => pause(20))).text).toBe(whole);
  });

  it("tells of a reply that was broken off, by either side", async () => {
    answer = (_request, response) => {
      response.writeHead(200);
      response.write("half");
    };
    await expect(hear(client, (reply) => reply.cancel())).rejects.toThrow("cancelled");
    const caller = new AbortController();
    const reply = await client.ask(call, caller.signal);
    expect(String(await reply.read())).toBe("half");
    const reading = reply.read();
    caller.abort(new Error("gone"));
    await expect(reading).rejects.toThrow("gone");
    await expect(client.ask(call, caller.signal)).rejects.toThrow("gone");
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    };
    await expect(hear(client)).rejects.toThrow();
  });

  it("tells of a host that is not there, and of a client that is closed", async () => {
    const gone = http.createServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const nowhere = open((gone.address() as AddressInfo).port);
    await new Promise((resolve) => gone.close(resolve));
    await expect(hear(nowhere)).rejects.toThrow(/ECONNREFUSED/);
    await nowhere.close();
    await expect(hear(nowhere)).rejects.toThrow(/destroyed/);
  });

  it("gives up an upstream that is silent, but not one that it holds up itself", async () => {
    const size = 900_000;
    let sent = 1;
    const { client: own, close } = await openRaw((socket) => {
      socket.on("data", () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n${"x".repeat(sent)}`);
      });
    }, 200);
    await expect(hear(own)).rejects.toThrow("silent");
    sent = size;
    const { text } = await hear(own, () => pause(800));
    expect(text.length).toBe(size);
    await close();
  });

  it("frees the connection at once when it is broken off", async () => {
    let closedAt = 0;
    const { client: own, close } = await openRaw((socket) => {
      socket.on("data", () => void socket.write("HTTP/1.1 200 OK\r\n\r\nfor ever"));
      socket.on("close", () => {
        closedAt = performance.now();
      });
    });
    const startedAt = performance.now();
    await expect(hear(own, (reply) => reply.cancel())).rejects.toThrow("cancelled");
    await expect.poll(() => closedAt).toBeGreaterThan(startedAt);
    await close();
  });

  it("speaks TLS with hosts that prove their name, and with no others", async () => {
    const safe = https.createServer({ cert: localhostCertificate, key: localhostKey }, (_request, response) =>
      response.end("x".repeat(100_000)),
    );
    await new Promise<void>((resolve) => safe.listen(0, "localhost", resolve));
    const origin = `https://localhost:${(safe.address() as AddressInfo).port}`;
    const trusting = create({ origin, silenceMs: 60_000, ca: localhostCertificate });
    expect((await hear(trusting)).text.length).toBe(100_000);
    const strict = create({ origin, silenceMs: 60_000 });
    await expect(hear(strict)).rejects.toThrow(/self-signed/);
    const numbers = create({
      origin: origin.replace("localhost", "127.0.0.1"),
      silenceMs: 60_000,
      ca: localhostCertificate,
    });
    await expect(hear(numbers)).rejects.toThrow(/altnames/);
    for (const one of [trusting, strict, numbers]) await one.close();
    safe.closeAllConnections();
    await new Promise((resolve) => safe.close(resolve));
  });

  it.skipIf(!hasVersion6)("finds hosts by addresses of version 6", async () => {
    const six = http.createServer((request, response) => response.end(request.headers.host));
    await new Promise<void>((resolve) => six.listen(0, "::1", resolve));
    const { port } = six.address() as AddressInfo;
    const own = create({ origin: `http://[::1]:${port}`, silenceMs: 60_000 });
    expect((await hear(own)).text).toBe(`[::1]:${port}`);
    await own.close();
    six.closeAllConnections();
    await new Promise((resolve) => six.close(resolve));
  });

  it("goes by the proxy of the environment, which is told the host", async () => {
    const told: string[] = [];
    answer = (request, response) => void response.end(`hello ${request.headers.host}`);
    const proxy = http.createServer();
    proxy.on("connect", (request, socket) => {
      told.push(request.url!);
      const through = net.connect((server.address() as AddressInfo).port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(through).pipe(socket);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const own = createUpstreamClient({ origin: "http://upstream.example", silenceMs: 60_000 });
    const direct = open((server.address() as AddressInfo).port);
    vi.unstubAllEnvs();
    expect((await hear(own)).text).toBe("hello upstream.example");
    expect((await hear(direct)).text).toMatch(/^hello 127/);
    expect(told).toEqual(["upstream.example:80"]);
    await Promise.all([own.close(), direct.close()]);
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });

  it("uses connections again", async () => {
    let connections = 0;
    const { client, close } = await openRaw((socket) => {
      connections += 1;
      socket.on("data", () => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
    });
    for (let n = 0; n < 20; n++) expect((await hear(client)).text).toBe("ok");
    // A reply ends a moment before its connection is free again.
    expect(connections).toBeLessThanOrEqual(2);
    await close();
  });
});

/** Asks, and reads all of the reply. */
async function hear(
  through: UpstreamClient,
  onHead: (reply: UpstreamReply) => unknown = () => {},
  body = call.body,
): Promise<{ head: UpstreamReply; text: string }> {
  const head = await through.ask({ ...call, body }, new AbortController().signal);
  await onHead(head);
  return { head, text: (await readWhole(head, 1e9)).toString() };
}

/** An upstream that does what no decent server does. */
async function openRaw(serve: (socket: net.Socket) => void, silenceMs = 60_000) {
  const sockets = new Set<net.Socket>();
  const raw = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
  const own = create({ origin: `http://127.0.0.1:${(raw.address() as AddressInfo).port}`, silenceMs });
  return {
    client: own,
    async close() {
      await own.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => raw.close(resolve));
    },
  };
}
