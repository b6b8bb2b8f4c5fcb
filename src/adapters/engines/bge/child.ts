import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { serveChild } from "../host/serve-child.ts";
import { TakeTurns } from "./take-turns.ts";
import { averageWindows, cutWindows } from "./windows.ts";

export interface BgeChildSettings {
  readonly folder: string;
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
}

const DIMENSIONS = 384;
const BEGIN = 101;
const END = 102;

serveChild({
  async load({ folder, lanes }: BgeChildSettings): Promise<Bge> {
    const readJson = async (name: string) => JSON.parse(await readFile(join(folder, name), "utf8")) as object;
    const tokenizer = new Tokenizer(await readJson("tokenizer.json"), await readJson("tokenizer_config.json"));
    const session = await InferenceSession.create(join(folder, "model_quantized.onnx"), {
      // A second thread for one text costs as much time as it saves; two texts on a thread each do not.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableMemPattern: false,
      logSeverityLevel: 3,
    });
    return { session, tokenizer, turns: new TakeTurns(lanes) };
  },
  tasks: {
    async *embed({ texts }: { texts: readonly string[] }, bge: Bge, signal) {
      const windows = texts.map((text) => cutWindows(bge.tokenizer.encode(text).ids.slice(1, -1)));
      const flat = windows.flat();
      // One text at a time: the model measures its numbers over the whole batch before it rounds them, so a text's vector
      // would change with its neighbours (cosine 0.993), and a batch is no faster.
      const states = await bge.turns.runAll(flat, (window) => read(bge.session, window), signal);
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

/** The state of the first token, which this model was trained to put the meaning of the text into. */
async function read(session: InferenceSession, window: readonly number[]): Promise<Float32Array> {
  const ids = BigInt64Array.from([BEGIN, ...window, END], BigInt);
  const shape = [1, ids.length];
  const output = await session.run({
    input_ids: new Tensor("int64", ids, shape),
    attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), shape),
  });
  const states = output.last_hidden_state!;
  const first = (states.data as Float32Array).slice(0, DIMENSIONS);
  states.dispose();
  return first;
}
