import { NO_TELEMETRY } from "../adapters/engines/host/no-telemetry.ts";
import type { DeriveStep } from "../adapters/models/pull.ts";

// The steps run in this process; what they load later reads this then.
Object.assign(process.env, NO_TELEMETRY);

/** The steps that models.json names: each makes files of a model from its others, once, when the model is pulled.
 *  They bring runtimes along that no other command needs, so each is loaded when its turn comes. */
export const deriveSteps: Record<string, DeriveStep> = {
  "kokoro-graph": async (given) =>
    (await import("../adapters/engines/kokoro/choose-graph.ts")).chooseKokoroGraph(given),
  "moonshine-decoder-compact": async (given) =>
    (await import("../adapters/engines/moonshine/compact-decoder.ts")).compactDecoder(given),
  "moonshine-encoder-compact": async (given) =>
    (await import("../adapters/engines/moonshine/compact-encoder.ts")).compactEncoder(given),
  "moonshine-tokens": async (given) =>
    (await import("../adapters/engines/sherpa/moonshine-tokens.ts")).writeMoonshineTokens(given),
  "piper-for-sherpa": async (given) =>
    (await import("../adapters/engines/sherpa/piper-for-sherpa.ts")).preparePiper(given),
  "piper-graph": async (given) => (await import("../adapters/engines/piper/choose-graph.ts")).choosePiperGraph(given),
  "piper-speakers": async (given) => (await import("../adapters/engines/piper/choose-graph.ts")).writeSpeakers(given),
  "silero-compact": async (given) => (await import("../adapters/engines/silero/compact-graph.ts")).compactGraph(given),
  "tinyllama-requantise": async (given) => (await import("../adapters/engines/llama/requantise.ts")).requantise(given),
  "xvector-graph": async (given) =>
    (await import("../adapters/engines/xvector/build-graph.ts")).buildXvectorGraph(given),
  "whisper-graphs": async (given) =>
    (await import("../adapters/engines/whisper/compact-graphs.ts")).compactGraphs(given),
};
