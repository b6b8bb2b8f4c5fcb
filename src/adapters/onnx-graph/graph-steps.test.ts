import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { GraphBuilder } from "./graph-builder.ts";
import { GraphSteps } from "./graph-steps.ts";
import { float32 } from "./tensor.ts";

/** Two ways from the input to the output, so that values of several types have to be carried over a cut. */
function makeGraph(): Uint8Array {
  const graph = new GraphBuilder();
  const value = graph.input("value", "float32", [1, "length"]);
  const doubled = graph.add("Mul", [value, graph.constant(float32([2]))]);
  const isLarge = graph.add("Greater", [doubled, graph.constant(float32([3]))]);
  const raised = graph.add("Add", [doubled, graph.constant(float32([1]))]);
  graph.output(graph.add("Where", [isLarge, raised, value]), "chosen");
  return graph.write();
}

describe("a graph that runs in steps", () => {
  it("gives what it gives in one, for inputs of any length, and can be interrupted between them", async () => {
    const bytes = makeGraph();
    const whole = await InferenceSession.create(bytes);
    const steps = await GraphSteps.open(bytes, () => true, {});
    for (const length of [1, 5]) {
      const values = Float32Array.from({ length }, (_, index) => index);
      const feeds = { value: new Tensor("float32", values, [1, length]) };
      let pauses = 0;
      const output = await steps.run(feeds, async () => {
        pauses += 1;
      });
      expect(pauses).toBe(4);
      expect(Object.keys(output)).toEqual(["chosen"]);
      expect(output.chosen!.data).toEqual((await whole.run(feeds)).chosen!.data);
    }
  });

  it("is one step where nothing is cut", async () => {
    const steps = await GraphSteps.open(makeGraph(), () => false, {});
    const value = new Tensor("float32", Float32Array.of(1, 2), [1, 2]);
    const fail = () => Promise.reject(new Error("interrupted"));
    expect([...((await steps.run({ value }, fail)).chosen!.data as Float32Array)]).toEqual([1, 5]);
  });
});
