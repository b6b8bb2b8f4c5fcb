import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DeriveContext } from "../../models/pull.ts";
import { OnnxGraph } from "../../onnx-graph/graph.ts";
import { writeWhole } from "../../onnx-graph/write-whole.ts";
import { firstStepOf } from "../recogniser-graph/first-step.ts";
import { GRAPH_REPORT, LISTEN_GRAPHS, SHIPPED_DECODER, SHIPPED_ENCODER, STEP_GRAPH } from "./files.ts";
import type { Sign } from "./graph/layer-parts.ts";
import { writeListen } from "./graph/write-listen.ts";
import { writeStep } from "./graph/write-step.ts";
import { readRules } from "./rules.ts";
import { type ListenTrial, meanDifference, tryListen } from "./try-listen.ts";

/** Unsigned weights are exact on every processor, so they are what others are compared with. */
const SIGNS: readonly Sign[] = ["unsigned", "signed"];
/** Difference of the keys, as a share of their size. Rounding is below 0.02; sums that overflow, as signed ones do on x64 without
 *  VNNI, are far above. */
const LARGEST_DIFFERENCE = 0.05;

interface Candidate {
  readonly sign: Sign;
  readonly trial: ListenTrial;
  readonly difference: number;
}

/** Writes both graphs anew with the operators that the runtime has for what they do, from the same weights: with unsigned weights, and
 *  with signed ones where they are right and quicker. */
export async function compactGraphs({ folder, places, onProgress, signal }: DeriveContext): Promise<void> {
  const encoder = new OnnxGraph(await readFile(join(folder, SHIPPED_ENCODER)));
  const decoder = firstStepOf(await readFile(join(folder, SHIPPED_DECODER)));
  const candidates: Candidate[] = [];
  const pathsOf = (sign: Sign) => LISTEN_GRAPHS.map((name) => join(places.tuned, `${name}.${process.pid}.${sign}.new`));
  try {
    for (const [index, sign] of SIGNS.entries()) {
      onProgress(index / 3);
      signal?.throwIfAborted();
      const paths = pathsOf(sign);
      const parts = writeListen(encoder, decoder, sign, paths.length);
      for (const path of paths) await writeFile(path, parts.next().value!);
      const trial = await tryListen(paths);
      const difference = meanDifference(candidates[0]?.trial.keys ?? trial.keys, trial.keys);
      candidates.push({ sign, trial, difference });
    }
    const chosen = candidates
      .filter(({ difference }) => difference <= LARGEST_DIFFERENCE)
      .reduce((best, one) => (one.trial.cpuSeconds < best.trial.cpuSeconds ? one : best));
    onProgress(2 / 3);
    const rules = await readRules(folder);
    for (const sign of new Set(["unsigned", chosen.sign] as const)) {
      const place = sign === "unsigned" ? places.portable : places.tuned;
      for (const [part, path] of pathsOf(sign).entries()) await rename(path, join(place, LISTEN_GRAPHS[part]!));
      // Last: who looks for it finds the others.
      await writeWhole(join(place, STEP_GRAPH), writeStep(decoder, rules, sign));
    }
    if (chosen.sign === "unsigned") await rm(join(places.tuned, STEP_GRAPH), { force: true });
    await writeFile(join(places.tuned, GRAPH_REPORT), `${JSON.stringify(report(chosen, candidates), null, 2)}\n`);
  } finally {
    for (const path of SIGNS.flatMap(pathsOf)) await rm(path, { force: true });
  }
}

function report(chosen: Candidate, candidates: readonly Candidate[]): object {
  const trials = candidates.map(({ sign, trial, difference }) => ({ sign, cpuSeconds: trial.cpuSeconds, difference }));
  return { chosen: chosen.sign, trials };
}
