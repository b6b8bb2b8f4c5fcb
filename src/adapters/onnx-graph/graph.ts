import onnxProto from "onnx-proto";
import { type GraphTensor, readTensor, writeTensor } from "./tensor.ts";

const { onnx } = onnxProto;
export type GraphNode = onnxProto.onnx.INodeProto;
export const runtimeDomain = "com.microsoft";
export type Attributes = Record<string, number | number[] | string | { float: number }>;

/** What is known of a value that comes from elsewhere. A dimension with a name may be of any size. */
export interface PartInput {
  readonly type: string;
  readonly dims: readonly (number | string)[];
}

/** The runtime's names of types, as ONNX numbers them. */
const elemTypes: Readonly<Record<string, number>> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  float64: 11,
};

/** An ONNX graph that can be read and edited. Edits are collected and take effect, all at once, with `apply`. */
export class OnnxGraph {
  readonly #model: onnxProto.onnx.ModelProto;
  #constants = new Map<string, onnxProto.onnx.ITensorProto>();
  #producers = new Map<string, GraphNode>();
  #consumers = new Map<string, GraphNode[]>();
  #replacements = new Map<GraphNode, GraphNode[]>();

  constructor(model: Uint8Array | onnxProto.onnx.ModelProto) {
    this.#model = model instanceof Uint8Array ? onnx.ModelProto.decode(model) : model;
    this.#index();
  }

  get nodes(): readonly GraphNode[] {
    return this.#graph.node!;
  }

