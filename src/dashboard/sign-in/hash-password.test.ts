import { describe, expect, it } from "vitest";
import { hashPassword, isPassword, nobody } from "./hash-password.ts";

describe("passwords", () => {
  it("are kept as argon2id with a salt of their own", async () => {
    const [one, other] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await isPassword("correct horse", one)).toBe(true);
    expect(await isPassword("correct horsf", one)).toBe(false);
  });

  it("are the same however a keyboard composes them", async () => {
    expect(await isPassword("cafe\u0301 au lait", await hashPassword("caf\u00e9 au lait"))).toBe(true);
  });

  it("of nobody cost the same work as a wrong one of somebody", async () => {
    const costOf = (stored: string) => stored.split("$").slice(0, 4);
    expect(costOf(nobody)).toEqual(costOf(await hashPassword("correct horse")));
    expect(await isPassword("wrong", undefined)).toBe(false);
  });

  it("wait their turn when many come at once, and the last are asked to come back", async () => {
    const tries = await Promise.allSettled(Array.from({ length: 32 }, () => isPassword("x", undefined)));
    const refused = tries.filter(({ status }) => status === "rejected");
    // One or two are worked on at once, which depends on the machine's cores.
    expect([32 - 2 - 24, 32 - 1 - 24]).toContain(refused.length);
    expect(String((refused[0] as PromiseRejectedResult).reason)).toContain("Try again");
  });
});
