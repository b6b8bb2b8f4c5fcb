import { describe, expect, it } from "vitest";
import { hashPassword, isPassword } from "./hash-password.ts";

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

  it("of nobody take about as long as a wrong one of somebody", async () => {
    const stored = await hashPassword("correct horse");
    const time = async (against: string | undefined) => {
      const began = performance.now();
      for (let n = 0; n < 3; n++) expect(await isPassword("wrong", against)).toBe(false);
      return performance.now() - began;
    };
    await time(stored);
    const [known, unknown] = [await time(stored), await time(undefined)];
    expect(unknown / known).toBeGreaterThan(0.4);
    expect(unknown / known).toBeLessThan(2.5);
  });

  it("wait their turn when many come at once, and the last are asked to come back", async () => {
    const tries = await Promise.allSettled(Array.from({ length: 32 }, () => isPassword("x", undefined)));
    const refused = tries.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(32 - 2 - 24);
    expect(String((refused[0] as PromiseRejectedResult).reason)).toContain("Try again");
  }, 30_000);
});
