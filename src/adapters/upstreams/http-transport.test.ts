import type { Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { hear, openRaw, upstreamTransportContract } from "../../ports/model-upstream.contract.ts";
import { createHttpTransport } from "./http-transport.ts";
import { createUndiciTransport } from "./undici-transport.ts";

upstreamTransportContract("our own client", createHttpTransport);
upstreamTransportContract("undici", createUndiciTransport);

describe("our own client", () => {
  it("uses a connection again, and none that was closed or said too much", async () => {
    let connections = 0;
    let after = "";
    const { transport: own, close } = await openRaw(createHttpTransport, (socket) => {
      connections += 1;
      socket.on("data", () => void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok${after}`));
    });
    for (let n = 0; n < 3; n++) expect((await hear(own)).text).toBe("ok");
    expect(connections).toBe(1);
    after = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil";
    expect((await hear(own)).text).toBe("ok");
    after = "";
    expect((await hear(own)).text).toBe("ok");
    expect(connections).toBe(2);
    await close();
  });

  it("never takes what is read before a request was sent for its reply", async () => {
    const reply = (text: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
    const sockets: Socket[] = [];
    const { transport: own, close } = await openRaw(createHttpTransport, (socket) => {
      sockets.push(socket);
      socket.on("data", () => void socket.write(reply("asked for")));
    });
    await hear(own);
    // From a timer: what lies there is read before anything is sent.
    await new Promise((resolve) => setTimeout(resolve, 5));
    sockets[0]!.write(reply("forged"));
    expect((await hear(own)).text).toBe("asked for");
    expect(sockets.length).toBe(2);
    await close();
  });

  it("asks once more, on a new connection, when a used one ends without a word", async () => {
    let requests = 0;
    const { transport: own, close } = await openRaw(createHttpTransport, (socket) => {
      let isUsed = false;
      socket.on("data", () => {
        requests += 1;
        if (isUsed) socket.destroy();
        else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        isUsed = true;
      });
    });
    await hear(own);
    expect((await hear(own)).text).toBe("ok");
    expect(requests).toBe(3);
    await close();
  });

  it("does not ask again when a used one has had the time to work on the request", async () => {
    let requests = 0;
    const now = performance.now.bind(performance);
    const { transport: own, close } = await openRaw(createHttpTransport, (socket) => {
      socket.on("data", () => {
        requests += 1;
        if (requests === 1) return void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        vi.spyOn(performance, "now").mockImplementation(() => now() + 2_000);
        socket.destroy();
      });
    });
    await hear(own);
    await expect(hear(own)).rejects.toThrow();
    vi.restoreAllMocks();
    expect(requests).toBe(2);
    await close();
  });

  it("does not ask again when a new connection ends, or one that has begun to answer", async () => {
    let requests = 0;
    let words = "";
    const { transport: own, close } = await openRaw(createHttpTransport, (socket) => {
      socket.on("data", () => {
        requests += 1;
        socket.end(words);
      });
    });
    await expect(hear(own)).rejects.toThrow("too soon");
    words = "HTTP/1.1 200";
    await expect(hear(own)).rejects.toThrow("too soon");
    expect(requests).toBe(2);
    await close();
  });

  it("reads a refusal that comes before the request is complete, and leaves that connection", async () => {
    let connections = 0;
    const { transport: own, close } = await openRaw(createHttpTransport, (socket) => {
      connections += 1;
      socket.once("data", () => {
        socket.pause();
        socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n");
      });
    });
    const large = Buffer.alloc(20_000_000);
    expect((await hear(own, undefined, large)).head.status).toBe(413);
    expect((await hear(own, undefined, large)).head.status).toBe(413);
    expect(connections).toBe(2);
    await close();
  });

  it("refuses to write a header that would be two", async () => {
    const odd = { method: "POST" as const, path: "/x", headers: { "x-a": "1\r\nx-b: 2" } };
    const receiver = { onHead() {}, onData() {}, onEnd() {}, onFailure() {} };
    const transport = createHttpTransport({ origin: "http://127.0.0.1:1", silenceMs: 60_000 });
    expect(() => transport.send(odd, receiver)).toThrow("x-a");
    await transport.close();
  });
});
