import { describe, expect, it } from "vitest";
import { isolateBad } from "./isolate-bad.ts";

class BadRecord extends Error {}
const isTheirFault = (error: unknown) => error instanceof BadRecord;

describe("a batch that fails", () => {
  it("loses only the records that are at fault, and keeps the order of the others", async () => {
    const attempt = async (items: readonly number[]) => {
      if (items.some((item) => item % 40 === 7)) throw new BadRecord();
    };
    const items = Array.from({ length: 100 }, (_, index) => index);
    const { good, bad } = await isolateBad(items, attempt, isTheirFault);
    expect(bad.map(({ item }) => item)).toEqual([7, 47, 87]);
    expect(good).toEqual(items.filter((item) => item % 40 !== 7));
  });

  it("blames no record when the database is gone", async () => {
    const attempt = async () => {
      throw new Error("connection refused");
    };
    await expect(isolateBad([1, 2], attempt, isTheirFault)).rejects.toThrow("refused");
  });
});
