import { InferenceSession, type OnnxValue, type Tensor } from "onnxruntime-node";
import { type GraphNode, OnnxGraph, type PartInput } from "./graph.ts";

type Values = Record<string, Tensor>;

interface Step {
  readonly session: InferenceSession;
  readonly inputs: readonly string[];
  /** Values that nobody needs after it. */
  readonly spent: readonly string[];
}

/** A graph in pieces that run one after the other and give the same numbers. The runtime holds its process for as long as it runs;
 *  between two steps the process can do something else. */
export class GraphSteps {
  readonly #steps: readonly Step[];

  private constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** Cuts the graph behind each node that `isCut` names. */
  static async open(
    bytes: Uint8Array,
    isCut: (node: GraphNode) => boolean,
    options: InferenceSession.SessionOptions,
  ): Promise<GraphSteps> {
    const graph = new OnnxGraph(bytes);
    const pieces = cut(graph.nodes, isCut);
    const lastUse = new Map<string, number>(graph.outputs.map((name) => [name, pieces.length]));
    for (const [index, nodes] of pieces.entries()) {
      for (const name of nodes.flatMap((node) => node.input!))
        lastUse.set(name, Math.max(index, lastUse.get(name) ?? 0));
    }
    // What the runtime found out about the values of one piece is what the next one declares of its inputs.
    const known = new Map<string, PartInput>();
    const steps: Step[] = [];
    for (const [index, nodes] of pieces.entries()) {
      const made = new Set(nodes.flatMap((node) => node.output!));
      const outputs = [...made].filter((name) => (lastUse.get(name) ?? -1) > index);
      const session = await InferenceSession.create(graph.writePart(nodes, known, outputs), options);
      for (const value of session.outputMetadata) {
        if (value.isTensor) known.set(value.name, { type: value.type, dims: value.shape });
      }
      const spent = [...lastUse].filter(([, last]) => last === index).map(([name]) => name);
      steps.push({ session, inputs: session.inputNames, spent });
    }
    return new GraphSteps(steps);
  }

  /** `between` is waited for before each step but the first. */
  async run(feeds: Readonly<Values>, between: () => Promise<void>): Promise<Values> {
    let values: Values = { ...feeds };
    for (const [index, { session, inputs, spent }] of this.#steps.entries()) {
      if (index > 0) await between();
      const made = await session.run(Object.fromEntries(inputs.map((name) => [name, values[name] as OnnxValue])));
      values = { ...values, ...(made as Values) };
      for (const name of spent) delete values[name];
    }
    return values;
  }
}

function cut(nodes: readonly GraphNode[], isCut: (node: GraphNode) => boolean): GraphNode[][] {
  const pieces: GraphNode[][] = [[]];
  for (const node of nodes) {
    pieces.at(-1)!.push(node);
    if (isCut(node)) pieces.push([]);
  }
  return pieces.filter((piece) => piece.length > 0);
}
