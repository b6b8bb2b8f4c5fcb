import { readdirSync } from "node:fs";
import { capabilityOfTextModel } from "../adapters/engines/cross-encoder/open-cross-encoder.ts";
import { checkGguf, UnusableGguf } from "../adapters/engines/llama/check-gguf.ts";
import { languagesOfFolder } from "../adapters/engines/sherpa/languages.ts";
import { recogniseFolder, UnknownFolder } from "../adapters/engines/sherpa/recognise-folder.ts";
import type { Inspected } from "../adapters/models/add.ts";
import { Problem } from "../platform/errors.ts";

/** Raised when a step makes something else from the same files. */
const stepVersion = 1;

/** What the weights in a folder are, whoever brought them. */
export function inspectWeights(folder: string): Inspected {
  try {
    if (readdirSync(folder).some((name) => name.toLowerCase().endsWith(".gguf"))) {
      const { architecture, isForEmbeddings, isForRanking } = checkGguf(folder, "embeddings");
      const capability = isForRanking ? "reranking" : isForEmbeddings ? "embeddings" : "chat";
      return { capability, title: `GGUF, ${architecture}`, derived: [] };
    }
    const text = capabilityOfTextModel(folder);
    if (text) return { capability: text, title: `ONNX, ${text}`, derived: [] };
    const recognised = recogniseFolder(folder);
    const { kind } = recognised;
    const languages = languagesOfFolder(recognised);
    const { derived: made } = kind;
    const derived = made
      ? [{ ...made, version: stepVersion, inputs: [...made.inputs], outputs: [...made.outputs] }]
      : [];
    return { capability: kind.use, title: kind.name, derived, ...(languages ? { languages: [...languages] } : {}) };
  } catch (error) {
    if (!(error instanceof UnusableGguf) && !(error instanceof UnknownFolder)) throw error;
    const { message } = error;
    throw new Problem("invalid_request", `${message[0]!.toUpperCase()}${message.slice(1)}`);
  }
}
