import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../platform/client-address.ts";
import type { Log } from "../platform/log.ts";

const tellEveryMs = 60_000;

/** Refuses connections beyond so many of one address, and beyond what the server has descriptors for, before a byte of them is read. Reverse proxies, behind which everybody has
 *  the same address, are exempt. */
export function limitConnections(
  server: Server,
  options: { max: number; maxInAll: number; isExempt(address: string): boolean; log: Log },
): void {
  const open = new Map<string, number>();
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const tell = (fields: object, message: string) => {
    if (performance.now() - toldAtMs < tellEveryMs) return;
    toldAtMs = performance.now();
    options.log.warn(fields, message);
  };
  server.maxConnections = options.maxInAll;
  server.on("drop", () =>
    tell({ max: options.maxInAll }, "connections are refused: too many are open (SVC_CONNECTIONS)"),
  );
  server.prependListener("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || options.isExempt(remoteAddress)) return;
    const address = networkOf(remoteAddress);
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once("close", () => {
      const left = open.get(address)! - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count <= options.max) return;
    socket.destroy();
    tell(
      { address, most: options.max },
      "connections of one address are refused; a reverse proxy belongs into SVC_TRUSTED_PROXIES",
    );
  });
}

/** macOS and others do not tell; most systems allow at least twice this. */
const whereUnknown = 4096;
/** Some containers allow a thousand million descriptors, which no memory could serve. A guess. */
const mostSensible = 50_000;

/** How many connections the server takes in all: half of the descriptors that it may have, because a request may need another connection
 *  to an upstream, and files, engines and the database need some. Without descriptors nothing works, not even a refusal. */
export function maxConnections(limits: string = readLimits()): number {
  const descriptors = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return Math.min(mostSensible, descriptors ? Math.floor(Number(descriptors) / 2) : whereUnknown);
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
