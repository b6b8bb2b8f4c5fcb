import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { packageRoot } from "../../../platform/package-root.ts";
import type { DeriveContext } from "../../models/pull.ts";
import { chooseGraph, type GraphTrial } from "../voice-graph/choose-graph.ts";
import { KOKORO_GRAPH, KOKORO_GRAPH_REPORT } from "./files.ts";
import { buildGraph, type GraphVariant } from "./graph/build-graph.ts";
import type { GeneratorRanges } from "./graph/quantize-snakes.ts";
import { toSymbolIds } from "./symbols.ts";

/** "The old train crossed the narrow bridge just before the storm arrived." */
const SENTENCE = "ðɪ ˈOld tɹˈAn kɹˈɔst ðə nˈæɹO bɹˈɪʤ ʤˈʌst bəfˌɔɹ ðə stˈɔɹm əɹˈIvd.";
const VOICES = ["af_heart", "am_michael"];
/** A sound this near to the shipped graph's has the same words: the int8 graph is at 2, another sentence at 10 and more. */
const LARGEST_MEL_DISTANCE = 4;

export async function chooseKokoroGraph(context: DeriveContext): Promise<void> {
  const { folder } = context;
  const shipped = await readFile(join(folder, "kokoro-quantized.onnx"));
  const ranges = JSON.parse(
    await readFile(join(packageRoot(), "models", "kokoro-ranges.json"), "utf8"),
  ) as GeneratorRanges;
  // Half precision pays only where the processor computes in it, which ARM does and x64 does not.
  const variants: GraphVariant[] = process.arch === "arm64" ? ["int8", "float16", "float32"] : ["int8", "float32"];
  await chooseGraph({
    ...context,
    output: KOKORO_GRAPH,
    report: KOKORO_GRAPH_REPORT,
    variants: [
      { name: "shipped", build: () => shipped },
      ...variants.map((name) => ({ name, build: () => buildGraph(shipped, name, ranges) })),
    ],
    tryGraph: (path) => tryGraph(path, folder),
    sampleRateHz: 24000,
    largestMelDistance: LARGEST_MEL_DISTANCE,
    // Reached in whole numbers only, and then nothing else comes near.
    enough: 2,
  });
}

async function tryGraph(path: string, folder: string): Promise<GraphTrial> {
  const session = await InferenceSession.create(path, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const ids = toSymbolIds(SENTENCE);
  const waves: Float32Array[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const voice of VOICES) {
    const table = await readFile(join(folder, "voices", `${voice}.bin`));
    const style = Float32Array.from({ length: 256 }, (_, i) => table.readFloatLE((ids.length * 256 + i) * 4));
    const before = process.cpuUsage();
    const output = await session.run({
      input_ids: new Tensor("int64", BigInt64Array.from([0, ...ids, 0].map(BigInt)), [1, ids.length + 2]),
      style: new Tensor("float32", style, [1, 256]),
      speed: new Tensor("float32", Float32Array.of(1), [1]),
    });
    const { user, system } = process.cpuUsage(before);
    const wave = Float32Array.from(output.waveform!.data as Float32Array);
    least = Math.min(least, (user + system) / 1e6 / (wave.length / 24000));
    waves.push(wave);
  }
  await session.release();
  return { waves, cpuPerAudioSecond: least };
}
