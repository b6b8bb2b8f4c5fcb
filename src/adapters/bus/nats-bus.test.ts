import { expect, it } from "vitest";
import { credentialsOf } from "./nats-bus.ts";

const of = (...urls: string[]) => {
  const { username, password } = credentialsOf(urls.map((url) => new URL(url)));
  return [username, password];
};

it("the password of NATS counts for every address, whichever has it", () => {
  expect(of("nats://a", "nats://me:secret@b")).toEqual(["me", "secret"]);
  expect(of("nats://me:secret@a", "nats://me:secret@b")).toEqual(["me", "secret"]);
  expect(of("nats://a", "nats://b")).toEqual(["", ""]);
});

it("different passwords for the addresses of NATS are refused instead of one of them left out", () => {
  expect(() => of("nats://me:one@a", "nats://me:two@b")).toThrow("different users or passwords");
});
