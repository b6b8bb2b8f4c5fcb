import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GraphBuilder } from "../../onnx-graph/graph-builder.ts";
import { float32 } from "../../onnx-graph/tensor.ts";
import { writeWhole } from "../../onnx-graph/write-whole.ts";
import { CEPSTRA, MEAN_FILE, NETWORK_FILE, PRINT_NUMBERS, WHITENING_FILE, XVECTOR_GRAPH } from "./files.ts";
import { type KaldiNetwork, type Matrix, readKaldiMatrix, readKaldiNetwork, readKaldiText } from "./read-kaldi.ts";

/** How far each layer looks around: width, and the distance of its inputs in time. */
const LAYERS = [
  { name: "tdnn1", width: 5, dilation: 1 },
  { name: "tdnn2", width: 3, dilation: 2 },
  { name: "tdnn3", width: 3, dilation: 3 },
  { name: "tdnn4", width: 1, dilation: 1 },
  { name: "tdnn5", width: 1, dilation: 1 },
] as const;

/** Writes Kaldi's speaker network as a graph, with the whitening behind it folded into its last layer. */
export async function buildXvectorGraph({ folder }: { folder: string }): Promise<void> {
  const network = readKaldiNetwork(await readFile(join(folder, NETWORK_FILE)));
  const mean = readKaldiText(await readFile(join(folder, MEAN_FILE), "utf8"));
  const whitening = readKaldiMatrix(await readFile(join(folder, WHITENING_FILE)));
  await writeWhole(join(folder, XVECTOR_GRAPH), writeGraph(network, mean, whitening));
}

function writeGraph(network: KaldiNetwork, mean: Float32Array, whitening: Matrix): Uint8Array {
  const graph = new GraphBuilder();
  let value = graph.input("features", "float32", [1, CEPSTRA, "frames"]);
  for (const { name, width, dilation } of LAYERS) {
    const { weights, bias } = network.layer(`${name}.affine`);
    const inputs = weights.columns / width;
    const kernel = graph.constant(float32(byChannel(weights, width), [weights.rows, inputs, width]));
    const heard = graph.add("Conv", [value, kernel, graph.constant(float32(bias))], {
      dilations: [dilation],
      kernel_shape: [width],
    });
    const { mean: centre, scale } = network.normalization(`${name}.batchnorm`);
    const column = (values: Float32Array) => graph.constant(float32(values, [1, values.length, 1]));
    value = graph.add("Mul", [graph.add("Sub", [graph.add("Relu", [heard]), column(centre)]), column(scale)]);
  }
  const average = (name: string) => graph.add("ReduceMean", [name], { axes: [2], keepdims: 0 });
  const middle = average(value);
  const square = graph.add("Sub", [average(graph.add("Mul", [value, value])), graph.add("Mul", [middle, middle])]);
  const spread = graph.add("Sqrt", [graph.add("Max", [square, graph.constant(float32([1e-10], []))])]);
  const statistics = graph.add("Concat", [middle, spread], { axis: 1 });
  const { weights, bias } = foldWhitening(network, mean, whitening);
  const last = [
    statistics,
    graph.constant(float32(weights.values, [weights.rows, weights.columns])),
    graph.constant(float32(bias)),
  ];
  graph.output(graph.add("Gemm", last, { transB: 1 }), "print");
  return graph.write();
}

/** Kaldi keeps the inputs of one moment together, ONNX those of one channel. */
function byChannel({ rows, columns, values }: Matrix, width: number): Float32Array {
  const inputs = columns / width;
  const turned = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < width; k++) {
      for (let i = 0; i < inputs; i++) {
        turned[row * columns + i * width + k] = values[row * columns + k * inputs + i]!;
      }
    }
  }
  return turned;
}

/** whitening * (weights * x + bias - mean), as one layer. */
function foldWhitening(network: KaldiNetwork, mean: Float32Array, whitening: Matrix) {
  const { weights, bias } = network.layer("tdnn6.affine");
  const values = new Float32Array(PRINT_NUMBERS * weights.columns);
  const folded = new Float32Array(PRINT_NUMBERS);
  for (let row = 0; row < PRINT_NUMBERS; row++) {
    // A column more than there are numbers is an offset.
    let sum = whitening.columns > PRINT_NUMBERS ? whitening.values[row * whitening.columns + PRINT_NUMBERS]! : 0;
    for (let k = 0; k < PRINT_NUMBERS; k++) {
      const factor = whitening.values[row * whitening.columns + k]!;
      sum += factor * (bias[k]! - mean[k]!);
      for (let i = 0; i < weights.columns; i++) {
        values[row * weights.columns + i]! += factor * weights.values[k * weights.columns + i]!;
      }
    }
    folded[row] = sum;
  }
  return { weights: { rows: PRINT_NUMBERS, columns: weights.columns, values }, bias: folded };
}
