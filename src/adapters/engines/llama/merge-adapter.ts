import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { GraphBuilder } from "../../onnx-graph/graph-builder.ts";
import { BLOCK_BYTES, BLOCK_WEIGHTS, Q8_0, readBlocks, writeBlocks } from "./eight-bit-blocks.ts";
import { type Gguf, type GgufTensor, readGguf } from "./read-gguf.ts";

/** Adds a low-rank adapter (LoRA, as llama.cpp writes it) to the model's weights in place: what would cost time with every token
 *  costs it once. Both hold eight-bit blocks. */
export async function mergeAdapter(
  modelPath: string,
  adapterPath: string,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const adapter = readGguf(adapterPath);
  const targets = readGguf(modelPath).tensors;
  const names = [...adapter.tensors.keys()].filter((name) => name.endsWith(".lora_a")).map((name) => name.slice(0, -7));
  const model = openSync(modelPath, "r+");
  const source = openSync(adapterPath, "r");
  const multiply = await createMultiplier();
  try {
    for (const [index, name] of names.entries()) {
      const narrow = readFactors(source, adapter, name);
      const target = targets.get(name);
      if (target?.shape.join() !== `${narrow.columns},${narrow.rows}`)
        throw new Error(`The adapter does not fit the weights "${name}" of the model.`);
      addTo(model, eightBit(target, name), await multiply(narrow));
      onProgress((index + 1) / names.length);
    }
  } finally {
    closeSync(source);
    closeSync(model);
  }
}

interface Factors {
  readonly rows: number;
  readonly columns: number;
  readonly rank: number;
  /** rank x columns. */
  readonly down: Float32Array;
  /** rows x rank, with the adapter's strength in it. */
  readonly up: Float32Array;
}

function readFactors(file: number, adapter: Gguf, name: string): Factors {
  const read = (part: string) => {
    const tensor = eightBit(adapter.tensors.get(`${name}.${part}`), `${name}.${part}`);
    const weights = new Float32Array(tensor.shape[0]! * tensor.shape[1]!);
    readBlocks(readBytes(file, tensor.start, weights.length), weights);
    return { tensor, weights };
  };
  const down = read("lora_a");
  const up = read("lora_b");
  const [columns, rank] = down.tensor.shape as [number, number];
  const strength = Number(adapter.values.get("adapter.lora.alpha")) / rank;
  return {
    rows: up.tensor.shape[1]!,
    columns,
    rank,
    down: down.weights,
    up: up.weights.map((weight) => weight * strength),
  };
}

function eightBit(tensor: GgufTensor | undefined, name: string): GgufTensor {
  if (tensor?.type !== Q8_0) throw new Error(`The weights "${name}" are not there in eight bits.`);
  return tensor;
}

/** Thirty thousand million multiplications are the runtime's work: in this language they take minutes. */
async function createMultiplier(): Promise<(factors: Factors) => Promise<Float32Array>> {
  const graph = new GraphBuilder();
  const up = graph.input("up", "float32", ["rows", "rank"]);
  const down = graph.input("down", "float32", ["rank", "columns"]);
  graph.output(graph.add("MatMul", [up, down]), "product");
  const session = await InferenceSession.create(graph.write(), { logSeverityLevel: 3 });
  return async (factors) => {
    const { product } = await session.run({
      up: new Tensor("float32", factors.up, [factors.rows, factors.rank]),
      down: new Tensor("float32", factors.down, [factors.rank, factors.columns]),
    });
    return product!.data as Float32Array;
  };
}

function addTo(file: number, { start }: GgufTensor, addition: Float32Array): void {
  const bytes = readBytes(file, start, addition.length);
  const weights = new Float32Array(addition.length);
  readBlocks(bytes, weights);
  for (let place = 0; place < weights.length; place++) weights[place]! += addition[place]!;
  writeBlocks(weights, bytes);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, start + done);
}

function readBytes(file: number, start: number, weights: number): Buffer {
  const bytes = Buffer.alloc((weights / BLOCK_WEIGHTS) * BLOCK_BYTES);
  for (let done = 0; done < bytes.length; ) {
    const got = readSync(file, bytes, done, bytes.length - done, start + done);
    if (got === 0) throw new Error("The file of weights ends too early.");
    done += got;
  }
  return bytes;
}
