import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { melDistance } from "../../../audio/mel.ts";
import type { DeriveContext } from "../../models/pull.ts";

export interface GraphTrial {
  /** What it said, voice by voice. */
  readonly waves: readonly Float32Array[];
  readonly cpuPerAudioSecond: number;
}

export interface GraphChoice extends DeriveContext {
  /** The file that the chosen graph becomes, and the one that tells how it was chosen. */
  readonly output: string;
  readonly report: string;
  /** The same weights in graphs that suit different processors. The first is right on all, and the one to be compared with. */
  readonly variants: readonly { readonly name: string; build(): Uint8Array }[];
  tryGraph(path: string): Promise<GraphTrial>;
  readonly sampleRateHz: number;
  /** How far a sound may be from the first graph's and still say the same. */
  readonly largestMelDistance: number;
  /** So many times faster than the first, and no other is tried. */
  readonly enough: number;
}

interface Trial {
  readonly variant: string;
  readonly cpuPerAudioSecond: number;
  readonly melDistance: number;
}

/** Builds every candidate graph, tries each on this machine, and keeps the first and, where another is faster and still says the same,
 *  that. */
export async function chooseGraph(choice: GraphChoice): Promise<void> {
  const { places, output, report, variants, onProgress, signal } = choice;
  const scratch = join(places.tuned, `${output}.${process.pid}.new`);
  const kept = `${scratch}.best`;
  const trials: Trial[] = [];
  let reference: GraphTrial | undefined;
  let best: Trial | undefined;
  try {
    for (const [index, variant] of variants.entries()) {
      onProgress(index / variants.length);
      signal?.throwIfAborted();
      const trial = await tryVariant(variant).catch((error: unknown) => {
        // A graph this machine's runtime refuses is simply not a candidate.
        if (reference === undefined) throw error;
      });
      if (trial === undefined) continue;
      trials.push(trial);
      if (trial.melDistance > choice.largestMelDistance) continue;
      if (best && trial.cpuPerAudioSecond >= best.cpuPerAudioSecond) continue;
      best = trial;
      if (trial === trials[0]) await rename(scratch, join(places.portable, output));
      else await rename(scratch, kept);
      if (best.cpuPerAudioSecond * choice.enough < reference!.cpuPerAudioSecond) break;
    }
    await writeFile(join(places.tuned, report), `${JSON.stringify({ chosen: best!.variant, trials }, null, 2)}\n`);
    if (best === trials[0]) await rm(join(places.tuned, output), { force: true });
    else await rename(kept, join(places.tuned, output));
  } finally {
    await rm(scratch, { force: true });
    await rm(kept, { force: true });
  }

  async function tryVariant({ name, build }: GraphChoice["variants"][number]): Promise<Trial> {
    await writeFile(scratch, build());
    const trial = await choice.tryGraph(scratch);
    reference ??= trial;
    const distances = trial.waves.map((wave, at) => melDistance(wave, reference!.waves[at]!, choice.sampleRateHz));
    return { variant: name, cpuPerAudioSecond: trial.cpuPerAudioSecond, melDistance: Math.max(...distances) };
  }
}
