import type { Server } from "node:http";
import { BlockList, isIP, type Socket } from "node:net";
import type { Log } from "../log.ts";
import { strangerOf } from "./stranger-of.ts";

const tellEveryMs = 60_000;

/** Refuses connections beyond so many of one address, and beyond what the server has descriptors for, before a byte of them is read. Reverse proxies, behind which everybody has
 *  the same address, are exempt. */
export function limitConnections(
  server: Server,
  options: { most: number; mostInAll: number; isExempt(address: string): boolean; log: Log },
): void {
  const open = new Map<string, number>();
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const tell = (fields: object, message: string) => {
    if (performance.now() - toldAtMs < tellEveryMs) return;
    toldAtMs = performance.now();
    options.log.warn(fields, message);
  };
  server.maxConnections = options.mostInAll;
  server.on("drop", () =>
    tell({ most: options.mostInAll }, "connections are refused: too many are open (SVC_CONNECTIONS)"),
  );
  server.prependListener("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || options.isExempt(remoteAddress)) return;
    const address = strangerOf(remoteAddress);
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once("close", () => {
      const left = open.get(address)! - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count <= options.most) return;
    socket.destroy();
    tell(
      { address, most: options.most },
      "connections of one address are refused; a reverse proxy belongs into SVC_TRUSTED_PROXIES",
    );
  });
}

const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** Whether an address is among these, which are written as SVC_TRUSTED_PROXIES is: addresses, ranges, or names of ranges. */
export function addressMatcher(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries.flatMap((one) => (Object.hasOwn(namedRanges, one) ? namedRanges[one]! : [one]))) {
    const [address = "", prefix] = entry.split("/");
    const family = familyOf(address);
    if (family && prefix !== undefined) list.addSubnet(address, Number(prefix), family);
    else if (family) list.addAddress(address, family);
  }
  return (given) => {
    const address = given.replace(/^::ffff:(?=\d+\.)/i, "");
    const family = familyOf(address);
    return family !== undefined && list.check(address, family);
  };
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? "ipv4" : "ipv6";
}
