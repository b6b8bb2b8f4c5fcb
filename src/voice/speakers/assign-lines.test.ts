import { describe, expect, it } from "vitest";
import { assignLines } from "./assign-lines.ts";

const at = (startMs: number, endMs: number) => ({ startMs, endMs });

describe("lines and who speaks when", () => {
  it("a line belongs to whoever speaks most of it, the first speaker is the first number", () => {
    const stretches = [
      { ...at(0, 900), speaker: 7 },
      { ...at(800, 3000), speaker: 2 },
      { ...at(3000, 3400), speaker: 7 },
      { ...at(3500, 3900), speaker: 7 },
    ];
    expect(assignLines([at(0, 1000), at(1000, 2900), at(2800, 4000)], stretches)).toEqual([0, 1, 0]);
  });

  it("a line in which nobody was heard goes on with the one before", () => {
    const stretches = [
      { ...at(0, 1000), speaker: 0 },
      { ...at(2000, 3000), speaker: 1 },
    ];
    expect(assignLines([at(0, 1000), at(2000, 3000), at(5000, 5200)], stretches)).toEqual([0, 1, 1]);
    expect(assignLines([at(5000, 6000), at(0, 10)], [])).toEqual([0, 0]);
  });
});
