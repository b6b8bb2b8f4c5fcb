import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { NodeServer } from "./node-server.ts";

async function open(): Promise<NodeServer> {
  const server = new NodeServer({}, (_request, response) => response.end("{}"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return server;
}

function connect(server: NodeServer): net.Socket {
  return net.connect((server.address() as AddressInfo).port, "127.0.0.1");
}

const hear = async (socket: net.Socket) => String((await once(socket, "data"))[0]);
const get = (...headers: string[]) => ["GET / HTTP/1.1", ...headers, "", ""].join("\r\n");
const upgrade = ["Connection: Upgrade", "Upgrade: websocket"];

it.each([
  ["two hosts", get("Host: x", "Host: x"), "more than once"],
  ["two hosts in other letters", get("Host: x", "hOST: y"), "more than once"],
  ["two hosts, one of them empty, by HTTP/1.0", get("Host: x", "Host:").replace("1.1", "1.0"), "more than once"],
  ["two hosts and the wish for a socket", get("Host: x", "host: y", ...upgrade), "more than once"],
  ["no host", get("X: y"), "missing"],
])("a request with %s is a 400 that says so", async (_, text, message) => {
  const socket = connect(await open());
  socket.write(text);
  const heard = await hear(socket);
  expect(heard).toMatch(/^HTTP\/1\.1 400 /);
  expect(heard).toContain(message);
});

it("a request that offers another protocol is answered in this one, with its body", async () => {
  const server = new NodeServer({}, (request, response) => void request.pipe(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const socket = connect(server);
  const offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA";
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${offer}\r\nContent-Length: 5\r\n\r\nhello`);
  let heard = "";
  for await (const bytes of socket) {
    heard += bytes;
    if (heard.endsWith("0\r\n\r\n")) break;
  }
  expect(heard).toMatch(/^HTTP\/1\.1 200 /);
  expect(heard).toContain("\r\nhello\r\n");
});

it("from when the server is to end, replies say that their connection ends", async () => {
  const server = await open();
  const socket = connect(server);
  socket.write(get("Host: x"));
  expect(await hear(socket)).toMatch(/^connection: keep-alive\r$/im);
  server.isEnding = true;
  socket.write(get("Host: x"));
  const heard = await hear(socket);
  expect(heard.match(/^(?:connection|keep-alive):.*$/gim)).toEqual(["Connection: close"]);
  await once(socket, "end");
});
