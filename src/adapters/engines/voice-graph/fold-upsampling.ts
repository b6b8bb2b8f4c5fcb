import { intsOf, makeNode, type OnnxGraph } from "../../onnx-graph/graph.ts";
import { float32, int64 } from "../../onnx-graph/tensor.ts";
import { readWeights } from "./read-weights.ts";

/** Transposed convolutions with a kernel of twice the stride become 2-tap convolutions whose channels are then woven together. */
export function foldUpsampling(graph: OnnxGraph): void {
  for (const node of graph.nodes.filter(({ opType, name }) => opType === "ConvTranspose" && name!.includes("/ups."))) {
    const stride = intsOf(node, "strides")![0]!;
    const { weights, dims, bias } = readWeights(graph, node);
    const [inputs, outputs, taps] = dims as [number, number, number];
    if (taps !== 2 * stride) throw new Error(`"${node.name}" has ${taps} taps for a stride of ${stride}`);
    const folded = new Float32Array(outputs * stride * inputs * 2);
    for (let o = 0; o < outputs; o++) {
      for (let r = 0; r < stride; r++) {
        for (let i = 0; i < inputs; i++) {
          const at = ((o * stride + r) * inputs + i) * 2;
          folded[at] = weights[(i * outputs + o) * taps + r + stride]!;
          folded[at + 1] = weights[(i * outputs + o) * taps + r]!;
        }
      }
    }
    const prefix = `up/${node.name}`;
    const constant = (name: string, values: number[]) => graph.addConstant(`${prefix}/${name}`, int64(values));
    const half = stride / 2;
    const repeated = Float32Array.from({ length: outputs * stride }, (_, index) => bias[Math.floor(index / stride)]!);
    graph.replace(node, [
      makeNode(
        "Conv",
        [
          node.input![0]!,
          graph.addConstant(`${prefix}/w`, float32(folded, [outputs * stride, inputs, 2])),
          graph.addConstant(`${prefix}/b`, float32(repeated)),
        ],
        [`${prefix}/y`],
        { attributes: { pads: [1, 1], kernel_shape: [2] } },
      ),
      makeNode("Reshape", [`${prefix}/y`, constant("apart", [outputs, stride, -1])], [`${prefix}/apart-y`]),
      makeNode("Transpose", [`${prefix}/apart-y`], [`${prefix}/woven`], { attributes: { perm: [0, 2, 1] } }),
      makeNode("Reshape", [`${prefix}/woven`, constant("flat", [1, outputs, -1])], [`${prefix}/whole`]),
      makeNode(
        "Slice",
        [`${prefix}/whole`, constant("start", [half]), constant("end", [-half]), constant("axis", [2])],
        [node.output![0]!],
      ),
    ]);
  }
  graph.apply();
}
