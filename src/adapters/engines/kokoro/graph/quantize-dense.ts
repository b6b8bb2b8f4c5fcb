import { type GraphNode, intsOf, makeNode, type OnnxGraph } from "../../../onnx-graph/graph.ts";
import { float32, int8, int64 } from "../../../onnx-graph/tensor.ts";
import { readWeights } from "../../voice-graph/read-weights.ts";
import { gatherTaps } from "./gather-taps.ts";

const DECODER = /^\/decoder\/decoder\/(encode|decode\.\d)\/conv(1|2|1x1)\//u;

/** The decoder's own convolutions, with activations quantised as they come (as the shipped graph has them). */
export function quantizeDecoder(graph: OnnxGraph): void {
  for (const node of graph.nodes.filter(({ opType, name }) => opType === "Conv" && DECODER.test(name!))) {
    const hasBias = node.input!.length > 2;
    const tensor = readWeights(graph, hasBias ? node : { ...node, input: [...node.input!, node.input![1]!] });
    const [outputs, inputs, taps] = tensor.dims as [number, number, number];
    const prefix = `dense${node.name}`;
    const matrix = (k: number, i: number, o: number) => tensor.weights[(o * inputs + i) * taps + k]!;
    graph.replace(node, [
      ...writeDynamicMatMul(graph, {
        prefix,
        input: node.input![0]!,
        size: [taps, inputs, outputs],
        matrix,
        bias: hasBias ? tensor.bias : undefined,
        dilation: intsOf(node, "dilations")?.[0] ?? 1,
        pads: (intsOf(node, "pads") ?? [0, 0]) as [number, number],
        output: `${prefix}/yt`,
      }),
      makeNode("Unsqueeze", [`${prefix}/yt`, graph.addConstant("axis0", int64([0]))], [`${prefix}/y3`]),
      makeNode("Transpose", [`${prefix}/y3`], [node.output![0]!], { attributes: { perm: [0, 2, 1] } }),
    ]);
  }
  graph.apply();
}

/** Transposed convolutions as one multiplication whose columns are already in the order of the finer time. */
export function quantizeUpsampling(graph: OnnxGraph): void {
  for (const node of graph.nodes.filter(({ opType, name }) => opType === "ConvTranspose" && name!.includes("/ups."))) {
    const stride = intsOf(node, "strides")![0]!;
    const { weights, dims, bias } = readWeights(graph, node);
    const [inputs, outputs, taps] = dims as [number, number, number];
    const prefix = `upsample${node.name}`;
    const constant = (name: string, values: number[]) => graph.addConstant(`${prefix}/${name}`, int64(values));
    // Column r * outputs + o. The first of the two taps sees the moment before, so it has the kernel's second half.
    const matrix = (k: number, i: number, column: number) => {
      const [r, o] = [Math.floor(column / outputs), column % outputs];
      return weights[(i * outputs + o) * taps + r + (k === 0 ? stride : 0)]!;
    };
    graph.replace(node, [
      ...writeDynamicMatMul(graph, {
        prefix,
        input: node.input![0]!,
        size: [2, inputs, stride * outputs],
        matrix,
        bias: Float64Array.from({ length: stride * outputs }, (_, column) => bias[column % outputs]!),
        dilation: 1,
        pads: [1, 1],
        output: `${prefix}/y`,
      }),
      makeNode("Reshape", [`${prefix}/y`, constant("fine", [1, -1, outputs])], [`${prefix}/y1`]),
      makeNode(
        "Slice",
        [`${prefix}/y1`, constant("start", [stride / 2]), constant("end", [-stride / 2]), constant("axis", [1])],
        [`${prefix}/y2`],
      ),
      makeNode("Transpose", [`${prefix}/y2`], [node.output![0]!], { attributes: { perm: [0, 2, 1] } }),
    ]);
  }
  graph.apply();
}

interface DynamicMatMul {
  readonly prefix: string;
  readonly input: string;
  readonly size: readonly [taps: number, inputs: number, outputs: number];
  readonly matrix: (tap: number, input: number, output: number) => number;
  readonly bias: Float64Array | undefined;
  readonly dilation: number;
  readonly pads: readonly [number, number];
  readonly output: string;
}

function writeDynamicMatMul(graph: OnnxGraph, wanted: DynamicMatMul): GraphNode[] {
  const { prefix, matrix } = wanted;
  const [taps, inputs, outputs] = wanted.size;
  const scales = new Float64Array(outputs);
  const whole = new Int8Array(taps * inputs * outputs);
  for (let o = 0; o < outputs; o++) {
    let most = 0;
    for (let k = 0; k < taps; k++) for (let i = 0; i < inputs; i++) most = Math.max(most, Math.abs(matrix(k, i, o)));
    scales[o] = Math.max(most / 127, 1e-12);
    for (let k = 0; k < taps; k++) {
      for (let i = 0; i < inputs; i++) {
        whole[(k * inputs + i) * outputs + o] = Math.max(-127, Math.min(127, Math.round(matrix(k, i, o) / scales[o]!)));
      }
    }
  }
  const columns = gatherTaps(graph, {
    prefix,
    input: `${prefix}/q`,
    padValue: `${prefix}/xz`,
    pads: wanted.pads,
    dilation: wanted.dilation,
    channels: inputs,
    taps,
  });
  const operands = [
    columns.output,
    graph.addConstant(`${prefix}/w`, int8(whole, [taps * inputs, outputs])),
    `${prefix}/xs`,
    graph.addConstant(`${prefix}/ws`, float32(scales)),
    `${prefix}/xz`,
    graph.addConstant(`${prefix}/wz`, int8(new Int8Array(outputs))),
  ];
  if (wanted.bias) operands.push(graph.addConstant(`${prefix}/b`, float32(wanted.bias)));
  return [
    makeNode("DynamicQuantizeLinear", [wanted.input], [`${prefix}/q`, `${prefix}/xs`, `${prefix}/xz`]),
    ...columns.nodes,
    makeNode("MatMulIntegerToFloat", operands, [wanted.output], { domain: "com.microsoft" }),
  ];
}
