import { OnnxGraph } from "../../onnx-graph/graph.ts";
import { foldUpsampling } from "../voice-graph/fold-upsampling.ts";
import { readWeights } from "../voice-graph/read-weights.ts";
import { writeHalfConvolution } from "../voice-graph/write-half-convolution.ts";
import { PIPER_SPEAKER_INPUT, SPEAKER_NUMBERS } from "./files.ts";

/** The same weights in graphs that suit different processors. Which is fastest has to be tried. */
export type PiperVariant = "shipped" | "float32" | "float16";

export function buildPiperGraph(shipped: Uint8Array, variant: PiperVariant): Uint8Array {
  const graph = new OnnxGraph(shipped);
  cutSpeakerTable(graph);
  if (variant !== "shipped") foldUpsampling(graph);
  if (variant === "float16") halveVocoder(graph);
  return graph.write();
}

/** Takes the table of 904 speakers out of the graph, so that any speaker vector can be spoken with, cloned ones included. */
export function cutSpeakerTable(graph: OnnxGraph): Uint8Array {
  const lookup = graph.producerOf(PIPER_SPEAKER_INPUT);
  if (lookup?.opType !== "Gather") throw new Error("the Piper graph has no table of speakers");
  const table = graph.getConstant(lookup.input![0]!);
  if (table.dims[1] !== SPEAKER_NUMBERS)
    throw new Error(`speakers have ${table.dims[1]} numbers, not ${SPEAKER_NUMBERS}`);
  graph.replace(lookup, []);
  graph.removeInput("sid");
  graph.addInput(PIPER_SPEAKER_INPUT, [1, SPEAKER_NUMBERS]);
  graph.apply();
  return new Uint8Array(table.data.buffer, table.data.byteOffset, table.data.byteLength);
}

/** The convolutions that make the wave take two thirds of the time, and bear rounding well. */
function halveVocoder(graph: OnnxGraph): void {
  for (const node of graph.nodes.filter(
    ({ opType, name }) => opType === "Conv" && name!.startsWith("/dec/resblocks."),
  )) {
    const { weights, dims, bias } = readWeights(graph, node);
    const [input, output] = [node.input![0]!, node.output![0]!];
    const attribute = node.attribute!;
    graph.replace(
      node,
      writeHalfConvolution(graph, { name: `half${node.name}`, input, output, weights, dims, bias, attribute }),
    );
  }
  graph.apply();
}
