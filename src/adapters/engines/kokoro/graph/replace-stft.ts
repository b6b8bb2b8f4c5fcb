import { makeNode, type OnnxGraph } from "../../../onnx-graph/graph.ts";
import { float32, int64, valuesOf } from "../../../onnx-graph/tensor.ts";

/** The short-time Fourier transform as a convolution with sines and cosines: the runtime's own is slow. */
export function replaceStft(graph: OnnxGraph): void {
  const stft = graph.nodes.find((node) => node.opType === "STFT");
  if (stft === undefined) throw new Error("the graph has no STFT");
  const [signal, hopName, windowName] = stft.input!;
  const window = valuesOf(graph.getConstant(windowName!));
  const hop = valuesOf(graph.getConstant(hopName!))[0]!;
  const length = window.length;
  const bins = Math.floor(length / 2) + 1;
  const kernels = new Float32Array(2 * bins * length);
  for (let bin = 0; bin < bins; bin++) {
    for (let n = 0; n < length; n++) {
      const angle = (2 * Math.PI * bin * n) / length;
      const real = Math.cos(angle) * window[n]!;
      // At the lowest and highest bin the imaginary part is nothing but rounding, whose sign would decide the phase: fix it.
      const isEdge = bin === 0 || bin === bins - 1;
      kernels[2 * bin * length + n] = real;
      kernels[(2 * bin + 1) * length + n] = isEdge ? -1e-6 * real : -Math.sin(angle) * window[n]!;
    }
  }
  // A hair above zero in the real part, so that silence is not 0 / 0 in the arc tangent.
  const guard = Float32Array.from({ length: 2 * bins }, (_, index) => (index % 2 === 0 ? 1e-12 : 0));
  graph.replace(stft, [
    makeNode("Unsqueeze", [signal!, graph.addConstant("stft/axis", int64([1]))], ["stft/x"]),
    makeNode(
      "Conv",
      [
        "stft/x",
        graph.addConstant("stft/w", float32(kernels, [2 * bins, 1, length])),
        graph.addConstant("stft/b", float32(guard)),
      ],
      ["stft/y"],
      { attributes: { strides: [hop], kernel_shape: [length] } },
    ),
    makeNode("Transpose", ["stft/y"], ["stft/t"], { attributes: { perm: [0, 2, 1] } }),
    makeNode("Reshape", ["stft/t", graph.addConstant("stft/shape", int64([1, -1, bins, 2]))], [stft.output![0]!]),
  ]);
  graph.apply();
}
