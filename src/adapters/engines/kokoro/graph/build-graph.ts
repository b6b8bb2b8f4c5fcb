import { OnnxGraph } from "../../../onnx-graph/graph.ts";
import { foldUpsampling } from "../../voice-graph/fold-upsampling.ts";
import { floatConvolutions } from "./float-convolutions.ts";
import { fuseNorms, writeFloatSnake } from "./fuse-norms.ts";
import { quantizeDecoder, quantizeUpsampling } from "./quantize-dense.ts";
import { type GeneratorRanges, writeQuantizedSnake } from "./quantize-snakes.ts";
import { replaceStft } from "./replace-stft.ts";

/** The same weights in graphs that suit different processors. Which is fastest has to be tried. */
export type GraphVariant = "int8" | "float16" | "float32";

export function buildGraph(shipped: Uint8Array, variant: GraphVariant, ranges: GeneratorRanges): Uint8Array {
  const graph = new OnnxGraph(shipped);
  if (variant === "float16") {
    floatConvolutions(graph, "float16");
    return graph.write();
  }
  floatConvolutions(graph, "float32");
  if (variant === "float32") {
    fuseNorms(graph, writeFloatSnake);
    foldUpsampling(graph);
  } else {
    // The second convolution of each pair is added to the signal, where a rounded result would be heard.
    fuseNorms(
      graph,
      writeQuantizedSnake(ranges, (key) => key.includes("convs2")),
    );
    quantizeUpsampling(graph);
    quantizeDecoder(graph);
  }
  replaceStft(graph);
  return graph.write();
}
