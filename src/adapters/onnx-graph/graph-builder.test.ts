import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { GraphBuilder } from "./graph-builder.ts";
import { float32, int64 } from "./tensor.ts";

describe("a graph that is written node by node", () => {
  it("runs, with inputs of any length, several outputs and operators of the runtime's own", async () => {
    const graph = new GraphBuilder();
    const value = graph.input("value", "float32", [1, "length", 4]);
    const doubled = graph.add("Mul", [value, graph.constant(float32([2]))]);
    const [left, right] = graph.addMany("Split", [doubled, graph.constant(int64([1, 3]))], 2, { axis: 2 });
    graph.output(left!, "left");
    graph.output(graph.addFused("QuickGelu", [right!], 1, { alpha: { float: 1 } })[0]!, "right");
    const session = await InferenceSession.create(graph.write());
    for (const length of [1, 3]) {
      const given = new Float32Array(4 * length).fill(-1);
      const output = await session.run({ value: new Tensor("float32", given, [1, length, 4]) });
      expect(output.left!.dims).toEqual([1, length, 1]);
      expect([...(output.left!.data as Float32Array)]).toEqual(Array(length).fill(-2));
      expect((output.right!.data as Float32Array)[0]).toBeCloseTo(-2 / (1 + Math.exp(2)), 5);
    }
  });
});
