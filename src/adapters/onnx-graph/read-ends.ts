import { closeSync, fstatSync, openSync } from "node:fs";
import onnxProto from "onnx-proto";
import { readBytes, walkFields } from "./walk-fields.ts";

const { onnx } = onnxProto;

export interface GraphEnd {
  readonly name: string;
  /** How many dimensions it has; undefined where the file does not say. */
  readonly rank: number | undefined;
}

export interface GraphEnds {
  readonly inputs: readonly GraphEnd[];
  readonly outputs: readonly GraphEnd[];
}

/** Fields of onnx.proto: the graph of a model, inputs and outputs of a graph. */
const GRAPH = 7;
const INPUT = 11;
const OUTPUT = 12;

/** What goes into an ONNX graph and comes out of it, without its weights. Undefined for a file that is not ONNX or is cut. */
export function readGraphEnds(path: string): GraphEnds | undefined {
  const file = openSync(path, "r");
  try {
    const inputs: GraphEnd[] = [];
    const outputs: GraphEnd[] = [];
    const read = (start: number, length: number): GraphEnd => {
      const { name, type } = onnx.ValueInfoProto.decode(readBytes(file, start, length));
      return { name: name ?? "", rank: type?.tensorType?.shape?.dim?.length };
    };
    let isWhole = true;
    const isModel = walkFields(file, 0, fstatSync(file).size, (field) => {
      if (field.number !== GRAPH) return;
      isWhole &&= walkFields(file, field.start, field.start + field.length, ({ number, start, length }) => {
        if (number === INPUT) inputs.push(read(start, length));
        if (number === OUTPUT) outputs.push(read(start, length));
      });
    });
    return isModel && isWhole && outputs.length > 0 ? { inputs, outputs } : undefined;
  } catch {
    // Bytes that look like ONNX and are not.
    return undefined;
  } finally {
    closeSync(file);
  }
}
