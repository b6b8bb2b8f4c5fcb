import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { DeriveContext } from "../../models/pull.ts";
import { OnnxGraph } from "../../onnx-graph/graph.ts";
import { writeWhole } from "../../onnx-graph/write-whole.ts";
import { chooseGraph, type GraphTrial } from "../voice-graph/choose-graph.ts";
import { buildPiperGraph, cutSpeakerTable, type PiperVariant } from "./build-graph.ts";
import { PIPER_GRAPH, PIPER_GRAPH_REPORT, PIPER_SPEAKER_INPUT, PIPER_SPEAKERS, SPEAKER_NUMBERS } from "./files.ts";
import { readPiperTokens, toPiperIds } from "./piper-ids.ts";

/** "The old train crossed the narrow bridge." */
const SENTENCE = "ðɪ ˈoʊld tɹˈeɪn kɹˈɔst ðə nˈæɹoʊ bɹˈɪdʒ.";
const SPEAKERS = [0, 100, 500];
/** Rounding to 16 bits is far below this, and another sentence far above. */
const LARGEST_MEL_DISTANCE = 2;

/** The table of speakers as a file of its own. */
export async function writeSpeakers({ folder }: DeriveContext): Promise<void> {
  const shipped = await readFile(join(folder, "model.onnx"));
  await writeWhole(join(folder, PIPER_SPEAKERS), cutSpeakerTable(new OnnxGraph(shipped)));
}

/** The graph without that table. */
export async function choosePiperGraph(context: DeriveContext): Promise<void> {
  const { folder } = context;
  const shipped = await readFile(join(folder, "model.onnx"));
  const speakers = new Uint8Array(await readFile(join(folder, PIPER_SPEAKERS)));
  const tokens = readPiperTokens(await readFile(join(folder, "tokens.txt"), "utf8"));
  // Half precision pays only where the processor computes in it, which ARM does and x64 does not.
  const variants: PiperVariant[] =
    process.arch === "arm64" ? ["shipped", "float32", "float16"] : ["shipped", "float32"];
  await chooseGraph({
    ...context,
    output: PIPER_GRAPH,
    report: PIPER_GRAPH_REPORT,
    variants: variants.map((name) => ({ name, build: () => buildPiperGraph(shipped, name) })),
    tryGraph: (path) => tryGraph(path, toPiperIds(SENTENCE, tokens), speakers),
    sampleRateHz: 22050,
    largestMelDistance: LARGEST_MEL_DISTANCE,
    enough: 2,
  });
}

/** Without noise, so that every graph says it in the same way. */
async function tryGraph(path: string, ids: readonly number[], speakers: Uint8Array): Promise<GraphTrial> {
  const session = await InferenceSession.create(path, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const bytes = SPEAKER_NUMBERS * Float32Array.BYTES_PER_ELEMENT;
  const waves: Float32Array[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const speaker of SPEAKERS) {
    const vector = new Float32Array(speakers.slice(speaker * bytes, (speaker + 1) * bytes).buffer);
    const before = process.cpuUsage();
    const { output } = await session.run({
      input: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
      input_lengths: new Tensor("int64", BigInt64Array.of(BigInt(ids.length)), [1]),
      scales: new Tensor("float32", Float32Array.of(0, 1, 0), [3]),
      [PIPER_SPEAKER_INPUT]: new Tensor("float32", vector, [1, SPEAKER_NUMBERS]),
    });
    const { user, system } = process.cpuUsage(before);
    const wave = Float32Array.from(output!.data as Float32Array);
    least = Math.min(least, (user + system) / 1e6 / (wave.length / 22050));
    waves.push(wave);
  }
  await session.release();
  return { waves, cpuPerAudioSecond: least };
}
