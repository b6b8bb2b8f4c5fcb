// Which languages are closer in meaning to English after translation? For each, its 200 FLORES lines look for their English
// twin among all 200 by cosine, as they are and translated.
//   npx tsx bench/words/measure-pivot.ts
import { createApertium } from "../../src/adapters/engines/apertium/apertium.ts";
import { createBge } from "../../src/adapters/engines/bge/bge.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { silentLog } from "../../src/platform/log.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { readFlores } from "./data.ts";

const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
const bge = createBge({ models, log: silentLog, lanes: 2 });
const apertium = createApertium({ log: silentLog });
const signal = new AbortController().signal;
const turn = { key: "bench", flow: "bench" };
const embed = async (texts: readonly string[]) => (await bge.embed({ texts, ...turn }, signal)).vectors;

const english = await embed(readFlores("en")!);
console.log("language  found as it is  found translated");
for (const [code, file] of Object.entries({ es: "es", fr: "fr", it: "it", "pt-br": "pt", ca: "ca" })) {
  const lines = readFlores(file)!;
  const request = { text: lines.join("\n"), source: code, target: "en-us", ...turn };
  const translated = (await apertium.translate(request, signal)).text.split("\n");
  const plain = countFound(await embed(lines));
  const pivoted = countFound(await embed(translated));
  console.log(`${code.padEnd(9)} ${`${plain} of ${lines.length}`.padEnd(15)} ${pivoted} of ${lines.length}`);
}
await bge.host.close();
await apertium.host.close();

function countFound(vectors: readonly Float32Array[]): number {
  return vectors.filter((vector, index) => {
    const scores = english.map((other) => other.reduce((sum, value, place) => sum + value * vector[place]!, 0));
    return scores.indexOf(Math.max(...scores)) === index;
  }).length;
}
