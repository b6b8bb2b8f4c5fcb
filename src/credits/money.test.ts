import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMarkup, formatDollars, parseCost, parseDollars, toNumber } from "./money.ts";

describe("money", () => {
  it.each([
    ["10", 10_000_000_000_000n],
    ["0.000153", 153_000_000n],
    ["1.2e-7", 120_000n],
    [1.2e-7, 120_000n],
    ["5.", 5_000_000_000_000n],
    ["-0.5", -500_000_000_000n],
    ["0.0000000000001", 1n],
    ["2E3", 2_000_000_000_000_000n],
  ])("reads %s exactly", (text, picos) => {
    expect(parseDollars(text)).toBe(picos);
  });

  it.each(["", "abc", "1,5", "NaN", "Infinity", "0x10", "1e9999", "--1"])("refuses %j", (text) => {
    expect(() => parseDollars(text)).toThrow(/not an amount/);
  });

  it("is printed as a plain decimal that reads back the same", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (picos) => {
        const text = formatDollars(picos);
        expect(text).toMatch(/^-?\d+\.\d{2,12}$/);
        expect(parseDollars(text)).toBe(picos);
      }),
    );
  });

  it("is the same in any notation", () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 20n });
    fc.assert(
      fc.property(digits, fc.integer({ min: -12, max: 40 }), (whole, exponent) => {
        expect(parseDollars(`${whole}e${exponent}`)).toBe(whole * 10n ** BigInt(12 + exponent));
      }),
    );
  });

  it("is the same as a number and as that number is printed", () => {
    const decimals = fc
      .tuple(fc.maxSafeInteger(), fc.integer({ min: -20, max: 3 }))
      .map(([n, e]) => Number(`${n}e${e}`));
    fc.assert(
      fc.property(
        fc.oneof(decimals, fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })),
        (number) => {
          expect(parseDollars(number)).toBe(parseDollars(String(number)));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("as a number is the one nearest to the decimal", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (picos) => {
        expect(toNumber(picos)).toBe(Number(formatDollars(picos)));
      }),
    );
  });

  it("is marked up by a fifth, rounded up once", () => {
    expect(addMarkup(parseCost("5e-12"))).toBe(6n);
    expect(addMarkup(parseCost("1e-12"))).toBe(2n);
    expect(addMarkup(parseCost("1.4e-12"))).toBe(2n);
    expect(addMarkup(0n)).toBe(0n);
  });
});
