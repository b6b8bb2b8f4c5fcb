import { createHmac } from "node:crypto";
import type { IceServer } from "../../ports/media.ts";

export interface RelaySettings {
  /** `stun:`, `turn:` and `turns:` addresses. */
  readonly urls: readonly string[];
  readonly secret: string | undefined;
}

/** Relays check credentials also when a call goes on, so they must outlast it. */
const validSeconds = 24 * 3600;

/** What both sides of a call may use to reach each other. Relays get credentials of limited life, made from the secret that they
 *  share with this server (the TURN REST API, as coturn's use-auth-secret takes them). */
export function iceServers({ urls, secret }: RelaySettings, id: string, nowMs: number): IceServer[] {
  const isRelay = (url: string) => /^turns?:/.test(url);
  const plain = urls.filter((url) => !isRelay(url));
  const relays = urls.filter(isRelay);
  const servers: IceServer[] = plain.length > 0 ? [{ urls: plain }] : [];
  if (relays.length === 0 || secret === undefined) return servers;
  const username = `${Math.floor(nowMs / 1000) + validSeconds}:${id}`;
  const credential = createHmac("sha1", secret).update(username).digest("base64");
  return [...servers, { urls: relays, username, credential }];
}
