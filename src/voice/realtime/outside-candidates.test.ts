import { expect, it } from "vitest";
import { isOutside, keepOutside } from "./outside-candidates.ts";

const at = (address: string) => `candidate:1 1 UDP 2122317823 ${address} 5000 typ host`;

it.each([
  "127.0.0.1",
  "127.9.9.9",
  "::1",
  "0.0.0.0",
  "::",
  "::ffff:127.0.0.1",
  "localhost",
  "db.internal",
  "5f1c.local",
  "",
])("a candidate at %s is not probed for a caller from elsewhere", (address) =>
  expect(isOutside(at(address))).toBe(false),
);

it.each(["192.0.2.1", "10.1.2.3", "2001:db8::1"])("a candidate at %s is", (address) => {
  expect(isOutside(at(address))).toBe(true);
});

it("an offer keeps everything else, byte for byte", () => {
  const lines = [
    "v=0\r\n",
    "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n",
    `a=${at("192.0.2.1")}\r\n`,
    "a=end-of-candidates\r\n",
  ];
  const own = `a=${at("127.0.0.1")}\r\n`;
  expect(keepOutside([lines[0], own, lines[1], own, lines[2], lines[3]].join(""))).toBe(lines.join(""));
});
