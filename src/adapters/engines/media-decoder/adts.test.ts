import { describe, expect, it } from "vitest";
import { readAacSettings, withAdtsHeader } from "./adts.ts";

describe("AAC from an MP4", () => {
  it("is read from its description", () => {
    // AAC-LC, 44.1 kHz, stereo.
    expect(readAacSettings(Uint8Array.of(0x12, 0x10))).toEqual({ objectType: 2, rateIndex: 4, channels: 2 });
  });

  it("with spectral band replication is carried as its core", () => {
    // HE-AAC: type 5, 22.05 kHz core, stereo, 44.1 kHz, core type 2.
    expect(readAacSettings(Uint8Array.of(0x2b, 0x92, 0x08, 0x00))).toEqual({
      objectType: 2,
      rateIndex: 7,
      channels: 2,
    });
  });

  it("that ADTS cannot carry is refused", () => {
    expect(readAacSettings(Uint8Array.of(0xf8, 0xe0))).toBeUndefined();
    expect(readAacSettings(new Uint8Array(0))).toBeUndefined();
  });

  it("gets a header that says how long the frame is", () => {
    const framed = withAdtsHeader(new Uint8Array(100), { objectType: 2, rateIndex: 4, channels: 2 });
    expect([...framed.slice(0, 3)]).toEqual([0xff, 0xf1, 0x50]);
    expect(((framed[3]! & 3) << 11) | (framed[4]! << 3) | (framed[5]! >> 5)).toBe(107);
  });
});
