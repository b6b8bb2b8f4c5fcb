import { describe, expect, it } from "vitest";
import { Gather } from "./gather.ts";
import { isLooping } from "./is-looping.ts";
import { type Decode, END, searchBeams } from "./search-beams.ts";

/** A decoder that goes by what was written last: candidates with their probabilities, best first. */
function decoderOf(next: Record<number, [piece: number, probability: number][]>): Decode {
  const width = 4;
  return async (rows) => {
    const scores = new Float32Array(rows.length * width).fill(-99);
    const pieces = new BigInt64Array(rows.length * width).fill(3n);
    for (const [row, { piece }] of rows.entries()) {
      for (const [place, [to, probability]] of (next[piece] ?? []).entries()) {
        scores[row * width + place] = Math.log(probability);
        pieces[row * width + place] = BigInt(to);
      }
    }
    return { scores, pieces, width };
  };
}
const sentence = { length: 5, isCancelled: () => false };

describe("a search with beams", () => {
  const next: Record<number, [number, number][]> = {
    1: [
      [10, 0.6],
      [11, 0.4],
    ],
    10: [
      [12, 0.5],
      [13, 0.5],
    ],
    11: [[14, 1]],
    12: [[END, 0.5]],
    13: [[END, 0.5]],
    14: [[END, 1]],
  };

  it("finds the likelier sentence behind the less likely word", async () => {
    const [greedy] = await searchBeams([sentence], decoderOf(next), 1);
    expect(greedy![0]!.pieces).toEqual([10, 12]);
    const [best] = await searchBeams([sentence], decoderOf(next), 4);
    expect(best![0]!.pieces).toEqual([11, 14]);
    expect(best!.length).toBeGreaterThan(1);
  });

  it("writes several sentences side by side, and none for one that nobody waits for", async () => {
    const cancelled = { length: 5, isCancelled: () => true };
    const found = await searchBeams([sentence, cancelled, sentence], decoderOf(next), 4);
    expect(found.map((list) => list[0]?.pieces)).toEqual([[11, 14], undefined, [11, 14]]);
  });

  it("ends what would never end", async () => {
    const endless: Record<number, [number, number][]> = {};
    for (let piece = 1; piece < 400; piece++) endless[piece] = [[piece + 10, 1]];
    const [cut] = await searchBeams([sentence], decoderOf(endless), 4);
    expect(cut![0]!.pieces).toHaveLength(22);
  });

  it("does not run in circles", async () => {
    const circle: Record<number, [number, number][]> = { 1: [[20, 1]], 20: [[21, 1]], 21: [[20, 1]] };
    const [found] = await searchBeams([{ ...sentence, length: 100 }], decoderOf(circle), 2);
    expect(found![0]!.pieces.length).toBeLessThan(20);
  });
});

describe("running in circles", () => {
  it("is a phrase over and over, but not a number with many zeros", () => {
    expect(isLooping([5, 7, 7, 7, 7, 7])).toBe(true);
    expect(isLooping([5, 7, 7, 7])).toBe(false);
    expect(isLooping([1, 2, 3, 1, 2, 3, 1, 2, 3])).toBe(true);
    expect(isLooping([1, 2, 3, 1, 2, 3, 1, 2])).toBe(false);
    expect(isLooping([1, 9, 9, 9, 9, 9, 9], (piece) => piece === 9)).toBe(false);
  });
});

describe("gathering sentences", () => {
  const never = new AbortController().signal;
  const collect = (batches: string[][]) =>
    new Gather<string, string>(
      async (items) => {
        batches.push([...items]);
        await new Promise((resolve) => setImmediate(resolve));
        return items.map((item) => item.toUpperCase());
      },
      { sentences: 3, pieces: 300 },
    );
  const one = (item: string, flow: string, length = 10, isAlone = false) => ({ item, flow, length, isAlone });

  it("brings those of several requests together and shares the places evenly", async () => {
    const batches: string[][] = [];
    const gather = collect(batches);
    const all = [
      ...["a1", "a2", "a3", "a4"].map((item) => gather.add(one(item, "a"), never)),
      gather.add(one("b1", "b"), never),
    ];
    expect(await Promise.all(all)).toEqual(["A1", "A2", "A3", "A4", "B1"]);
    expect(batches[0]).toEqual(["a1", "b1", "a2"]);
    expect(batches).toHaveLength(2);
  });

  it("keeps long ones from short ones, and those that want to be alone from all", async () => {
    const batches: string[][] = [];
    const gather = collect(batches);
    await Promise.all([
      gather.add(one("short", "a"), never),
      gather.add(one("long", "b", 120), never),
      gather.add(one("alone", "c", 10, true), never),
      gather.add(one("other", "d"), never),
    ]);
    expect(batches).toEqual([["short", "other"], ["long"], ["alone"]]);
  });

  it("forgets those whose caller hung up, and fails only the batch that failed", async () => {
    const batches: string[][] = [];
    const gather = collect(batches);
    const abort = new AbortController();
    const gone = gather.add(one("gone", "a"), abort.signal);
    const stays = gather.add(one("stays", "b"), never);
    abort.abort(new Error("hung up"));
    await expect(gone).rejects.toThrow("hung up");
    expect(await stays).toBe("STAYS");
    expect(batches).toEqual([["stays"]]);

    let fails = true;
    const shaky = new Gather<string, string>(
      async (items) => {
        if (fails) throw new Error("broken");
        return items;
      },
      { sentences: 1, pieces: 100 },
    );
    await expect(shaky.add(one("x", "a"), never)).rejects.toThrow("broken");
    fails = false;
    expect(await shaky.add(one("y", "a"), never)).toBe("y");
  });
});
