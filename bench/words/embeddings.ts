// Embeddings: our engine against the reference way (onnxruntime in this process, one text after the other) on the same texts:
// are the vectors the same, and how many texts a second alone and from several requests at once?
//   npx tsx bench/words/embeddings.ts
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { BGE_MODEL, createBge } from "../../src/adapters/engines/bge/bge.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { silentLog } from "../../src/platform/log.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { readFlores } from "./data.ts";

const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
const texts = readFlores("en")!.slice(0, 96);
const bge = createBge({ models, log: silentLog, lanes: 2 });
const signal = new AbortController().signal;
const embed = async (some: string[], flow: string) =>
  (await bge.embed({ texts: some, key: "bench", flow }, signal)).vectors;
await embed(["warm"], "warm");

let startedMs = performance.now();
const ours: Float32Array[] = [];
for (const text of texts) ours.push((await embed([text], "alone"))[0]!);
const oneByOne = (1000 * texts.length) / (performance.now() - startedMs);
startedMs = performance.now();
await Promise.all(
  [0, 1, 2, 3].map((part) =>
    embed(
      texts.filter((_, index) => index % 4 === part),
      `request-${part}`,
    ),
  ),
);
const atOnce = (1000 * texts.length) / (performance.now() - startedMs);
await bge.host.close();

const folder = models.folder(BGE_MODEL);
const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as object;
const tokenizer = new Tokenizer(readJson("tokenizer.json"), readJson("tokenizer_config.json"));
const session = await InferenceSession.create(join(folder, "model_quantized.onnx"), { intraOpNumThreads: 1 });
startedMs = performance.now();
let worst = 1;
for (const [index, text] of texts.entries()) {
  const ids = BigInt64Array.from(tokenizer.encode(text).ids, BigInt);
  const tensor = (values: BigInt64Array) => new Tensor("int64", values, [1, ids.length]);
  const output = await session.run({
    input_ids: tensor(ids),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  });
  const state = (output.last_hidden_state!.data as Float32Array).slice(0, 384);
  const length = Math.hypot(...state);
  worst = Math.min(
    worst,
    state.reduce((sum, value, place) => sum + (value / length) * ours[index]![place]!, 0),
  );
}
const reference = (1000 * texts.length) / (performance.now() - startedMs);
console.log(`same vectors: lowest cosine ${worst.toFixed(6)} over ${texts.length} texts`);
console.log(
  `texts a second: one by one ${oneByOne.toFixed(1)}, four requests at once ${atOnce.toFixed(1)}, reference ${reference.toFixed(1)}`,
);
console.log(
  `ours against reference: ${(oneByOne / reference).toFixed(2)}x alone, ${(atOnce / reference).toFixed(2)}x at once`,
);
