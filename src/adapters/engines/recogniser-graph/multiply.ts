import type { GraphBuilder } from "../../onnx-graph/graph-builder.ts";
import { float32, type GraphTensor } from "../../onnx-graph/tensor.ts";
import type { Bytes, Matrix } from "./exported-weights.ts";

/** The product of floats, which are made integers on the way, with stored integers. */
export function multiply(graph: GraphBuilder, value: string, matrix: Matrix, bias?: Float32Array): string {
  const { data, rows, columns, scales, zeros } = matrix;
  const isOne = scales.length === 1;
  const stored = [
    bytes(data, [rows, columns]),
    float32(scales, isOne ? [] : [scales.length]),
    bytes(zeros, isOne ? [] : [zeros.length]),
    ...(bias ? [float32(bias)] : []),
  ];
  return graph.addFused("DynamicQuantizeMatMul", [value, ...stored.map((tensor) => graph.constant(tensor))], 1)[0]!;
}

/** Without a copy: the largest models have 40 million of them in one place. */
export function bytes(data: Bytes, dims: readonly number[]): GraphTensor {
  return { type: data instanceof Int8Array ? "int8" : "uint8", dims, data };
}
