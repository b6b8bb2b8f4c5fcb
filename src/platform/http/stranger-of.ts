import { isIPv6 } from "node:net";

/** A proxy's header may hold anything. */
const longestAddress = 60;

/** Whom limits by address count: one machine or household may send from any of the 2^64 addresses of its IPv6 network (RFC 6177), so
 *  these are one. */
export function strangerOf(address: string): string {
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
