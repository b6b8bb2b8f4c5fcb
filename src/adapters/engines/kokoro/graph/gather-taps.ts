import { type GraphNode, makeNode, type OnnxGraph } from "../../../onnx-graph/graph.ts";
import { int64 } from "../../../onnx-graph/tensor.ts";

export interface TapsWanted {
  readonly prefix: string;
  /** [1, channels, time], already in whole numbers. */
  readonly input: string;
  readonly padValue: string;
  readonly pads: readonly [number, number];
  readonly dilation: number;
  readonly channels: number;
  readonly taps: number;
}

/** Lays out, for each moment, the values under a kernel's taps in one row, so that a convolution becomes one multiplication of
 *  matrices: [time, taps * channels]. */
export function gatherTaps(graph: OnnxGraph, wanted: TapsWanted): { nodes: GraphNode[]; output: string } {
  const { prefix, taps, dilation, channels, pads } = wanted;
  const number = (name: string, value: number) => graph.addConstant(`${prefix}/${name}`, int64([value], []));
  const firstAxis = graph.addConstant("axis0", int64([0]));
  const secondAxis = graph.addConstant("axis1", int64([1]));
  const nodes = [
    makeNode("Transpose", [wanted.input], [`${prefix}/time-first`], { attributes: { perm: [0, 2, 1] } }),
    makeNode("Squeeze", [`${prefix}/time-first`, firstAxis], [`${prefix}/rows`]),
  ];
  let rows = `${prefix}/rows`;
  if (taps === 1) return { nodes, output: rows };
  if (pads[0] + pads[1] > 0) {
    const amounts = graph.addConstant(`${prefix}/pads`, int64([pads[0], 0, pads[1], 0]));
    nodes.push(makeNode("Pad", [rows, amounts, wanted.padValue], [`${prefix}/padded`]));
    rows = `${prefix}/padded`;
  }
  const offsets = Array.from({ length: taps }, (_, tap) => tap * dilation);
  nodes.push(
    makeNode("Shape", [rows], [`${prefix}/length1`], { attributes: { start: 0, end: 1 } }),
    makeNode("Squeeze", [`${prefix}/length1`], [`${prefix}/length`]),
    makeNode("Sub", [`${prefix}/length`, number("reach", (taps - 1) * dilation)], [`${prefix}/count`]),
    makeNode("Range", [number("zeroth", 0), `${prefix}/count`, number("step", 1)], [`${prefix}/moments`]),
    makeNode("Unsqueeze", [`${prefix}/moments`, secondAxis], [`${prefix}/moments1`]),
    makeNode(
      "Add",
      [`${prefix}/moments1`, graph.addConstant(`${prefix}/offsets`, int64(offsets, [1, taps]))],
      [`${prefix}/places`],
    ),
    makeNode("Gather", [rows, `${prefix}/places`], [`${prefix}/gathered`], { attributes: { axis: 0 } }),
    makeNode(
      "Reshape",
      [`${prefix}/gathered`, graph.addConstant(`${prefix}/matrix`, int64([-1, taps * channels]))],
      [`${prefix}/columns`],
    ),
  );
  return { nodes, output: `${prefix}/columns` };
}
