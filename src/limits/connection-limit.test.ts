import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { answerUnreadable } from "../platform/http/unreadable-request.ts";
import { silentLog } from "../platform/log.ts";
import { limitConnections, maxConnections } from "./connection-limit.ts";

async function open(limits: { max: number; maxInAll: number }) {
  const server = http.createServer(() => {}).on("clientError", answerUnreadable as never);
  const sockets: net.Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  limitConnections(server, { ...limits, isExempt: () => true, log: silentLog });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A client that never closes its own side.
  const connect = () =>
    net.connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
  return { server, connect };
}

const countOpen = (server: net.Server) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

it("a client that is no HTTP gets its answer, and its descriptor is free although it never hangs up", async () => {
  const { server, connect } = await open({ max: 10, maxInAll: 10 });
  const socket = connect().setEncoding("utf8");
  socket.write("\u0016\u0003 not HTTP\r\n\r\n");
  const [answer] = await once(socket, "data");
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  await expect.poll(() => countOpen(server)).toBe(0);
  socket.destroy();
});

it("connections beyond the ceiling are closed, whatever address they come from", async () => {
  const { server, connect } = await open({ max: 10, maxInAll: 3 });
  const sockets = Array.from({ length: 3 }, connect);
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await expect.poll(() => countOpen(server)).toBe(3);
  const refused = connect().resume();
  refused.on("error", () => {});
  await once(refused, "end").catch(() => {});
  expect(await countOpen(server)).toBe(3);
  for (const socket of [...sockets, refused]) socket.destroy();
});

it("the ceiling is half of the descriptors, and never beyond what memory could serve", () => {
  const limits = (soft: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}                 65536                files\n`;
  expect(maxConnections(limits("8192"))).toBe(4096);
  expect(maxConnections(limits("1073741816"))).toBe(50_000);
  expect(maxConnections("")).toBe(4096);
});
