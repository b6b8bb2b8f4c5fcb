/** One section of an offer, as far as an answer depends on it. */
export interface OfferedMedia {
  readonly kind: string;
  readonly mid: string;
  readonly direction: "sendrecv" | "sendonly" | "recvonly" | "inactive";
  /** Where the section offers Opus. */
  readonly opusPayloadType: number | undefined;
  readonly firstPayloadType: number;
  readonly isRejected: boolean;
}

/** Reads the sections of an SDP offer (RFC 8866). */
export function readOffer(sdp: string): OfferedMedia[] {
  return sdp
    .split(/^m=/m)
    .slice(1)
    .map((section) => {
      const [kind = "", port = "0", , ...formats] = section.slice(0, section.search(/\r|\n|$/)).split(" ");
      const opus = /^a=rtpmap:(\d+) opus\/48000/im.exec(section)?.[1];
      const direction = /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(section)?.[1];
      return {
        kind,
        mid: /^a=mid:(\S+)/m.exec(section)?.[1] ?? "",
        direction: (direction ?? "sendrecv") as OfferedMedia["direction"],
        opusPayloadType: opus === undefined ? undefined : Number(opus),
        firstPayloadType: Number(formats[0] ?? 0),
        isRejected: port.trim() === "0" && !/^a=bundle-only/m.test(section),
      };
    });
}

/** Callers are told the address that they can reach instead of those that only this machine knows. Loopback is never told. */
export function announceAddress(sdp: string, announced: string | undefined): string {
  const seen = new Set<string>();
  return sdp
    .split(/\r?\n/)
    .flatMap((line) => {
      const candidate = /^a=candidate:(\S+) (\d+) (\S+) (\d+) (\S+) (\d+) typ (\S+)(.*)$/.exec(line);
      if (!candidate) return [line];
      const [, foundation, component, transport, priority, address, port, type, rest] = candidate;
      if (isLoopback(address!) && announced === undefined) return [];
      if (type !== "host" || announced === undefined) return [line];
      // All interfaces share the port behind the one announced address.
      const key = `${component} ${transport} ${port}`;
      if (seen.has(key)) return [];
      seen.add(key);
      return [`a=candidate:${foundation} ${component} ${transport} ${priority} ${announced} ${port} typ host${rest}`];
    })
    .join("\r\n");
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}
