import { expect, it } from "vitest";
import { iceServers } from "./ice-servers.ts";

it("without any address there are no servers", () => {
  expect(iceServers({ urls: [], secret: "s" }, "rts_1", 0)).toEqual([]);
});

it("STUN needs no credentials", () => {
  expect(iceServers({ urls: ["stun:a:3478"], secret: undefined }, "rts_1", 0)).toEqual([{ urls: ["stun:a:3478"] }]);
});

it("relays get a name that says until when it is good, and the secret's signature under it", () => {
  const urls = ["stun:a:3478", "turn:a:3478?transport=udp", "turns:a:5349"];
  // The signature is that of `printf '1700086400:rts_1' | openssl dgst -sha1 -hmac north -binary | base64`.
  expect(iceServers({ urls, secret: "north" }, "rts_1", 1_700_000_000_000)).toEqual([
    { urls: ["stun:a:3478"] },
    {
      urls: ["turn:a:3478?transport=udp", "turns:a:5349"],
      username: "1700086400:rts_1",
      credential: "ahEaiT/W8yWs5hTukrNnCM8bpHw=",
    },
  ]);
});
