import { describe, expect, it } from "vitest";
import { codeAt, findStep, newTotpSecret, totpUri } from "./totp.ts";

/** "12345678901234567890" in base 32: the secret of RFC 6238's test vectors. */
const rfcSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

describe("one-time codes", () => {
  it.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1234567890, "005924"],
    [2000000000, "279037"],
  ])("at second %d are those of RFC 6238", (second, code) => {
    expect(codeAt(rfcSecret, Math.floor(second / 30))).toBe(code);
  });

  it("count half a minute before and after, and each only once", () => {
    const secret = newTotpSecret();
    const now = 1_800_000_000_000;
    const step = now / 30_000;
    expect(findStep(secret, codeAt(secret, step - 1), now, 0)).toBe(step - 1);
    expect(findStep(secret, ` ${codeAt(secret, step + 1).replace(/^(...)/, "$1 ")}`, now, 0)).toBe(step + 1);
    expect(findStep(secret, codeAt(secret, step - 2), now, 0)).toBeUndefined();
    expect(findStep(secret, codeAt(secret, step), now, step)).toBeUndefined();
    expect(findStep(secret, "12345", now, 0)).toBeUndefined();
  });

  it("are set up by an address that authenticators read", () => {
    expect(totpUri("ABC", "a+b@c.de", "Parlance")).toBe(
      "otpauth://totp/Parlance:a%2Bb%40c.de?secret=ABC&issuer=Parlance",
    );
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  });
});
