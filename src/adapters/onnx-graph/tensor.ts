import type { onnx } from "onnx-proto";
import { toFloat16 } from "../../platform/half-precision.ts";

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
