import { describe, expect, it } from "vitest";
import { fromG711, toG711 } from "./g711.ts";

/** Codes of the tables in ITU-T G.711, with the 16-bit values that every other implementation gives for them. */
describe.each([
  ["mulaw", { 255: 0, 127: 0, 128: 32124, 0: -32124, 240: 120, 112: -120, 160: 7932 }],
  ["alaw", { 213: 8, 85: -8, 170: 32256, 42: -32256, 197: 264, 69: -264 }],
] as const)("%s", (law, known) => {
  it("has the values of the standard", () => {
    for (const [code, value] of Object.entries(known)) {
      expect(Math.round(fromG711(law, Uint8Array.of(Number(code)))[0]! * 32768) + 0, code).toBe(value);
    }
  });

  it("writes every value as the code that it reads it from", () => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    const again = toG711(law, fromG711(law, codes));
    // Two codes mean zero in mulaw; either will do.
    for (const [index, code] of codes.entries()) {
      if (law === "mulaw" && (code === 0x7f || code === 0xff)) continue;
      expect(again[index], `code ${code}`).toBe(code);
    }
  });

  it("stays within the error that the standard allows, and takes what is no number for silence", () => {
    const samples = Float32Array.from({ length: 400 }, (_, i) => 0.7 * Math.sin(i / 7));
    const heard = fromG711(law, toG711(law, samples));
    for (const [i, value] of samples.entries()) expect(Math.abs(heard[i]! - value)).toBeLessThan(0.03);
    expect(Math.abs(fromG711(law, toG711(law, Float32Array.of(Number.NaN)))[0]!)).toBeLessThan(0.001);
    expect(fromG711(law, toG711(law, Float32Array.of(9)))[0]!).toBeGreaterThan(0.97);
  });
});
