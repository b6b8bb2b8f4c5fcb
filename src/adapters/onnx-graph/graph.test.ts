import onnxProto from "onnx-proto";
import { describe, expect, it } from "vitest";
import { intsOf, makeNode, OnnxGraph } from "./graph.ts";
import { float32, int64, readTensor, valuesOf, writeTensor } from "./tensor.ts";

/** x -> Neg -> Abs -> y, with a constant and a branch that nobody needs. */
function smallModel(): Uint8Array {
  const { onnx } = onnxProto;
  return onnx.ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ version: 17 }],
    graph: {
      input: [{ name: "x", type: { tensorType: { elemType: 1 } } }],
      output: [{ name: "y", type: { tensorType: { elemType: 1 } } }],
      initializer: [writeTensor("used", float32([1.5, -2])), writeTensor("spare", int64([3]))],
      node: [
        makeNode("Neg", ["x"], ["a"]),
        makeNode("Add", ["a", "used"], ["b"]),
        makeNode("Sqrt", ["a"], ["unneeded"]),
        makeNode("Abs", ["b"], ["y"], { attributes: { pads: [1, 2] } }),
      ],
    },
  }).finish();
}

describe("editing a graph", () => {
  it("knows who makes and who uses a value", () => {
    const graph = new OnnxGraph(smallModel());
    expect(graph.producerOf("b")?.opType).toBe("Add");
    expect(graph.consumersOf("a").map((node) => node.opType)).toEqual(["Add", "Sqrt"]);
    expect(graph.onlyConsumerOf("a")).toBeUndefined();
    expect(graph.onlyConsumerOf("b")?.opType).toBe("Abs");
    expect(intsOf(graph.producerOf("y")!, "pads")).toEqual([1, 2]);
    expect([...valuesOf(graph.getConstant("used"))]).toEqual([1.5, -2]);
  });

  it("puts new nodes in the place of old ones and drops what is no longer needed", () => {
    const graph = new OnnxGraph(smallModel());
    const two = graph.addConstant("two", float32([2], []));
    graph.replace(graph.producerOf("b")!, [makeNode("Mul", ["a", two], ["b"])]);
    graph.apply();
    const again = new OnnxGraph(graph.write());
    expect(again.nodes.map((node) => node.opType)).toEqual(["Neg", "Mul", "Abs"]);
    expect(again.isConstant("used")).toBe(false);
    expect(again.isConstant("spare")).toBe(false);
    expect([...valuesOf(again.getConstant("two"))]).toEqual([2]);
  });
});

describe("tensors", () => {
  it("come back as they were written", () => {
    for (const tensor of [float32([0.1, 5]), int64([-1, 2 ** 40], [2, 1])]) {
      expect(readTensor(writeTensor("t", tensor))).toEqual(tensor);
    }
  });
});
