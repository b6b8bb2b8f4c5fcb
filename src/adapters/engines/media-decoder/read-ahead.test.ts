import { describe, expect, it } from "vitest";
import { readAhead } from "./read-ahead.ts";

async function* chunksOf(...lengths: number[]) {
  for (const length of lengths) yield new Int16Array(length);
}
const patient = { stallMs: 60_000, onStall() {} };

async function collect(source: AsyncIterable<Int16Array>): Promise<number[]> {
  const lengths: number[] = [];
  for await (const chunk of source) lengths.push(chunk.length);
  return lengths;
}

describe("reading ahead", () => {
  it("hands chunks on in order and leaves out the empty one that says it has begun", async () => {
    expect(await collect(readAhead(chunksOf(0, 5, 6, 7), patient))).toEqual([5, 6, 7]);
  });

  it("holds a limited amount, however slow its reader is", async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 1;
        yield new Int16Array(1 << 20);
      }
    }
    for await (const _ of readAhead(endless(), patient)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      break;
    }
    expect(given).toBeLessThan(25);
  });

  it("passes a failure on after what was readable", async () => {
    async function* broken() {
      yield new Int16Array(3);
      throw new Error("broken");
    }
    const reader = readAhead(broken(), patient);
    expect((await reader.next()).value).toHaveLength(3);
    await expect(reader.next()).rejects.toThrow("broken");
  });

  it("gives up on a source that has begun and then stands still", async () => {
    let fail = (_: Error) => {};
    async function* stuck() {
      yield new Int16Array(0);
      await new Promise((_, reject) => {
        fail = reject;
      });
    }
    const reader = readAhead(stuck(), { stallMs: 20, onStall: () => fail(new Error("too slow")) });
    await expect(reader.next()).rejects.toThrow("too slow");
  });
});
