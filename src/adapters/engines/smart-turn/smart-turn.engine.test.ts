import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silentLog } from "../../../platform/log.ts";
import { GraphBuilder } from "../../onnx-graph/graph-builder.ts";
import { createSmartTurn } from "./smart-turn.ts";

it("a graph of smart-turn's shape is asked for a probability, in a process of its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parlance-turn-"));
  const graph = new GraphBuilder();
  const features = graph.input("input_features", "float32", [1, 80, 800]);
  graph.output(graph.add("Sigmoid", [graph.add("ReduceMean", [features], { keepdims: 0 })]), "logits");
  const file = join(folder, "smart-turn-test.onnx");
  writeFileSync(file, graph.write());
  const detector = createSmartTurn({ file, name: "test", log: silentLog });
  try {
    const samples = Float32Array.from({ length: 16_000 }, (_, i) => Math.sin(i / 3));
    const probability = await detector.judge({ samples, key: "k", flow: "f" }, new AbortController().signal);
    expect(probability).toBeGreaterThan(0);
    expect(probability).toBeLessThan(1);
  } finally {
    await detector.host.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
