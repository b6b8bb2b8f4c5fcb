import { expect, it } from "vitest";
import { networkOf } from "./client-address.ts";
import { makeRoom } from "./make-room.ts";

it.each([
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::/64"],
  ["2001:db8::7", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["2001:db8:1:2:3:4:192.0.2.1", "2001:db8:1:2::/64"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["192.0.2.1", "192.0.2.1"],
  ["what a proxy made up", "what a proxy made up"],
])("%s is the stranger %s", (address, stranger) => {
  expect(networkOf(address)).toBe(stranger);
});

it("a full table forgets its oldest and keeps everybody else", () => {
  const table = new Map(Array.from({ length: 3 }, (_, n) => [n, n]));
  makeRoom(table, 3);
  expect([...table.keys()]).toEqual([1, 2]);
  makeRoom(table, 3);
  expect(table.size).toBe(2);
});
