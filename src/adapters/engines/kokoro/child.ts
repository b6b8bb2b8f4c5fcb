import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tensor } from "onnxruntime-node";
import type { GraphNode } from "../../onnx-graph/graph.ts";
import { GraphSteps } from "../../onnx-graph/graph-steps.ts";
import { serveChild } from "../host/serve-child.ts";
import { ShortFirst } from "../host/short-first.ts";

export interface KokoroChildSettings {
  readonly graph: string;
  readonly voices: string;
  readonly threads: number;
}

export interface KokoroJob {
  readonly ids: readonly number[];
  readonly voice: string;
  readonly speed: number;
}

interface Kokoro {
  readonly steps: GraphSteps;
  readonly turns: ShortFirst;
  readonly voicesFolder: string;
  readonly voices: Map<string, Float32Array>;
}

const STYLE_NUMBERS = 256;
const STYLE_ROWS = 510;

serveChild({
  async load(settings: KokoroChildSettings): Promise<Kokoro> {
    const steps = await GraphSteps.open(await readFile(settings.graph), endsStep, {
      intraOpNumThreads: settings.threads,
      interOpNumThreads: 1,
      graphOptimizationLevel: "all",
      // Sentences differ in length, so a pattern of one would only hold memory for the next.
      enableMemPattern: false,
      // Each step would keep what the longest sentence took.
      enableCpuMemArena: false,
      // A waiting thread that spins takes the time of others: a quarter more CPU for nothing.
      extra: { session: { "intra_op.allow_spinning": "0" } },
      logSeverityLevel: 3,
    });
    return { steps, turns: new ShortFirst(), voicesFolder: settings.voices, voices: new Map() };
  },
  tasks: {
    async *synthesize(job: KokoroJob, kokoro: Kokoro, signal) {
      const style = await styleFor(kokoro, job.voice, job.ids.length);
      const feeds = {
        input_ids: new Tensor("int64", BigInt64Array.from([0, ...job.ids, 0].map(BigInt)), [1, job.ids.length + 2]),
        style: new Tensor("float32", style, [1, STYLE_NUMBERS]),
        speed: new Tensor("float32", Float32Array.of(job.speed), [1]),
      };
      const { steps, turns } = kokoro;
      const output = await turns.run(job.ids.length, signal, (between) => steps.run(feeds, between));
      const wave = output.waveform!;
      yield wave.data as Float32Array;
      wave.dispose();
    },
  },
});

/** Behind what makes the melody, and in the generator, which makes nearly all of the work, behind each third of its residual blocks: no
 *  step takes more than a quarter of a sentence's time, and little has to be carried from one to the next. */
const STEP_ENDS = /encoder\/N_proj\/Conv$|generator\/(?:noise_res\.1|resblocks\.[25])\/Add_[258]$|generator\/Add_2$/;

function endsStep({ name }: GraphNode): boolean {
  return STEP_ENDS.test(name!);
}

/** A voice is a table with a row for each length of input: how it sounds depends a little on how much it has to say. */
async function styleFor(kokoro: Kokoro, voice: string, symbols: number): Promise<Float32Array> {
  let table = kokoro.voices.get(voice);
  if (table === undefined) {
    const bytes = await readFile(join(kokoro.voicesFolder, `${voice}.bin`));
    table = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    kokoro.voices.set(voice, table);
  }
  const row = Math.min(symbols, STYLE_ROWS - 1) * STYLE_NUMBERS;
  return table.slice(row, row + STYLE_NUMBERS);
}