  get #graph(): onnxProto.onnx.IGraphProto {
    return this.#model.graph!;
  }

  producerOf(value: string): GraphNode | undefined {
    return this.#producers.get(value);
  }

  consumersOf(value: string): readonly GraphNode[] {
    return this.#consumers.get(value) ?? [];
  }

  /** The only consumer of a value, when there is exactly one. */
  onlyConsumerOf(value: string): GraphNode | undefined {
    const consumers = this.consumersOf(value);
    return consumers.length === 1 ? consumers[0] : undefined;
  }

  isConstant(value: string): boolean {
    return this.#constants.has(value);
  }

  getConstant(value: string): GraphTensor {
    const proto = this.#constants.get(value);
    if (proto === undefined) throw new Error(`the graph has no constant "${value}"`);
    return readTensor(proto);
  }

  /** Adds a constant and returns its name, for use as an input. The same name twice keeps the first. */
  addConstant(name: string, tensor: GraphTensor): string {
    if (!this.#constants.has(name)) this.#constants.set(name, writeTensor(name, tensor));
    return name;
  }

  changeConstants(change: (tensor: GraphTensor) => GraphTensor): void {
    for (const [name, proto] of this.#constants) Object.assign(proto, writeTensor(name, change(readTensor(proto))));
  }

  replace(node: GraphNode, nodes: GraphNode[]): void {
    this.#replacements.set(node, nodes);
  }

  get inputs(): readonly string[] {
    return this.#graph.input!.map(({ name }) => name!);
  }

  get outputs(): readonly string[] {
    return this.#graph.output!.map(({ name }) => name!);
  }

  removeOutput(name: string): void {
    this.#graph.output = this.#graph.output!.filter((output) => output.name !== name);
  }

  addOutput(name: string, type = "float32"): void {
    this.#graph.output!.push({ name, type: { tensorType: { elemType: elemTypes[type]! } } });
  }

  /** Lets nodes be the runtime's own, beside those of ONNX. */
  allowRuntimeNodes(): void {
    const domains = this.#model.opsetImport;
    if (!domains.some(({ domain }) => domain === runtimeDomain)) domains.push({ domain: runtimeDomain, version: 1 });
  }

  /** A dimension with a name may be of any size. */
  addInput(name: string, dims: readonly (number | string)[]): void {
    this.#graph.input!.push(declare(name, { type: "float32", dims }));
  }

  removeInput(name: string): void {
    this.#graph.input = this.#graph.input!.filter((input) => input.name !== name);
  }

  /** Puts every replacement in its node's place and drops what no output needs any more. */
  apply(): void {
    const all = this.nodes.flatMap((node) => this.#replacements.get(node) ?? [node]);
    this.#replacements.clear();
    const kept = leadingTo(this.outputs, all);
    const nodes = all.filter((node) => kept.has(node));
    const used = new Set(nodes.flatMap((node) => node.input!));
    this.#graph.node = nodes;
    this.#graph.initializer = [...this.#constants.values()].filter((tensor) => used.has(tensor.name!));
    // Shapes noted for values that may have changed would only mislead the runtime.
    this.#graph.valueInfo = [];
    this.#index();
  }

  write(): Uint8Array {
    return onnx.ModelProto.encode(this.#model).finish();
  }

  /** Some of its nodes as a graph of their own. What they take from other nodes is declared as it is `known`; of what they give to
   *  others the runtime finds the type out by itself. */
  writePart(
    nodes: readonly GraphNode[],
    known: ReadonlyMap<string, PartInput>,
    outputs: readonly string[],
  ): Uint8Array {
    const made = new Set(nodes.flatMap((node) => node.output!));
    const used = [...new Set(nodes.flatMap((node) => node.input!))].filter((name) => name !== "" && !made.has(name));
    const graph = {
      ...this.#graph,
      node: [...nodes],
      initializer: used.flatMap((name) => this.#constants.get(name) ?? []),
      input: used
        .filter((name) => !this.#constants.has(name))
        .map((name) => this.#graph.input!.find((input) => input.name === name) ?? declare(name, known.get(name)!)),
      output: outputs.map((name) => this.#graph.output!.find((output) => output.name === name) ?? { name }),
      valueInfo: [],
    };
    return onnx.ModelProto.encode({ ...this.#model, graph }).finish();
  }

  #index(): void {
    this.#constants = new Map(this.#graph.initializer!.map((tensor) => [tensor.name!, tensor]));
    this.#producers = new Map();
    this.#consumers = new Map();
    for (const node of this.nodes) {
      for (const output of node.output!) this.#producers.set(output, node);
      for (const input of new Set(node.input!)) {
        const known = this.#consumers.get(input);
        if (known) known.push(node);
        else this.#consumers.set(input, [node]);
      }
    }
  }
}

/** The nodes that these values are made by, and those that make what they take. */
function leadingTo(values: readonly string[], nodes: readonly GraphNode[]): ReadonlySet<GraphNode> {
  const producers = new Map(nodes.flatMap((node) => node.output!.map((output) => [output, node] as const)));
  const found = new Set<GraphNode>();
  const open = [...values];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const node = producers.get(value);
    if (!node || found.has(node)) continue;
    found.add(node);
    open.push(...node.input!);
  }
  return found;
}

function declare(name: string, { type, dims }: PartInput): onnxProto.onnx.IValueInfoProto {
  const dim = dims.map((size) => (typeof size === "number" ? { dimValue: size } : { dimParam: size }));
  const shape = dim.length > 0 ? { shape: { dim } } : {};
  return { name, type: { tensorType: { elemType: elemTypes[type]!, ...shape } } };
}

export interface NodeOptions {
  readonly name?: string;
  readonly domain?: string;
  readonly attributes?: Attributes;
}

export function makeNode(op: string, inputs: string[], outputs: string[], options: NodeOptions = {}): GraphNode {
  const { INT, INTS, FLOAT, STRING } = onnx.AttributeProto.AttributeType;
  const attribute = Object.entries(options.attributes ?? {}).map(([name, value]) =>
    Array.isArray(value)
      ? { name, type: INTS, ints: value }
      : typeof value === "number"
        ? { name, type: INT, i: value }
        : typeof value === "string"
          ? { name, type: STRING, s: new TextEncoder().encode(value) }
          : { name, type: FLOAT, f: value.float },
  );
  return {
    opType: op,
    input: inputs,
    output: outputs,
    name: options.name ?? outputs[0]!,
    domain: options.domain ?? "",
    attribute,
  };
}

/** A list attribute such as `pads`; undefined when the node does not have it. */
export function intsOf(node: GraphNode, name: string): number[] | undefined {
  return node.attribute?.find((attribute) => attribute.name === name)?.ints?.map(Number);
}

/** The other input of a node with two. */
export function otherInput(node: GraphNode, input: string): string {
  return node.input!.find((name) => name !== input)!;
}
