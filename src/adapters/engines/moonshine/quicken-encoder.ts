import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type GraphNode, intsOf, makeNode, OnnxGraph } from "../../onnx-graph/graph.ts";
import { float32, int64, typeCode, uint8 } from "../../onnx-graph/tensor.ts";
import { writeWhole } from "../../onnx-graph/write-whole.ts";
import { QUICK_ENCODER } from "./files.ts";

/** Makes the encoder's wide convolutions multiply integers. As shipped their weights are stored as integers and multiplied as
 *  floats, which takes a third of the encoder's time; the layers behind them multiply integers already. */
export async function quickenEncoder({ folder }: { folder: string }): Promise<void> {
  const graph = new OnnxGraph(await readFile(join(folder, "encoder_model.onnx")));
  const wide = graph.nodes.filter((node) => node.opType === "Conv" && weightsOf(graph, node).dims[1]! > 1);
  if (wide.length === 0) throw new Error("the encoder has no convolutions to quicken");
  for (const convolution of wide) graph.replace(convolution, multiplyAsIntegers(graph, convolution));
  graph.apply();
  await writeWhole(join(folder, QUICK_ENCODER), graph.write());
}

interface StoredWeights {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
  readonly scale: number;
  readonly offset: number;
}

/** Weights are kept as `integers x scale + offset`. */
function weightsOf(graph: OnnxGraph, convolution: GraphNode): StoredWeights {
  const add = graph.producerOf(convolution.input![1]!);
  const multiply = add && graph.producerOf(add.input![0]!);
  const cast = multiply && graph.producerOf(multiply.input![0]!);
  if (add?.opType !== "Add" || multiply?.opType !== "Mul" || cast?.opType !== "Cast") {
    throw new Error(`the weights of ${convolution.name} are not stored as expected`);
  }
  const { dims, data } = graph.getConstant(cast.input![0]!);
  const numberIn = (name: string) => Number(graph.getConstant(name).data[0]);
  return {
    dims,
    data: data as Int8Array,
    scale: numberIn(multiply.input![1]!),
    offset: numberIn(add.input![1]!),
  };
}

/** Each output step is one row: the inputs under the kernel side by side, times a matrix of all weights. Eight bits for the
 *  inputs cost every tenth word, so what they leave over gets eight more: two integer products are still quicker than one of
 *  floats. */
function multiplyAsIntegers(graph: OnnxGraph, convolution: GraphNode): GraphNode[] {
  const [input, , bias] = convolution.input!;
  const output = convolution.output![0]!;
  const { dims, data, scale, offset } = weightsOf(graph, convolution);
  const [outputs, inputs, taps] = dims as [number, number, number];
  const stride = intsOf(convolution, "strides")![0]!;
  const matrix = new Uint8Array(taps * inputs * outputs);
  for (let o = 0, at = 0; o < outputs; o++) {
    for (let i = 0; i < inputs; i++) {
      for (let tap = 0; tap < taps; tap++, at++) matrix[(tap * inputs + i) * outputs + o] = data[at]! + 128;
    }
  }
  const name = (part: string) => `${output}_${part}`;
  const constant = (part: string, tensor: Parameters<OnnxGraph["addConstant"]>[1]) =>
    graph.addConstant(name(part), tensor);
  const weights = constant("matrix", uint8(matrix, [taps * inputs, outputs]));
  const weightsZero = constant("matrix_zero", uint8([128 - Math.round(offset / scale)]));
  const weightsScale = constant("matrix_scale", float32([scale]));

  /** The product of integers with the matrix, as floats. */
  const multiply = (part: string): GraphNode[] => {
    const under = Array.from({ length: taps }, (_, tap) =>
      makeNode(
        "Slice",
        [
          name(`${part}_integers`),
          constant(`from_${tap}`, int64([tap])),
          constant(`to_${tap}`, int64([tap === taps - 1 ? 2 ** 40 : tap - taps + 1])),
          constant("axis", int64([1])),
          constant("step", int64([stride])),
        ],
        [name(`${part}_under_${tap}`)],
      ),
    );
    const windows = under.map((node) => node.output![0]!);
    return [
      ...under,
      makeNode("Concat", windows, [name(`${part}_windows`)], { attributes: { axis: 2 } }),
      makeNode(
        "MatMulInteger",
        [name(`${part}_windows`), weights, name(`${part}_zero`), weightsZero],
        [name(`${part}_sums`)],
      ),
      makeNode("Cast", [name(`${part}_sums`)], [name(`${part}_floats`)], { attributes: { to: typeCode("float32") } }),
      makeNode("Mul", [name(`${part}_scale`), weightsScale], [name(`${part}_both_scales`)]),
      makeNode("Mul", [name(`${part}_floats`), name(`${part}_both_scales`)], [name(`${part}_product`)]),
    ];
  };
  const quantise = (value: string, part: string) =>
    makeNode("DynamicQuantizeLinear", [value], [name(`${part}_integers`), name(`${part}_scale`), name(`${part}_zero`)]);
  return [
    makeNode("Transpose", [input!], [name("rows")], { attributes: { perm: [0, 2, 1] } }),
    quantise(name("rows"), "coarse"),
    makeNode(
      "DequantizeLinear",
      [name("coarse_integers"), name("coarse_scale"), name("coarse_zero")],
      [name("coarse_rows")],
    ),
    makeNode("Sub", [name("rows"), name("coarse_rows")], [name("fine_rows")]),
    quantise(name("fine_rows"), "fine"),
    ...multiply("coarse"),
    ...multiply("fine"),
    makeNode("Add", [name("coarse_product"), name("fine_product")], [name("product")]),
    makeNode("Add", [name("product"), bias!], [name("biased")]),
    makeNode("Transpose", [name("biased")], [output], { attributes: { perm: [0, 2, 1] } }),
  ];
}
