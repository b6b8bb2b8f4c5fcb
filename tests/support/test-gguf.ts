import { BLOCK_BYTES, BLOCK_WEIGHTS, Q8_0, writeBlocks } from "../../src/adapters/engines/llama/eight-bit-blocks.ts";

type GgufTestValue =
  | string
  | number
  | boolean
  | readonly string[]
  | { readonly float: number }
  | { ints: readonly number[] };

export interface TestTensor {
  readonly name: string;
  /** The fastest first, as ggml has them. */
  readonly dims: readonly number[];
  /** All zeros where there are none. */
  readonly data?: Float32Array;
  /** In blocks of eight bits instead of 32 bits each. */
  readonly isEightBit?: boolean;
}

export interface TestGgufOptions {
  readonly tensors?: readonly TestTensor[];
  readonly version?: number;
  /** How many bytes of the weights are written; all of them where it is not given. */
  readonly tensorBytes?: number;
}

/** A small GGUF file, for tests. */
export function writeTestGguf(
  values: Readonly<Record<string, GgufTestValue>>,
  { tensors = [{ name: "t", dims: [16] }], version = 3, tensorBytes }: TestGgufOptions = {},
): Buffer {
  const pairs = Object.entries(values).map(([name, value]) => Buffer.concat([text(name), writeValue(value)]));
  let offset = 0;
  const weights: Buffer[] = [];
  const described = tensors.map(({ name, dims, data, isEightBit }) => {
    const size = dims.reduce((product, dim) => product * dim, 1);
    const numbers = data ?? new Float32Array(size);
    const bytes = pad(isEightBit ? eightBits(numbers) : Buffer.from(numbers.buffer));
    const type = u32(isEightBit ? Q8_0 : 0);
    const about = Buffer.concat([text(name), u32(dims.length), ...dims.map(u64), type, u64(offset)]);
    offset += bytes.length;
    weights.push(bytes);
    return about;
  });
  const counts = [u32(version), u64(tensors.length), u64(pairs.length)];
  const head = Buffer.concat([Buffer.from("GGUF"), ...counts, ...pairs, ...described]);
  return Buffer.concat([pad(head), Buffer.concat(weights).subarray(0, tensorBytes)]);
}

function eightBits(numbers: Float32Array): Buffer {
  const blocks = Buffer.alloc((numbers.length / BLOCK_WEIGHTS) * BLOCK_BYTES);
  writeBlocks(numbers, blocks);
  return blocks;
}

/** Each with the number of its type in GGUF. */
function writeValue(value: GgufTestValue): Buffer {
  if (typeof value === "string") return Buffer.concat([u32(8), text(value)]);
  if (typeof value === "number") return Buffer.concat([u32(4), u32(value)]);
  if (typeof value === "boolean") return Buffer.concat([u32(7), Buffer.from([value ? 1 : 0])]);
  if ("float" in value) return Buffer.concat([u32(6), Buffer.from(Float32Array.of(value.float).buffer)]);
  if ("ints" in value) return Buffer.concat([u32(9), u32(5), u64(value.ints.length), ...value.ints.map(u32)]);
  return Buffer.concat([u32(9), u32(8), u64(value.length), ...value.map(text)]);
}

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const pad = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)]);

const width = 32;
const context = 64;
/** Words begin with the mark that llama.cpp gives them. */
const words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ..."▁the ▁cat ▁dog ▁barks ▁sleeps ▁mat".split(" ")];

/** A BERT of one layer that ranks: its attention averages all tokens, and its score is how much of that is "cat". */
export function writeTestRanker(): Buffer {
  const identity = new Float32Array(width * width);
  for (let i = 0; i < width; i++) identity[i * width + i] = 1;
  const ones = new Float32Array(width).fill(1);
  const embeddings = new Float32Array(width * words.length);
  for (const [index, word] of words.entries()) embeddings[index * width + (word === "▁cat" ? 3 : 1)] = 1;
  const square = (name: string, data?: Float32Array): TestTensor[] => [
    { name: `${name}.weight`, dims: [width, width], ...(data ? { data } : {}) },
    { name: `${name}.bias`, dims: [width] },
  ];
  const norm = (name: string): TestTensor[] => [
    { name: `${name}.weight`, dims: [width], data: ones },
    { name: `${name}.bias`, dims: [width] },
  ];
  const score = new Float32Array(width);
  score[3] = 4;
  const tensors: TestTensor[] = [
    { name: "token_embd.weight", dims: [width, words.length], data: embeddings },
    { name: "token_types.weight", dims: [width, 2] },
    { name: "position_embd.weight", dims: [width, context] },
    ...norm("token_embd_norm"),
    // Queries and keys of nothing look at everything alike.
    ...square("blk.0.attn_q"),
    ...square("blk.0.attn_k"),
    ...square("blk.0.attn_v", identity),
    ...square("blk.0.attn_output", identity),
    ...norm("blk.0.attn_output_norm"),
    ...square("blk.0.ffn_up"),
    ...square("blk.0.ffn_down"),
    ...norm("blk.0.layer_output_norm"),
    ...square("cls", identity),
    { name: "cls.output.weight", dims: [width, 1], data: score },
    { name: "cls.output.bias", dims: [1] },
  ];
  const values = {
    "general.architecture": "bert",
    "bert.context_length": context,
    "bert.embedding_length": width,
    "bert.block_count": 1,
    "bert.feed_forward_length": width,
    "bert.attention.head_count": 1,
    "bert.attention.layer_norm_epsilon": { float: 1e-6 },
    "bert.attention.causal": false,
    // LLAMA_POOLING_TYPE_RANK of llama.h.
    "bert.pooling_type": 4,
    "tokenizer.ggml.model": "bert",
    "tokenizer.ggml.tokens": words,
    "tokenizer.ggml.token_type": { ints: words.map((word) => (word.startsWith("[") ? 3 : 1)) },
    "tokenizer.ggml.token_type_count": 2,
    "tokenizer.ggml.padding_token_id": 0,
    "tokenizer.ggml.unknown_token_id": 1,
    "tokenizer.ggml.bos_token_id": 2,
    "tokenizer.ggml.cls_token_id": 2,
    "tokenizer.ggml.eos_token_id": 3,
    "tokenizer.ggml.seperator_token_id": 3,
    "tokenizer.ggml.mask_token_id": 4,
  };
  return writeTestGguf(values, { tensors });
}
