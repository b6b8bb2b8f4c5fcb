import { setImmediate as nextTurn } from "node:timers/promises";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { HEAD_SIZE } from "./graph/layer-parts.ts";
import { type ListenWindow, listenInputs } from "./listen-inputs.ts";

/** Memory for the speech that one job listens to. Kept from one speech to the next: 74 kB for each 20 ms, which the garbage collector
 *  would notice late. */
export class Room {
  #values = new Float32Array(0);
  #rows: [Float32Array, Float32Array] = [this.#values, this.#values];

  /** Place for what the last graph gives. */
  keys(names: readonly string[], dims: readonly number[]): Record<string, Tensor> {
    const each = sizeOf(dims);
    if (this.#values.length < each * names.length) this.#values = new Float32Array(each * names.length);
    const values = this.#values;
    return Object.fromEntries(
      names.map((name, i) => [name, new Tensor("float32", values.subarray(i * each, (i + 1) * each), dims)]),
    );
  }

  /** Place for what a graph gives to the next, which reads it while it writes its own. */
  rows(part: number, dims: readonly number[]): Tensor {
    const [size, at] = [sizeOf(dims), part % 2];
    if (this.#rows[at]!.length < size) this.#rows[at] = new Float32Array(size);
    return new Tensor("float32", this.#rows[at]!.subarray(0, size), dims);
  }
}

/** Speech as the decoder looks at it. Valid until the next is listened to in the same room. */
export interface Speech {
  readonly keys: Readonly<Record<string, Tensor>>;
  readonly rows: number;
  /** Those that are sound; the others are silence behind it. */
  readonly spokenRows: number;
}

/** The graphs from sound to what the decoder looks at, one after the other. */
export class Listener {
  readonly #parts: readonly InferenceSession[];
  readonly #heads: number;

  private constructor(parts: readonly InferenceSession[]) {
    this.#parts = parts;
    this.#heads = widthOf(parts.at(-1)!) / HEAD_SIZE;
  }

  static async open(paths: readonly string[], options: InferenceSession.SessionOptions): Promise<Listener> {
    const parts: InferenceSession[] = [];
    for (const path of paths) parts.push(await InferenceSession.create(path, options));
    return new Listener(parts);
  }

  async listen(samples: Float32Array, window: ListenWindow, room: Room, signal: AbortSignal): Promise<Speech> {
    const { feeds, rows, spokenRows } = listenInputs(samples, window);
    let given: Record<string, Tensor> = feeds;
    for (const [index, part] of this.#parts.slice(0, -1).entries()) {
      const then = room.rows(index, [1, rows, this.#heads * HEAD_SIZE]);
      await this.#goOn(signal);
      await part.run(given, { rows_then: then });
      given = { rows: then };
    }
    const last = this.#parts.at(-1)!;
    const keys = room.keys(last.outputNames, [1, this.#heads, rows, HEAD_SIZE]);
    await this.#goOn(signal);
    await last.run(given, keys);
    return { keys, rows, spokenRows };
  }

  async release(): Promise<void> {
    for (const part of this.#parts) await part.release();
  }

  /** A graph keeps this thread to itself, so that an abort is only heard of between two of them. */
  async #goOn(signal: AbortSignal): Promise<void> {
    await nextTurn();
    signal.throwIfAborted();
  }
}

function sizeOf(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1);
}

/** The last graph declares it as a size of what it takes. */
function widthOf(last: InferenceSession): number {
  const rows = last.inputMetadata.find(({ name }) => name === "rows");
  const width = rows?.isTensor ? rows.shape[2] : undefined;
  if (typeof width !== "number") throw new Error("the last graph that listens does not say how wide its rows are");
  return width;
}
