import onnxProto from "onnx-proto";
import { OnnxGraph } from "../../onnx-graph/graph.ts";

const { onnx } = onnxProto;

/** The branch of a merged decoder that is used for the first token: it has the weights of everything. */
export function firstStepOf(merged: Uint8Array): OnnxGraph {
  const model = onnx.ModelProto.decode(merged);
  const graph = model.graph!;
  const choice = graph.node!.find((node) => node.opType === "If");
  const branch = choice?.attribute?.find(({ name }) => name === "else_branch")?.g;
  if (!branch) throw new Error("the decoder has no branches to read");
  graph.node = branch.node!;
  graph.initializer = [...graph.initializer!, ...(branch.initializer ?? [])];
  return new OnnxGraph(model);
}
