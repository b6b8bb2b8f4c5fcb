import onnxProto from "onnx-proto";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { computesInHalf } from "../../../platform/processor.ts";
import { intsOf, makeNode, OnnxGraph } from "../../onnx-graph/graph.ts";
import { float32, valuesOf, writeTensor } from "../../onnx-graph/tensor.ts";
import { lightenGraph } from "./lighten-graph.ts";

/** One block as the converter writes it: convolution, norm, scale, activation in four steps, scale, padded convolution. */
function block(weights = (values: Float32Array) => values): Uint8Array {
  const { onnx } = onnxProto;
  const wave = (count: number, phase: number) =>
    Float32Array.from({ length: count }, (_, i) => Math.sin(i * 1.7 + phase));
  const constant = (name: string, values: ArrayLike<number>, dims?: number[]) =>
    writeTensor(name, float32(values, dims));
  const lifted = (name: string, values: ArrayLike<number>) => ({
    opType: "Constant",
    input: [],
    output: [name],
    name,
    attribute: [{ name: "value", type: onnx.AttributeProto.AttributeType.TENSOR, t: constant(name, values) }],
  });
  return onnx.ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ version: 13 }],
    graph: {
      name: "block",
      input: [
        {
          name: "x",
          type: { tensorType: { elemType: 1, shape: { dim: [1, 2, 5, 7].map((dimValue) => ({ dimValue })) } } },
        },
      ],
      output: [{ name: "y", type: { tensorType: { elemType: 1 } } }],
      initializer: [
        constant("w1", weights(wave(8, 0)), [4, 2, 1, 1]),
        constant("gain", [1, 2, 0.5, 1.5]),
        constant("shift", [0.1, -0.2, 0.3, 0]),
        constant("mean", [0.2, 0, -0.1, 0.4]),
        constant("variance", [1, 0.5, 2, 0.8]),
        constant("w2", weights(wave(16, 1)), [4, 4, 1, 1]),
        constant("b2", wave(4, 2)),
        constant("w3", weights(wave(36, 3)), [4, 1, 3, 3]),
        constant("b3", wave(4, 4)),
      ],
      node: [
        lifted("three", [3]),
        lifted("zero", [0]),
        lifted("six", [6]),
        lifted("s1", [1.3]),
        lifted("o1", [-0.4]),
        lifted("s2", [0.7]),
        lifted("o2", [0.6]),
        makeNode("Conv", ["x", "w1"], ["a"]),
        makeNode("BatchNormalization", ["a", "gain", "shift", "mean", "variance"], ["b"]),
        makeNode("Conv", ["b", "w2", "b2"], ["c"]),
        makeNode("Mul", ["s1", "c"], ["d"]),
        makeNode("Add", ["d", "o1"], ["e"]),
        makeNode("Add", ["e", "three"], ["f"]),
        makeNode("Clip", ["f", "zero", "six"], ["g"]),
        makeNode("Mul", ["e", "g"], ["h"]),
        makeNode("Div", ["h", "six"], ["i"]),
        makeNode("Mul", ["s2", "i"], ["j"]),
        makeNode("Add", ["j", "o2"], ["k"]),
        makeNode("Conv", ["k", "w3", "b3"], ["y"], { attributes: { group: 4, pads: [1, 1, 1, 1] } }),
      ],
    },
  }).finish();
}

/** A line pooled to one row, and a convolution that looks for rows above and below. */
function pooledBlock(): Uint8Array {
  const { onnx } = onnxProto;
  const weights = Float32Array.from({ length: 54 }, (_, i) => Math.sin(i * 1.3));
  const shape = { dim: [1, 2, 5, 7].map((dimValue) => ({ dimValue })) };
  return onnx.ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ version: 13 }],
    graph: {
      name: "pooled",
      input: [{ name: "x", type: { tensorType: { elemType: 1, shape } } }],
      output: [{ name: "y", type: { tensorType: { elemType: 1 } } }],
      initializer: [writeTensor("w", float32(weights, [3, 2, 3, 3]))],
      node: [
        makeNode("AveragePool", ["x"], ["pooled"], { attributes: { kernel_shape: [5, 1] } }),
        makeNode("Conv", ["pooled", "w"], ["y"], { attributes: { kernel_shape: [3, 3], pads: [1, 1, 1, 1] } }),
      ],
    },
  }).finish();
}

async function run(model: Uint8Array): Promise<number[]> {
  const session = await InferenceSession.create(model);
  const picture = Float32Array.from({ length: 70 }, (_, i) => Math.cos(i * 0.9) * 3);
  const { y } = await session.run({ x: new Tensor("float32", picture, [1, 2, 5, 7]) });
  await session.release();
  return Array.from(y!.data as Float32Array);
}

describe("a lightened network", () => {
  it("has fewer steps and says the same, also at the padded border", async () => {
    const shipped = block();
    const light = lightenGraph(shipped, false);
    expect(new OnnxGraph(light).nodes.map((node) => node.opType)).toEqual([
      "Conv",
      "Conv",
      "HardSigmoid",
      "Mul",
      "Add",
      "Conv",
    ]);
    const [before, after] = [await run(shipped), await run(light)];
    after.forEach((value, index) => {
      expect(value).toBeCloseTo(before[index]!, 4);
    });
  });

  it("has kernels of one row where lines are one row high, and says the same", async () => {
    const shipped = pooledBlock();
    const light = lightenGraph(shipped, false);
    expect(new OnnxGraph(light).nodes.map((node) => intsOf(node, "kernel_shape"))).toEqual([
      [5, 1],
      [1, 3],
    ]);
    const [before, after] = [await run(shipped), await run(light)];
    after.forEach((value, index) => {
      expect(value).toBeCloseTo(before[index]!, 5);
    });
  });

  it("has no weights that a processor is slow with, and says the same", async () => {
    const shipped = block((weights) => weights.map((value, i) => (i % 3 === 0 ? value * 1e-39 : value)));
    const light = lightenGraph(shipped, false);
    const graph = new OnnxGraph(light);
    const weights = graph.nodes.filter(({ opType }) => opType === "Conv").map(({ input }) => input![1]!);
    const values = weights.flatMap((name) => Array.from(valuesOf(graph.getConstant(name)), Math.abs));
    expect(values.filter((value) => value > 0 && value < 1e-20)).toEqual([]);
    expect(values.filter((value) => value === 0).length).toBeGreaterThan(10);
    const [before, after] = [await run(shipped), await run(light)];
    after.forEach((value, index) => {
      expect(value).toBeCloseTo(before[index]!, 4);
    });
  });

  it.runIf(computesInHalf())("says nearly the same in half precision", async () => {
    const shipped = block();
    const [before, after] = [await run(shipped), await run(lightenGraph(shipped, true))];
    after.forEach((value, index) => {
      expect(Math.abs(value - before[index]!)).toBeLessThan(0.05);
    });
  });
});
