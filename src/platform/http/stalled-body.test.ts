import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endStalledBody } from "./stalled-body.ts";

const server = http.createServer((request, response) => {
  endStalledBody(request, 1500);
  request.resume().once("end", () => response.end("thanks"));
});
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => server.close());

function begin(): net.Socket {
  const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1").setEncoding("utf8");
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12");
  return socket;
}

describe("a body", () => {
  it("that stops coming ends with 408 and a closed connection", async () => {
    const socket = begin();
    const [answer] = await once(socket, "data");
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    await once(socket, "close");
  });

  it("that comes slowly but steadily is read to its end", async () => {
    const socket = begin();
    const sending = setInterval(() => socket.write("x"), 300);
    const [answer] = await once(socket, "data");
    clearInterval(sending);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});
