// Embeddings: our engine against the reference way (onnxruntime in this process, one text after the other) on the same texts:
// are the vectors the same, and how many texts a second alone and from several requests at once? Both take turns, and each
// figure is the best of the rounds, so that what else the machine does meanwhile falls on both alike.
//   npm run bench -- words/embeddings [rounds, default 5]
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { BGE_MODEL, createBge } from "../../src/adapters/engines/bge/bge.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { silentLog } from "../../src/platform/log.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { readFlores } from "./data.ts";

const rounds = Number(process.argv[2] ?? 5);
const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
const texts = readFlores("en")!.slice(0, 64);
const bge = createBge({ models, log: silentLog, lanes: Math.min(4, availableParallelism()) });
const signal = new AbortController().signal;
const embed = async (some: string[], flow: string) =>
  (await bge.embed({ texts: some, key: "bench", flow }, signal)).vectors;
const folder = models.folder(BGE_MODEL);
const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as object;
const tokenizer = new Tokenizer(readJson("tokenizer.json"), readJson("tokenizer_config.json"));
const session = await InferenceSession.create(join(folder, "model_quantized.onnx"), { intraOpNumThreads: 1 });

async function embedPlainly(text: string): Promise<Float32Array> {
  const ids = BigInt64Array.from(tokenizer.encode(text).ids, BigInt);
  const tensor = (values: BigInt64Array) => new Tensor("int64", values, [1, ids.length]);
  const output = await session.run({
    input_ids: tensor(ids),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  });
  const state = (output.last_hidden_state!.data as Float32Array).slice(0, 384);
  const length = Math.hypot(...state);
  return state.map((value) => value / length);
}

const ways = {
  reference: async () => {
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await embedPlainly(text));
    return vectors;
  },
  "one by one": async () => {
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push((await embed([text], "alone"))[0]!);
    return vectors;
  },
  "one request": () => embed(texts, "whole"),
  "four requests": async () => {
    const parts = [0, 1, 2, 3].map((part) => texts.slice(part * 16, part * 16 + 16));
    return (await Promise.all(parts.map((part, index) => embed(part, `request-${index}`)))).flat();
  },
};

const best = new Map<string, number>();
let lowest = 1;
let expected: readonly Float32Array[] = [];
await embed(["warm"], "warm");
await embedPlainly("warm");
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(ways)) {
    const startedMs = performance.now();
    const vectors = await run();
    const rate = (1000 * texts.length) / (performance.now() - startedMs);
    best.set(name, Math.max(best.get(name) ?? 0, rate));
    if (name === "reference") expected = vectors;
    for (const [index, vector] of vectors.entries()) {
      const cosine = vector.reduce((sum, value, place) => sum + value * expected[index]![place]!, 0);
      lowest = Math.min(lowest, cosine);
    }
  }
}
await bge.host.close();

console.log(`same vectors: lowest cosine ${lowest.toFixed(6)} over ${texts.length} texts`);
for (const [name, rate] of best) {
  const ratio = (rate / best.get("reference")!).toFixed(2);
  console.log(`${name.padEnd(14)} ${rate.toFixed(1).padStart(6)} texts/s  ${ratio}x of the reference`);
}
