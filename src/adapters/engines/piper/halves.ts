import { InferenceSession, Tensor } from "onnxruntime-node";
import { PIPER_SPEAKER_INPUT, SPEAKER_NUMBERS } from "./files.ts";
import { PLAN, PLAN_ROWS, SPEAKER, splitGraph, WAVE } from "./split-graph.ts";

/** Piper's graph in two sessions, so that the beginning of a wave is there before the rest is made. */
export interface Halves {
  readonly plan: InferenceSession;
  readonly wave: InferenceSession;
}

/** What a sound will be, column by column, and who makes it. */
export interface Plan {
  readonly values: Float32Array;
  readonly columns: number;
  readonly speaker: Float32Array;
}

export interface PlanWanted {
  readonly ids: readonly number[];
  readonly speaker: Float32Array;
  readonly speed: number;
  /** How much melody and timing vary by chance. */
  readonly noise: number;
}

const COLUMN_SAMPLES = 256;
/** 0.3 s: the rest of a sentence of 3 s is there before they are over. */
const FIRST_COLUMNS = 26;
/** How far a sample depends on the plan around it: 3 columns for the first convolution, 1 for the upsampling after it, 6 for the
 *  widest of the next (45 samples at 8 a column), and 1 for all that follow. */
const CONTEXT_COLUMNS = 12;

export async function openHalves(graph: Uint8Array, threads: number): Promise<Halves> {
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableMemPattern: false,
    // A waiting thread that spins takes the time of others: a quarter more CPU for nothing.
    extra: { session: { "intra_op.allow_spinning": "0" } },
    logSeverityLevel: 3,
  };
  const halves = splitGraph(graph);
  const [plan, wave] = await Promise.all([
    InferenceSession.create(halves.plan, options),
    InferenceSession.create(halves.wave, options),
  ]);
  return { plan, wave };
}

export async function makePlan(halves: Halves, { ids, speaker, speed, noise }: PlanWanted): Promise<Plan> {
  const output = await halves.plan.run({
    input: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
    input_lengths: new Tensor("int64", BigInt64Array.of(BigInt(ids.length)), [1]),
    scales: new Tensor("float32", Float32Array.of(noise, 1 / speed, noise), [3]),
    [PIPER_SPEAKER_INPUT]: new Tensor("float32", speaker, [1, SPEAKER_NUMBERS]),
  });
  const values = (output[PLAN]!.data as Float32Array).slice();
  output[PLAN]!.dispose();
  return { values, columns: values.length / PLAN_ROWS, speaker };
}

/** The wave of some columns of a plan, as it is in the wave of all of them. */
export async function makeWave(halves: Halves, plan: Plan, from = 0, to = plan.columns): Promise<Float32Array> {
  const { values, columns, speaker } = plan;
  const first = Math.max(0, from - CONTEXT_COLUMNS);
  const last = Math.min(columns, to + CONTEXT_COLUMNS);
  const part = new Float32Array(PLAN_ROWS * (last - first));
  for (let row = 0; row < PLAN_ROWS; row++) {
    part.set(values.subarray(row * columns + first, row * columns + last), row * (last - first));
  }
  const output = await halves.wave.run({
    [PLAN]: new Tensor("float32", part, [1, PLAN_ROWS, last - first]),
    [SPEAKER]: new Tensor("float32", speaker, [1, SPEAKER_NUMBERS, 1]),
  });
  const samples = output[WAVE]!.data as Float32Array;
  const wave = samples.slice((from - first) * COLUMN_SAMPLES, (to - first) * COLUMN_SAMPLES);
  output[WAVE]!.dispose();
  return wave;
}

/** The beginning of a wave and then its rest; all of it at once where it is short. */
export async function* makeParts(
  halves: Halves,
  plan: Plan,
): AsyncGenerator<{ samples: Float32Array; isLast: boolean }> {
  const cut = plan.columns > FIRST_COLUMNS + CONTEXT_COLUMNS ? FIRST_COLUMNS : 0;
  if (cut > 0) yield { samples: await makeWave(halves, plan, 0, cut), isLast: false };
  yield { samples: await makeWave(halves, plan, cut), isLast: true };
}
