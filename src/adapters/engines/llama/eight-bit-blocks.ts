import { fromHalf, toFloat16 } from "../../../platform/half-precision.ts";

/** ggml's number for Q8_0: 32 whole numbers of eight bits that share a scale of sixteen (ggml-common.h, block_q8_0). */
export const Q8_0 = 8;
export const BLOCK_WEIGHTS = 32;
export const BLOCK_BYTES = 34;
const SCALE_BYTES = 2;
const LARGEST = 127;

export function readBlocks(blocks: Buffer, weights: Float32Array): void {
  const numbers = new Int8Array(blocks.buffer, blocks.byteOffset, blocks.length);
  for (let at = 0, place = 0; place < weights.length; at += BLOCK_BYTES) {
    const scale = fromHalf(blocks.readUInt16LE(at));
    const end = at + BLOCK_BYTES;
    for (let from = at + SCALE_BYTES; from < end; from++) weights[place++] = scale * numbers[from]!;
  }
}

export function writeBlocks(weights: Float32Array, blocks: Buffer): void {
  const numbers = new Int8Array(blocks.buffer, blocks.byteOffset, blocks.length);
  const scales = toFloat16(largestOfBlocks(weights).map((largest) => largest / LARGEST));
  for (let block = 0, place = 0; block < scales.length; block++) {
    const at = block * BLOCK_BYTES;
    const scale = fromHalf(scales[block]!);
    const factor = scale === 0 ? 0 : 1 / scale;
    blocks.writeUInt16LE(scales[block]!, at);
    const end = at + BLOCK_BYTES;
    for (let to = at + SCALE_BYTES; to < end; to++) {
      const value = Math.round(weights[place++]! * factor);
      // The scale was rounded, so that the largest may be a little over.
      numbers[to] = Math.max(-LARGEST, Math.min(LARGEST, value));
    }
  }
}

function largestOfBlocks(weights: Float32Array): Float32Array {
  const found = new Float32Array(weights.length / BLOCK_WEIGHTS);
  for (let block = 0, place = 0; block < found.length; block++) {
    let largest = 0;
    for (const end = place + BLOCK_WEIGHTS; place < end; place++)
      largest = Math.max(largest, Math.abs(weights[place]!));
    found[block] = largest;
  }
  return found;
}
