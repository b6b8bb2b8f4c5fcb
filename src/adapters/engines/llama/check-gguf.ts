import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { architectures, embeddingArchitectures } from "./gguf-types.ts";
import { BadGguf, type Gguf, readGguf } from "./read-gguf.ts";

export type GgufPurpose = "chat" | "embeddings" | "reranking";

/** What is known of a GGUF file that can be loaded. */
export interface GgufFacts {
  readonly file: string;
  readonly bytes: number;
  readonly architecture: string;
  /** Tokens that the model was trained for. */
  readonly trainedTokens: number;
  /** Bytes that one token of a conversation takes in the model's memory, at 16 bits a number. */
  readonly bytesPerToken: number;
  readonly template: string | undefined;
  readonly isForEmbeddings: boolean;
  /** It has weights that make one score of a query and a document. */
  readonly isForRanking: boolean;
}

/** Weights that only rerankers have (the tensors that node-llama-cpp looks for before it ranks). */
const rankingTensors = ["cls.weight", "cls.output.weight"];

/** Why a file cannot be used, as what follows "… is "gguf:x", but". */
export class UnusableGguf extends Error {}

const firstPart = /-00001-of-\d+\.gguf$/i;

/** The GGUF file at a path, or the one in a folder. */
export function findGguf(path: string): string {
  if (!statSync(path).isDirectory()) return path;
  const files = readdirSync(path).filter((name) => name.toLowerCase().endsWith(".gguf"));
  // A model in parts is named by its first.
  const first = files.find((name) => firstPart.test(name)) ?? files[0];
  if (!first) throw new UnusableGguf(`there is no .gguf file in ${path}.`);
  if (files.length > 1 && !firstPart.test(first)) {
    throw new UnusableGguf(`there are ${files.length} .gguf files in ${path}; name one of them.`);
  }
  return join(path, first);
}

export function checkGguf(path: string, purpose: GgufPurpose): GgufFacts {
  const file = findGguf(path);
  const gguf = read(file);
  const { architecture, expectedBytes, fileBytes } = gguf;
  const isForEmbeddings = embeddingArchitectures.has(architecture);
  const isForRanking = rankingTensors.some((name) => gguf.tensors.has(name));
  if (!architectures.has(architecture) && !isForEmbeddings) {
    throw new UnusableGguf(`${file} is of the architecture "${architecture}", which llama.cpp does not load here.`);
  }
  if (expectedBytes !== undefined && fileBytes < expectedBytes) {
    const [has, wants] = [fileBytes, expectedBytes].map((bytes) => (bytes / 1e6).toFixed(1));
    throw new UnusableGguf(`${file} is cut short: it has ${has} MB of ${wants} MB. Fetch it again.`);
  }
  if (purpose === "chat" && isForEmbeddings) {
    throw new UnusableGguf(`${file} (${architecture}) makes embeddings and cannot chat; use SVC_EMBEDDINGS_ENGINE.`);
  }
  // Of a model in parts only the first was read.
  if (purpose === "reranking" && !isForRanking && !firstPart.test(file)) {
    throw new UnusableGguf(`${file} (${architecture}) is no reranker: it has none of ${rankingTensors.join(", ")}.`);
  }
  return { file, bytes: fileBytes, architecture, isForEmbeddings, isForRanking, ...sizesOf(gguf) };
}

function read(file: string): Gguf {
  try {
    return readGguf(file);
  } catch (error) {
    if (error instanceof BadGguf) throw new UnusableGguf(`${file} ${error.message}.`);
    throw error;
  }
}

function sizesOf({ architecture, values }: Gguf): Pick<GgufFacts, "trainedTokens" | "bytesPerToken" | "template"> {
  const number = (name: string) => {
    const value = values.get(`${architecture}.${name}`);
    return typeof value === "number" && value > 0 ? value : undefined;
  };
  const heads = number("attention.head_count") ?? 32;
  const perHead = number("attention.key_length") ?? (number("embedding_length") ?? 4096) / heads;
  const template = values.get("tokenizer.chat_template");
  return {
    trainedTokens: number("context_length") ?? 2048,
    bytesPerToken: 4 * (number("block_count") ?? 32) * (number("attention.head_count_kv") ?? heads) * perHead,
    template: typeof template === "string" && template.trim() !== "" ? template : undefined,
  };
}
