import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GraphBuilder } from "../../src/adapters/onnx-graph/graph-builder.ts";
import { float32 } from "../../src/adapters/onnx-graph/tensor.ts";

/** The numbers of element types in ONNX. */
const FLOAT = 1;

const words = "[PAD] [UNK] [CLS] [SEP] [MASK] the a cat ##s dog sleeps barks on mat invoice 4711 . ,".split(" ");

/** A folder with a cross-encoder of the shape of ms-marco-MiniLM: its logit is how many words of the document the query has. */
export function writeTestReranker(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const graph = new GraphBuilder();
  const dims = ["batch_size", "sequence_length"];
  const ids = graph.add("Cast", [graph.input("input_ids", "int64", dims)], { to: FLOAT });
  graph.input("attention_mask", "int64", dims);
  const isDocument = graph.add("Cast", [graph.input("token_type_ids", "int64", dims)], { to: FLOAT });
  const isQuery = graph.add("Sub", [graph.constant(float32([1])), isDocument]);
  const across = (value: string) => graph.add("Transpose", [value], { perm: [1, 0] });
  const isSame = graph.add("Cast", [graph.add("Equal", [across(ids), ids])], { to: FLOAT });
  const counted = graph.add("Mul", [isSame, graph.add("Mul", [across(isQuery), isDocument])]);
  // [SEP] stands on both sides; half a word more makes no match a no.
  const sum = graph.add("Sub", [graph.add("ReduceSum", [counted]), graph.constant(float32([1.5]))]);
  graph.output(sum, "logits");
  writeFileSync(join(folder, "model_quantized.onnx"), graph.write());
  writeFileSync(join(folder, "vocab.txt"), `${words.join("\n")}\n`);
}
