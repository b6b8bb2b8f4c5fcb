import { join } from "node:path";
import type { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { serveChild } from "../host/serve-child.ts";
import { openTokenizer } from "../own-weights/text-tokenizer.ts";
import { TakeTurns } from "./take-turns.ts";
import { averageWindows, cutWindows } from "./windows.ts";

export interface BgeChildSettings {
  readonly folder: string;
  readonly file: string;
  /** Where the model puts the meaning: into the state of the first token, or into all of them. */
  readonly pooling: "first" | "mean";
  /** Texts that are embedded side by side, each on a thread of its own. */
  readonly lanes: number;
}

export interface BgeAnswer {
  readonly vectors: Float32Array[];
  readonly inputTokens: number;
}

interface Bge {
  readonly session: InferenceSession;
  readonly tokenizer: Tokenizer;
  readonly turns: TakeTurns;
  readonly pooling: "first" | "mean";
  /** The tokens before and after a text. */
  readonly begin: number;
  readonly end: number;
}

serveChild({
  async load({ folder, file, lanes, pooling }: BgeChildSettings): Promise<Bge> {
    const { tokenizer } = openTokenizer(folder);
    const session = await InferenceSession.create(join(folder, file), {
      // A second thread for one text costs as much time as it saves; two texts on a thread each do not.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableMemPattern: false,
      logSeverityLevel: 3,
    });
    const around = tokenizer.encode("").ids;
    const [begin, end] = [around[0] ?? 0, around.at(-1) ?? 0];
    return { session, tokenizer, turns: new TakeTurns(lanes), pooling, begin, end };
  },
  tasks: {
    async *embed({ texts }: { texts: readonly string[] }, bge: Bge, signal) {
      const windows = texts.map((text) => cutWindows(bge.tokenizer.encode(text).ids.slice(1, -1)));
      const flat = windows.flat();
      // One text at a time: the model measures its numbers over the whole batch before it rounds them, so a text's vector
      // would change with its neighbours (cosine 0.993), and a batch is no faster.
      const states = await bge.turns.runAll(flat, (window) => read(bge, window), signal);
      let place = 0;
      const vectors = windows.map((own) => {
        const vectorsOfText = states.slice(place, place + own.length);
        place += own.length;
        return averageWindows(
          vectorsOfText,
          own.map((window) => window.length),
        );
      });
      yield { vectors, inputTokens: flat.reduce((sum, window) => sum + window.length + 2, 0) } satisfies BgeAnswer;
    },
  },
});

async function read({ session, pooling, begin, end }: Bge, window: readonly number[]): Promise<Float32Array> {
  const ids = BigInt64Array.from([begin, ...window, end], BigInt);
  const shape = [1, ids.length];
  const inputs: Record<string, Tensor> = {
    input_ids: new Tensor("int64", ids, shape),
    attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), shape),
  };
  const wanted = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name));
  const output = await session.run(Object.fromEntries(wanted), [session.outputNames[0]!]);
  const states = output[session.outputNames[0]!]!;
  const dimensions = states.dims.at(-1)!;
  const values = states.data as Float32Array;
  const vector = pooling === "first" ? values.slice(0, dimensions) : average(values, dimensions);
  states.dispose();
  return vector;
}

function average(values: Float32Array, dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  for (let i = 0; i < values.length; i++) sum[i % dimensions] = sum[i % dimensions]! + values[i]!;
  return sum.map((value) => (value * dimensions) / values.length);
}
