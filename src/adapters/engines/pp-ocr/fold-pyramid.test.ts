import onnxProto from "onnx-proto";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { computesInHalf } from "../../../platform/processor.ts";
import { type Attributes, type GraphNode, makeNode, OnnxGraph } from "../../onnx-graph/graph.ts";
import { float32, writeTensor } from "../../onnx-graph/tensor.ts";
import { foldPyramid } from "./fold-pyramid.ts";

const { onnx } = onnxProto;
const wide = 6;
const outputs = 4;

/** The end of a detector: two maps, the finer one spread, weighed, summed and gathered, joined with three coarser ones, doubled twice. */
function pyramid(): Uint8Array {
  const initializer: onnxProto.onnx.ITensorProto[] = [];
  const node: GraphNode[] = [];
  const constant = (name: string, count: number, dims: number[], scale = 0.4): string => {
    const values = Float32Array.from({ length: count }, (_, i) => Math.sin(i * 1.7 + initializer.length) * scale);
    initializer.push(writeTensor(name, float32(values, dims)));
    return name;
  };
  const add = (op: string, inputs: string[], output: string, attributes: Attributes = {}): string => {
    node.push(makeNode(op, inputs, [output], { attributes }));
    return output;
  };
  const conv = (input: string, output: string, dims: [number, number, number], hasBias: boolean): string => {
    const [to, from, size] = dims;
    const pad = size === 3 ? 1 : 0;
    const weights = constant(`${output}/w`, to * from * size * size, [to, from, size, size]);
    const bias = hasBias ? [constant(`${output}/b`, to, [to])] : [];
    return add("Conv", [input, weights, ...bias], output, { pads: [pad, pad, pad, pad] });
  };
  const weigh = (map: string, channels: number): string => {
    const squeezed = conv(add("GlobalAveragePool", [map], `${map}/pool`), `${map}/squeezed`, [2, channels, 1], true);
    const spread = conv(add("Relu", [squeezed], `${map}/relu`), `${map}/spread`, [channels, 2, 1], true);
    const gate = add("HardSigmoid", [spread], `${map}/gate`);
    return add("Add", [map, add("Mul", [map, gate], `${map}/weighed`)], `${map}/out`);
  };
  const enlarge = (map: string, times: number): string => {
    initializer.push(writeTensor(`${map}/scales${times}`, float32([1, 1, times, times])));
    initializer.push(writeTensor(`${map}/none${times}`, float32([])));
    return add("Resize", [map, `${map}/none${times}`, `${map}/scales${times}`], `${map}/times${times}`, {
      mode: "nearest",
      coordinate_transformation_mode: "asymmetric",
      nearest_mode: "floor",
    });
  };
  const inner = weigh(conv("fine", "spread", [wide, 3, 1], false), wide);
  const sum = add("Add", [inner, enlarge("coarse", 2)], "sum");
  const coarser = conv("coarse", "p3", [outputs, wide, 3], false);
  const p4 = add("MaxPool", [coarser], "p4", { kernel_shape: [2, 2], strides: [2, 2] });
  const p5 = add("MaxPool", [p4], "p5", { kernel_shape: [2, 2], strides: [2, 2] });
  const finest = weigh(conv(sum, "p2", [outputs, wide, 3], false), outputs);
  const joined = add("Concat", [enlarge(p5, 8), enlarge(p4, 4), enlarge(coarser, 2), finest], "joined", { axis: 1 });
  const head = add("Relu", [conv(joined, "head", [outputs, 4 * outputs, 3], true)], "head/relu");
  const doubling = (input: string, output: string, to: number): string => {
    const weights = constant(`${output}/w`, outputs * to * 4, [outputs, to, 2, 2]);
    const shape = { kernel_shape: [2, 2], strides: [2, 2] };
    const doubled = add("ConvTranspose", [input, weights], `${output}/doubled`, shape);
    return add("Add", [doubled, constant(`${output}/b`, to, [1, to, 1, 1])], output);
  };
  const norm = ["gain", "shift", "mean"].map((name) => constant(name, outputs, [outputs]));
  initializer.push(writeTensor("variance", float32([1, 0.5, 2, 0.8])));
  const normed = add("BatchNormalization", [doubling(head, "first", outputs), ...norm, "variance"], "normed");
  add("Sigmoid", [doubling(add("Relu", [normed], "normed/relu"), "second", 1)], "y");
  const input = (name: string, channels: number) => ({
    name,
    type: { tensorType: { elemType: 1, shape: { dim: [1, channels].map((dimValue) => ({ dimValue })) } } },
  });
  const shaped = [input("fine", 3), input("coarse", wide)];
  for (const { type } of shaped)
    (type.tensorType.shape.dim as onnxProto.onnx.TensorShapeProto.IDimension[]).push(
      { dimParam: "" },
      { dimParam: "" },
    );
  return onnx.ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ version: 13 }],
    graph: {
      name: "pyramid",
      input: shaped,
      output: [{ name: "y", type: { tensorType: { elemType: 1 } } }],
      initializer,
      node,
    },
  }).finish();
}

async function run(model: Uint8Array): Promise<{ dims: readonly number[]; values: number[] }> {
  const session = await InferenceSession.create(model);
  const wave = (count: number, step: number) => Float32Array.from({ length: count }, (_, i) => Math.cos(i * step) * 2);
  const { y } = await session.run({
    fine: new Tensor("float32", wave(3 * 16 * 24, 0.9), [1, 3, 16, 24]),
    coarse: new Tensor("float32", wave(wide * 8 * 12, 0.7), [1, wide, 8, 12]),
  });
  await session.release();
  return { dims: y!.dims, values: Array.from(y!.data as Float32Array) };
}

const precisions = [{ name: "32 bits", inHalf: false, within: 1e-5 }];
if (computesInHalf()) precisions.push({ name: "16 bits", inHalf: true, within: 0.02 });

describe.each(precisions)("the folded end of the detector in $name", ({ inHalf, within }) => {
  it("marks the same places with kernels over the small maps", async () => {
    const shipped = pyramid();
    const graph = new OnnxGraph(shipped);
    foldPyramid(graph, inHalf);
    expect(graph.nodes.some(({ opType }) => opType === "ConvTranspose")).toBe(false);
    const [before, after] = [await run(shipped), await run(graph.write())];
    expect(after.dims).toEqual(before.dims);
    expect(Math.max(...before.values) - Math.min(...before.values)).toBeGreaterThan(0.2);
    after.values.forEach((value, index) => {
      expect(Math.abs(value - before.values[index]!)).toBeLessThan(within);
    });
  });
});

it("a network that ends otherwise is left as it is", () => {
  const graph = new OnnxGraph(
    onnx.ModelProto.encode({
      graph: { node: [makeNode("Sigmoid", ["x"], ["y"])], input: [{ name: "x" }], output: [{ name: "y" }] },
    }).finish(),
  );
  foldPyramid(graph, false);
  expect(graph.nodes.map(({ opType }) => opType)).toEqual(["Sigmoid"]);
});
