import { BlockList, isIP, isIPv6 } from "node:net";

/** A proxy's header may hold anything. */
const longestAddress = 60;

/** Whom limits by address count: one machine or household may send from any of the 2^64 addresses of its IPv6 network (RFC 6177), so
 *  these are one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return address.slice(0, longestAddress);
  const [head = "", tail] = plain.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  // An IPv4 address at the end fills two groups, none of which is in the network.
  const groupsOf = (text: string) => text.split(":").flatMap((group) => (group.includes(".") ? ["0", "0"] : [group]));
  const after = tail === undefined || tail === "" ? [] : groupsOf(tail);
  const zeros = tail === undefined ? [] : new Array(8 - before.length - after.length).fill("0");
  const network = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
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
