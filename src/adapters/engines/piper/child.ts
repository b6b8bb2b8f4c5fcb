import { readFile } from "node:fs/promises";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { serveChild } from "../host/serve-child.ts";
import { PIPER_SPEAKER_INPUT, SPEAKER_NUMBERS } from "./files.ts";
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
  readonly session: InferenceSession;
  readonly speakers: Float32Array;
  readonly tokens: ReadonlyMap<string, number>;
}

/** Half of what Piper ships with: less random melody and timing, fewer swallowed sounds. */
const NOISE = 0.333;

serveChild({
  async load(settings: PiperChildSettings): Promise<Piper> {
    const [session, speakers, tokens] = await Promise.all([
      InferenceSession.create(settings.graph, {
        intraOpNumThreads: settings.threads,
        interOpNumThreads: 1,
        enableMemPattern: false,
        // A waiting thread that spins takes the time of others: a quarter more CPU for nothing.
        extra: { session: { "intra_op.allow_spinning": "0" } },
        logSeverityLevel: 3,
      }),
      readFile(settings.speakers),
      readFile(settings.tokens, "utf8"),
    ]);
    const { buffer, byteOffset, byteLength } = speakers;
    return {
      session,
      speakers: new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength)),
      tokens: readPiperTokens(tokens),
    };
  },
  tasks: {
    async *synthesize(job: PiperJob, piper: Piper) {
      const ids = toPiperIds(job.symbols, piper.tokens);
      const output = await piper.session.run({
        input: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
        input_lengths: new Tensor("int64", BigInt64Array.of(BigInt(ids.length)), [1]),
        scales: new Tensor("float32", Float32Array.of(NOISE, 1 / job.speed, NOISE), [3]),
        [PIPER_SPEAKER_INPUT]: new Tensor("float32", speakerVector(piper, job.speaker), [1, SPEAKER_NUMBERS]),
      });
      yield output.output!.data as Float32Array;
      output.output!.dispose();
    },
  },
});

function speakerVector({ speakers }: Piper, speaker: number | Float32Array): Float32Array {
  if (typeof speaker !== "number") return Float32Array.from(speaker);
  return speakers.slice(speaker * SPEAKER_NUMBERS, (speaker + 1) * SPEAKER_NUMBERS);
}
