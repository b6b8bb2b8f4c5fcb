import { isIP } from "node:net";
import { addressMatcher } from "../../platform/client-address.ts";

/** Systems take "any address" for their own. */
const isOwn = addressMatcher(["loopback", "0.0.0.0/8", "::"]);

/** Whether media may send to where an ICE candidate says (RFC 8839, 5.1). A caller from elsewhere has no business at this machine's own
 *  addresses, and a name would be looked up for whoever asks. */
export function isOutside(candidate: string): boolean {
  const address = candidate.trim().split(/\s+/)[4] ?? "";
  return isIP(address) !== 0 && !isOwn(address);
}

/** An offer without the candidates that a caller from elsewhere may not name. */
export function keepOutside(sdp: string): string {
  return sdp
    .split(/(?<=\n)/)
    .filter((line) => !/^\s*a=candidate:/i.test(line) || isOutside(line))
    .join("");
}
