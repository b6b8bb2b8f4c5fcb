import { chooseKokoroGraph } from "../adapters/engines/kokoro/choose-graph.ts";
import { requantise } from "../adapters/engines/llama/requantise.ts";
import { splitDecoder } from "../adapters/engines/moonshine/split-decoder.ts";
import { cutSpeakerTable } from "../adapters/engines/piper/cut-speaker-table.ts";
import type { DeriveStep } from "../adapters/models/pull.ts";

/** The steps that models.json names: each makes files of a model from its others, once, when the model is pulled. */
export const deriveSteps: Record<string, DeriveStep> = {
  "kokoro-graph": chooseKokoroGraph,
  "moonshine-decoder": splitDecoder,
  "piper-speakers": cutSpeakerTable,
  "tinyllama-requantise": requantise,
};
