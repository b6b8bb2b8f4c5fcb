import { describe, expect, it } from "vitest";
import { fromHalf, toFloat16 } from "./half-precision.ts";

describe("half precision", () => {
  it.each([
    [0, 0],
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [65520, 0x7c00],
    [2 ** -24, 1],
    [2 ** -25, 0],
    [0.1, 0x2e66],
    [2 ** -14, 0x0400],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
  ])("%f is the half-precision number %i", (value, bits) => {
    expect(toFloat16(Float32Array.of(value))[0]).toBe(bits);
  });

  it("gives every finite number back", () => {
    const finite = Array.from({ length: 0x10000 }, (_, bits) => bits).filter((bits) => Number.isFinite(fromHalf(bits)));
    expect([...toFloat16(Float32Array.from(finite, fromHalf))]).toEqual(finite);
  });

  it("knows what is no number and what is endless", () => {
    expect(fromHalf(0x7e00)).toBeNaN();
    expect(fromHalf(0xfc00)).toBe(Number.NEGATIVE_INFINITY);
  });
});
