import onnxProto from "onnx-proto";
import { type Attributes, makeNode } from "./graph.ts";
import { type GraphTensor, type TensorType, typeCode, writeTensor } from "./tensor.ts";

const { onnx } = onnxProto;

const OPSET = 17;
const IR_VERSION = 8;
/** Operators that only this runtime has. */
const RUNTIME_DOMAIN = "com.microsoft";

/** An ONNX graph that is written node by node. */
export class GraphBuilder {
  readonly #graph = new onnx.GraphProto({ name: "graph" });
  #count = 0;

  /** A size may be a number or, where it varies, a name. */
  input(name: string, type: TensorType, dims: readonly (number | string)[]): string {
    const shape = { dim: dims.map((dim) => (typeof dim === "number" ? { dimValue: dim } : { dimParam: dim })) };
    this.#graph.input.push({ name, type: { tensorType: { elemType: typeCode(type), shape } } });
    return name;
  }

  output(value: string, name: string, type: TensorType = "float32"): void {
    this.#graph.node.push(makeNode("Identity", [value], [name]));
    this.#graph.output.push({ name, type: { tensorType: { elemType: typeCode(type) } } });
  }

  constant(tensor: GraphTensor): string {
    const name = this.#newName("constant");
    this.#graph.initializer.push(writeTensor(name, tensor));
    return name;
  }

  /** Adds a node and returns the name of its only output. An empty name leaves an input out. */
  add(op: string, inputs: readonly string[], attributes: Attributes = {}): string {
    return this.addMany(op, inputs, 1, attributes)[0]!;
  }

  addMany(op: string, inputs: readonly string[], outputs: number, attributes: Attributes = {}): string[] {
    const names = Array.from({ length: outputs }, () => this.#newName(op));
    this.#graph.node.push(makeNode(op, [...inputs], names, { attributes }));
    return names;
  }

  /** The same for an operator that only this runtime has. */
  addFused(op: string, inputs: readonly string[], outputs: number, attributes: Attributes = {}): string[] {
    const names = Array.from({ length: outputs }, () => this.#newName(op));
    this.#graph.node.push(makeNode(op, [...inputs], names, { attributes, domain: RUNTIME_DOMAIN }));
    return names;
  }

  write(): Uint8Array {
    const opsetImport = [
      { domain: "", version: OPSET },
      { domain: RUNTIME_DOMAIN, version: 1 },
    ];
    const model = onnx.ModelProto.create({ irVersion: IR_VERSION, opsetImport, graph: this.#graph });
    return onnx.ModelProto.encode(model).finish();
  }

  #newName(kind: string): string {
    this.#count += 1;
    return `${kind}_${this.#count}`;
  }
}
