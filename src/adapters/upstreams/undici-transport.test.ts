import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UpstreamFlow, UpstreamHead, UpstreamTransport } from "../../ports/model-upstream.ts";
import { createUndiciTransport } from "./undici-transport.ts";

let server: http.Server;
let transport: UpstreamTransport;
let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void;
beforeAll(async () => {
  server = http.createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  transport = open((server.address() as AddressInfo).port);
});
afterAll(async () => {
  await transport.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const open = (port: number) => createUndiciTransport({ origin: `http://127.0.0.1:${port}`, silenceMs: 60_000 });
const call = { method: "POST" as const, path: "/x", headers: { "x-a": "1" }, body: Buffer.from("hello") };

interface Heard {
  head: UpstreamHead;
  text: string;
}

function hear(through: UpstreamTransport, onHead: (flow: UpstreamFlow, abort: () => void) => void = () => {}) {
  let head: UpstreamHead | undefined;
  let text = "";
  return new Promise<Heard>((resolve, reject) => {
    let hasReturned = false;
    const abort = through.send(call, {
      onHead(given, flow) {
        head = given;
        onHead(flow, () => abort());
      },
      onData(chunk) {
        text += chunk;
      },
      onEnd: () => resolve({ head: head!, text }),
      onFailure: (error) => reject(hasReturned ? error : new Error("called back too soon")),
    });
    hasReturned = true;
  });
}

describe("the way to an upstream", () => {
  it("takes a request there and brings the reply back, with its headers in any case and the first of several", async () => {
    answer = (request, response) => {
      response.writeHead(201, [
        ["Content-Type", "text/plain"],
        ["X-Twice", "one"],
        ["x-twice", "two"],
      ] as never);
      request.pipe(response);
    };
    const { head, text } = await hear(transport);
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
    const { head, text } = await hear(transport);
    expect([head.status, text]).toEqual([200, "done"]);
  });

  it("brings nothing while it is paused, and all of it afterwards", async () => {
    const whole = "x".repeat(500_000);
    answer = (_request, response) => void response.end(whole);
    const { text } = await hear(transport, (flow) => {
      flow.pause();
      setImmediate(() => flow.resume());
    });
    expect(text.length).toBe(whole.length);
  });

  it("tells of a reply that was broken off, by either side", async () => {
    answer = (_request, response) => {
      response.writeHead(200);
      response.write("half");
    };
    await expect(hear(transport, (_flow, abort) => abort())).rejects.toThrow("broken off");
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    };
    await expect(hear(transport)).rejects.toThrow();
  });

  it("tells of a host that is not there, and of a transport that is closed, never before it has returned", async () => {
    const gone = http.createServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const nowhere = open((gone.address() as AddressInfo).port);
    await new Promise((resolve) => gone.close(resolve));
    await expect(hear(nowhere)).rejects.toThrow(/ECONNREFUSED/);
    await nowhere.close();
    await expect(hear(nowhere)).rejects.toThrow(/destroyed/);
  });
});
