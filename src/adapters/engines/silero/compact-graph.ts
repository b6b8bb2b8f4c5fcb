import { readFile } from "node:fs/promises";
import { join } from "node:path";
import onnxProto from "onnx-proto";
import { GraphBuilder } from "../../onnx-graph/graph-builder.ts";
import { float32, type GraphTensor, int64, readTensor, valuesOf } from "../../onnx-graph/tensor.ts";
import { writeWhole } from "../../onnx-graph/write-whole.ts";
import { COMPACT_GRAPH, FRAME_INPUTS, MEMORY_NUMBERS, SHIPPED_GRAPH } from "./files.ts";

const { onnx } = onnxProto;

const STRIDES = [1, 2, 2, 1];
/** The gates of the memory as they are stored, and in the order in which ONNX wants them. */
const GATES = { count: 4, order: [0, 3, 1, 2] };

/** Writes the network anew for many frames at once. As shipped it takes one at a time and decides at each, in nested branches,
 *  what its inputs look like, which takes most of its time. */
export async function compactGraph({ folder }: { folder: string }): Promise<void> {
  const weights = readWeights(await readFile(join(folder, SHIPPED_GRAPH)));
  await writeWhole(join(folder, COMPACT_GRAPH), writeGraph(weights));
}

type Weights = (name: string) => GraphTensor;

function writeGraph(weights: Weights): Uint8Array {
  const graph = new GraphBuilder();
  const constant = (name: string) => graph.constant(weights(name));
  const frames = graph.input("frames", "float32", ["frames", 1, FRAME_INPUTS]);
  const state = (name: string) => graph.input(name, "float32", [1, 1, MEMORY_NUMBERS]);

  const basis = weights("stft.forward_basis_buffer");
  const bands = basis.dims[0]! / 2;
  const length = basis.dims[2]!;
  const waves = graph.add("Conv", [frames, graph.constant(basis)], { kernel_shape: [length], strides: [length / 2] });
  const halves = graph.constant(int64([bands, bands]));
  const squares = graph.addMany("Split", [waves, halves], 2, { axis: 1 }).map((half) => graph.add("Mul", [half, half]));
  let value = graph.add("Sqrt", [graph.add("Add", squares)]);
  for (const [index, stride] of STRIDES.entries()) {
    const inputs = [
      value,
      constant(`encoder.${index}.reparam_conv.weight`),
      constant(`encoder.${index}.reparam_conv.bias`),
    ];
    value = graph.add("Relu", [graph.add("Conv", inputs, { kernel_shape: [3], pads: [1, 1], strides: [stride] })]);
  }

  const sequence = graph.add("Reshape", [value, graph.constant(int64([-1, 1, MEMORY_NUMBERS]))]);
  const matrix = (name: string) => graph.constant(inOrder([weights(name)], [1, -1, MEMORY_NUMBERS]));
  const bias = inOrder([weights("decoder.rnn.bias_ih"), weights("decoder.rnn.bias_hh")], [1, -1]);
  const [said, hidden, cell] = graph.addMany(
    "LSTM",
    [
      sequence,
      matrix("decoder.rnn.weight_ih"),
      matrix("decoder.rnn.weight_hh"),
      graph.constant(bias),
      "",
      state("hidden"),
      state("cell"),
    ],
    3,
    { hidden_size: MEMORY_NUMBERS },
  );
  const rows = graph.add("Reshape", [graph.add("Relu", [said!]), graph.constant(int64([-1, MEMORY_NUMBERS]))]);
  const column = graph.constant(float32(valuesOf(weights("decoder.decoder.2.weight")), [MEMORY_NUMBERS, 1]));
  const score = graph.add("Add", [graph.add("MatMul", [rows, column]), constant("decoder.decoder.2.bias")]);
  graph.output(graph.add("Sigmoid", [score]), "probabilities");
  graph.output(hidden!, "next_hidden");
  graph.output(cell!, "next_cell");
  return graph.write();
}

/** Tensors after each other, the gates of each in ONNX's order. A dimension of -1 is what is left. */
function inOrder(tensors: readonly GraphTensor[], dims: readonly number[]): GraphTensor {
  const values = tensors.flatMap((tensor) => {
    const all = valuesOf(tensor);
    const size = all.length / GATES.count;
    return GATES.order.flatMap((gate) => Array.from(all.subarray(gate * size, (gate + 1) * size)));
  });
  const known = dims.filter((dim) => dim > 0).reduce((product, dim) => product * dim, 1);
  return float32(
    values,
    dims.map((dim) => (dim > 0 ? dim : values.length / known)),
  );
}

/** The weights for 16 kHz by the ends of their names: constants within the branch for that rate. */
function readWeights(shipped: Uint8Array): Weights {
  const choice = onnx.ModelProto.decode(shipped).graph!.node!.find((node) => node.opType === "If");
  const branch = choice?.attribute?.find(({ name }) => name === "then_branch")?.g;
  if (!branch) throw new Error("the voice activity graph has no branch for 16 kHz");
  return (name) => {
    const node = branch.node!.find(({ opType, output }) => opType === "Constant" && output![0]!.endsWith(`__${name}`));
    if (!node) throw new Error(`the voice activity graph has no ${name}`);
    return readTensor(node.attribute![0]!.t!);
  };
}
