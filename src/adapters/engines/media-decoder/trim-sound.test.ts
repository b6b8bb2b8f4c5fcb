import { expect, it } from "vitest";
import type { SoundBlock } from "./sound-block.ts";
import { trimSound } from "./trim-sound.ts";

async function lengthAfter(lengths: number[], skip: number, declaredSeconds: number | undefined): Promise<number> {
  async function* blocks(): AsyncGenerator<SoundBlock> {
    for (const length of lengths) yield { channels: [new Float32Array(length)], sampleRateHz: 1000 };
  }
  let total = 0;
  for await (const { channels } of trimSound(blocks(), { skipSeconds: () => skip / 1000, declaredSeconds })) {
    total += channels[0]!.length;
  }
  return total;
}

it("leaves out what comes before a recording and after it, however the blocks fall", async () => {
  expect(await lengthAfter([2066], 23, 2)).toBe(2000);
  expect(await lengthAfter([10, 10, 10, 1970, 66], 23, 2)).toBe(2000);
  expect(await lengthAfter([1000, 1066], 23, undefined)).toBe(2043);
  expect(await lengthAfter([500], 23, 2)).toBe(477);
});

it("does not believe a length that is much too short", async () => {
  expect(await lengthAfter([2000, 2000], 0, 1)).toBe(4000);
  expect(await lengthAfter([900, 200, 100, 50], 0, 1)).toBe(1250);
});
