import { describe, expect, it } from "vitest";
import { type Matrix, sideBySide, transpose, withSign } from "./exported-weights.ts";

const signed: Matrix = {
  rows: 2,
  columns: 3,
  data: Int8Array.of(-128, -1, 0, 1, 2, 127),
  scales: Float32Array.of(0.5),
  zeros: Int8Array.of(3),
};
const numbersOf = ({ data, scales, zeros }: Matrix) => Array.from(data, (value) => (value - zeros[0]!) * scales[0]!);

describe("stored weights", () => {
  it("are the same numbers with either sign", () => {
    const unsigned = withSign(signed, "unsigned");
    expect(unsigned.data).toEqual(Uint8Array.of(0, 127, 128, 129, 130, 255));
    expect(numbersOf(unsigned)).toEqual(numbersOf(signed));
    expect(withSign(unsigned, "signed")).toEqual(signed);
    expect(withSign(signed, "signed")).toBe(signed);
  });

  it("keep their sign when they are turned or put side by side", () => {
    expect(transpose(signed).data).toEqual(Int8Array.of(-128, 1, -1, 2, 0, 127));
    const both = sideBySide([signed, { ...signed, scales: Float32Array.of(2), zeros: Int8Array.of(-1) }]);
    expect(both.data).toEqual(Int8Array.of(-128, -1, 0, -128, -1, 0, 1, 2, 127, 1, 2, 127));
    expect([...both.scales]).toEqual([0.5, 0.5, 0.5, 2, 2, 2]);
    expect(both.zeros).toEqual(Int8Array.of(3, 3, 3, -1, -1, -1));
  });
});
