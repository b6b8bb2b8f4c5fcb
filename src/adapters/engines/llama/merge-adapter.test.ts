import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type TestTensor, writeTestGguf } from "../../../../tests/support/test-gguf.ts";
import { readBlocks, writeBlocks } from "./eight-bit-blocks.ts";
import { mergeAdapter } from "./merge-adapter.ts";
import { readGguf } from "./read-gguf.ts";

const columns = 64;
const rows = 3;
const rank = 32;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parlance-adapter-"));
  return () => rmSync(folder, { recursive: true, force: true });
});

const model = () => join(folder, "model.gguf");
const adapter = () => join(folder, "adapter.gguf");
const wave = (length: number, speed: number) => Float32Array.from({ length }, (_, index) => Math.sin(index * speed));
const eightBit = (name: string, dims: number[], data: Float32Array): TestTensor => ({
  name,
  dims,
  data,
  isEightBit: true,
});

function readWeights(path: string, name: string): Float32Array {
  const { shape, start } = readGguf(path).tensors.get(name)!;
  const weights = new Float32Array(shape[0]! * shape[1]!);
  readBlocks(readFileSync(path).subarray(start), weights);
  return weights;
}

describe("merging an adapter", () => {
  const base = wave(rows * columns, 0.7);
  const down = wave(rank * columns, 0.3);
  const up = wave(rows * rank, 0.11);

  function write(upRows = rows): void {
    const other = eightBit("blk.0.attn_k.weight", [columns, 1], wave(columns, 0.2));
    writeFileSync(
      model(),
      writeTestGguf({}, { tensors: [other, eightBit("blk.0.attn_q.weight", [columns, rows], base)] }),
    );
    const tensors = [
      eightBit("blk.0.attn_q.weight.lora_a", [columns, rank], down),
      eightBit("blk.0.attn_q.weight.lora_b", [rank, upRows], up.slice(0, upRows * rank)),
    ];
    writeFileSync(adapter(), writeTestGguf({ "adapter.lora.alpha": { float: 16 } }, { tensors }));
  }

  it("adds the product of its narrow matrices at its strength, and leaves other weights alone", async () => {
    write();
    const untouched = readWeights(model(), "blk.0.attn_k.weight");
    await mergeAdapter(model(), adapter(), () => undefined);
    const merged = readWeights(model(), "blk.0.attn_q.weight");
    for (const [place, value] of merged.entries()) {
      const [row, column] = [Math.floor(place / columns), place % columns];
      let product = 0;
      for (let k = 0; k < rank; k++) product += up[row * rank + k]! * down[k * columns + column]!;
      // Eight bits of a block whose largest weight is about eight.
      expect(Math.abs(value - (base[place]! + 0.5 * product))).toBeLessThan(0.1);
    }
    expect(readWeights(model(), "blk.0.attn_k.weight")).toEqual(untouched);
  });

  it("refuses an adapter of another shape", async () => {
    write(2);
    await expect(mergeAdapter(model(), adapter(), () => undefined)).rejects.toThrow(
      'The adapter does not fit the weights "blk.0.attn_q.weight" of the model.',
    );
  });

  it("keeps blocks of nothing", () => {
    const blocks = Buffer.alloc(34, 1);
    writeBlocks(new Float32Array(32), blocks);
    expect(blocks.equals(Buffer.alloc(34))).toBe(true);
  });
});
