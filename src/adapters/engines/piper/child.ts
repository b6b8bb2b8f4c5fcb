import { readFile } from "node:fs/promises";
import { serveChild } from "../host/serve-child.ts";
import { SPEAKER_NUMBERS } from "./files.ts";
import { type Halves, makeParts, makePlan, makeWave, openHalves, type PlanWanted } from "./halves.ts";
import { readPiperTokens, toPiperIds } from "./piper-ids.ts";

export interface PiperChildSettings {
  readonly graph: string;
  readonly speakers: string;
  readonly tokens: string;
  readonly threads: number;
}

export interface PiperJob {
  readonly symbols: string;
  readonly speaker: number | Float32Array;
  readonly speed: number;
}

interface Piper {
  readonly halves: Halves;
  readonly speakers: Float32Array;
  readonly tokens: ReadonlyMap<string, number>;
}

/** Half of what Piper ships with: less random melody and timing, fewer swallowed sounds. */
const NOISE = 0.333;

serveChild({
  async load(settings: PiperChildSettings): Promise<Piper> {
    const [graph, speakers, tokens] = await Promise.all([
      readFile(settings.graph),
      readFile(settings.speakers),
      readFile(settings.tokens, "utf8"),
    ]);
    const { buffer, byteOffset, byteLength } = speakers;
    return {
      halves: await openHalves(graph, settings.threads),
      speakers: new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength)),
      tokens: readPiperTokens(tokens),
    };
  },
  tasks: {
    async *synthesize(job: PiperJob, piper: Piper) {
      yield makeWave(piper.halves, await makePlan(piper.halves, toWanted(piper, job)));
    },
    async *stream(job: PiperJob, piper: Piper) {
      yield* makeParts(piper.halves, await makePlan(piper.halves, toWanted(piper, job)));
    },
  },
});

function toWanted(piper: Piper, { symbols, speaker, speed }: PiperJob): PlanWanted {
  return { ids: toPiperIds(symbols, piper.tokens), speaker: speakerVector(piper, speaker), speed, noise: NOISE };
}

function speakerVector({ speakers }: Piper, speaker: number | Float32Array): Float32Array {
  if (typeof speaker !== "number") return Float32Array.from(speaker);
  return speakers.slice(speaker * SPEAKER_NUMBERS, (speaker + 1) * SPEAKER_NUMBERS);
}
