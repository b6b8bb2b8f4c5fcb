import { describe, expect, it } from "vitest";
import { announceAddress, readOffer } from "./session-description.ts";

const offer = [
  "v=0",
  "m=audio 9 UDP/TLS/RTP/SAVPF 109 9 0",
  "a=mid:0",
  "a=recvonly",
  "a=rtpmap:109 opus/48000/2",
  "m=video 9 UDP/TLS/RTP/SAVPF 96 97",
  "a=mid:1",
  "a=sendrecv",
  "m=audio 0 UDP/TLS/RTP/SAVPF 8",
  "a=mid:2",
  "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
  "a=mid:3",
  "",
].join("\r\n");

describe("an offer", () => {
  it("is read section by section", () => {
    expect(
      readOffer(offer).map(({ kind, mid, direction, opusPayloadType, isRejected }) => {
        return [kind, mid, direction, opusPayloadType, isRejected];
      }),
    ).toEqual([
      ["audio", "0", "recvonly", 109, false],
      ["video", "1", "sendrecv", undefined, false],
      ["audio", "2", "sendrecv", undefined, true],
      ["application", "3", "sendrecv", undefined, false],
    ]);
  });

  it("of nothing has no sections", () => {
    expect(readOffer("")).toEqual([]);
  });
});

describe("the candidates of an answer", () => {
  const host = (address: string, port = 5000) => `a=candidate:1 1 UDP 2122317823 ${address} ${port} typ host`;
  const relay = "a=candidate:4 1 UDP 8331263 198.51.100.1 40000 typ relay raddr 0.0.0.0 rport 0";

  it("are as they are, without loopback", () => {
    const sdp = ["a=mid:0", host("10.0.0.2"), host("127.0.0.1"), host("::1"), relay].join("\r\n");
    expect(announceAddress(sdp, undefined)).toBe(["a=mid:0", host("10.0.0.2"), relay].join("\r\n"));
  });

  it("carry the announced address once, and keep the relay", () => {
    const sdp = [host("10.0.0.2"), host("172.17.0.1"), host("10.0.0.2", 6000), relay].join("\r\n");
    expect(announceAddress(sdp, "203.0.113.7")).toBe(
      [host("203.0.113.7"), host("203.0.113.7", 6000), relay].join("\r\n"),
    );
  });
});
