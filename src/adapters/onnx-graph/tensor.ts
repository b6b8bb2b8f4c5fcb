import type { onnx } from "onnx-proto";

/** ONNX's numbers for element types. */
const TYPE_CODES = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 } as const;

export type TensorType = keyof typeof TYPE_CODES;
type Numbers = Float32Array | Uint8Array | Int8Array | Int32Array | BigInt64Array | Uint16Array;

export interface GraphTensor {
  readonly type: TensorType;
  readonly dims: readonly number[];
  readonly data: Numbers;
}

const ARRAYS = {
  float32: Float32Array,
  uint8: Uint8Array,
  int8: Int8Array,
  int32: Int32Array,
  int64: BigInt64Array,
  float16: Uint16Array,
} as const;

export const float32 = (values: ArrayLike<number>, dims: readonly number[] = [values.length]): GraphTensor => ({
  type: "float32",
  dims,
  data: new Float32Array(values),
});
export const float16 = (values: ArrayLike<number>, dims: readonly number[] = [values.length]): GraphTensor => ({
  type: "float16",
  dims,
  data: toFloat16(new Float32Array(values)),
});
export const int64 = (values: readonly number[], dims: readonly number[] = [values.length]): GraphTensor => ({
  type: "int64",
  dims,
  data: BigInt64Array.from(values.map(BigInt)),
});
export const int32 = (values: ArrayLike<number>, dims: readonly number[] = [values.length]): GraphTensor => ({
  type: "int32",
  dims,
  data: Int32Array.from(values),
});
export const int8 = (values: ArrayLike<number>, dims: readonly number[] = [values.length]): GraphTensor => ({
  type: "int8",
  dims,
  data: Int8Array.from(values),
});
export const uint8 = (values: ArrayLike<number>, dims: readonly number[] = [values.length]): GraphTensor => ({
  type: "uint8",
  dims,
  data: Uint8Array.from(values),
});

export function readTensor(proto: onnx.ITensorProto): GraphTensor {
  const type = (Object.keys(TYPE_CODES) as TensorType[]).find((name) => TYPE_CODES[name] === proto.dataType);
  if (type === undefined) throw new Error(`tensor "${proto.name}" has the unsupported element type ${proto.dataType}`);
  const dims = (proto.dims ?? []).map(Number);
  if (proto.rawData?.length) {
    const { buffer, byteOffset, byteLength } = proto.rawData;
    const bytes = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    return { type, dims, data: new ARRAYS[type](bytes) };
  }
  if (type === "int64")
    return { type, dims, data: BigInt64Array.from((proto.int64Data ?? []).map((v) => BigInt(Number(v)))) };
  const values = type === "float32" ? (proto.floatData ?? []) : (proto.int32Data ?? []);
  return { type, dims, data: (ARRAYS[type] as typeof Float32Array).from(values) };
}

export function writeTensor(name: string, tensor: GraphTensor): onnx.ITensorProto {
  const { buffer, byteOffset, byteLength } = tensor.data;
  return {
    name,
    dataType: TYPE_CODES[tensor.type],
    dims: [...tensor.dims],
    rawData: new Uint8Array(buffer, byteOffset, byteLength),
  };
}

/** The tensor's values as plain numbers. */
export function valuesOf(tensor: GraphTensor): Float64Array {
  if (tensor.data instanceof BigInt64Array) return Float64Array.from(tensor.data, Number);
  return new Float64Array(tensor.data);
}

export function typeCode(type: TensorType): number {
  return TYPE_CODES[type];
}

/** IEEE half precision, rounded to the nearest even. */
export function toFloat16(values: Float32Array): Uint16Array {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const halves = new Uint16Array(words.length);
  // A plain loop: models have millions of weights, and a callback for each takes a second.
  for (let index = 0; index < words.length; index++) halves[index] = toHalf(words[index]!);
  return halves;
}

function toHalf(word: number): number {
  const sign = (word >>> 16) & 0x8000;
  const exponent = ((word >>> 23) & 0xff) - 112;
  const fraction = word & 0x7fffff;
  if (exponent >= 31) return sign | 0x7c00 | (exponent === 143 && fraction ? 0x200 : 0);
  if (exponent < -10) return sign;
  // Below the normal range the hidden bit becomes visible and everything moves right.
  const bits = exponent <= 0 ? (fraction | 0x800000) >>> (1 - exponent) : (exponent << 23) | fraction;
  const lost = exponent <= 0 ? (fraction | 0x800000) & ((1 << (1 - exponent)) - 1) : 0;
  const half = bits >>> 13;
  const rest = bits & 0x1fff;
  const isUp = rest > 0x1000 || (rest === 0x1000 && (lost > 0 || (half & 1) === 1));
  return sign | (half + (isUp ? 1 : 0));
}
