import type { IncomingMessage } from "node:http";
import { addressMatcher } from "../client-address.ts";

const isLoopback = addressMatcher(["loopback"]);
/** A proxy on this machine adds at least one of them. */
const forwardedBy = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** Whether a request comes from this very machine, and no proxy forwards it. */
export function isFromHere({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">): boolean {
  return isLoopback(socket.remoteAddress ?? "") && forwardedBy.every((name) => headers[name] === undefined);
}
