// Which languages are closer in meaning to English after translation? For each, lines look for their English twin among all of
// them by cosine, as they are and translated by each engine: FLORES lines where there are any, else development lines.
//   npm run bench -- words/measure-pivot [--only de,hi] [--lines 60]
import { parseArgs } from "node:util";
import { createBge } from "../../src/adapters/engines/bge/bge.ts";
import { readCatalog } from "../../src/adapters/models/catalog.ts";
import { createModelStore } from "../../src/adapters/models/model-folder.ts";
import { silentLog } from "../../src/platform/log.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { openApertium, openTranslator, translatorLanguages } from "../translation/engines.ts";
import { readPair } from "../translation/lines.ts";
import { readResults } from "../translation/results.ts";

const { values: options } = parseArgs({
  options: { only: { type: "string" }, lines: { type: "string", default: "60" } },
});
const models = createModelStore(readSettings(process.env).storage.modelsDir, readCatalog());
const bge = createBge({ models, log: silentLog, lanes: 2 });
const translator = openTranslator(2);
const apertium = openApertium();
const signal = new AbortController().signal;
const embed = async (texts: readonly string[]) =>
  (await bge.embed({ texts, key: "bench", flow: "bench" }, signal)).vectors;
const { scores } = readResults();

console.log("language  lines  found as they are  through our translator  through Apertium");
for (const code of options.only?.split(",") ?? [...translatorLanguages.filter((one) => one !== "en"), "ca"]) {
  const most = Number(options.lines);
  const pair = readPair("flores", code, "en", most) ?? readPair("dev", code, "en", most);
  if (!pair) continue;
  const english = await embed(pair.to);
  const cells = [`${count(await embed(pair.from), english)}`];
  if (translatorLanguages.includes(code)) {
    const done = await Promise.all(
      pair.from.map((text) => translator.run({ text, source: code, target: "en", isSteady: true })),
    );
    cells.push(`${count(await embed(done.map(({ text }) => text)), english)}`);
  } else cells.push("-");
  const chain = scores[`apertium ${code === "pt" ? "pt-br" : code} en-us flores`]?.chain;
  if (chain) {
    const text = await apertium.runChain(chain, pair.from.join("\n"));
    cells.push(`${count(await embed(text.split("\n")), english)}`);
  } else cells.push("-");
  console.log(
    `${code.padEnd(9)} ${String(most).padEnd(6)} ${cells[0]!.padEnd(18)} ${cells[1]!.padEnd(23)} ${cells[2]}`,
  );
}
await Promise.all([bge.host.close(), translator.host.close(), apertium.host.close()]);

function count(vectors: readonly Float32Array[], english: readonly Float32Array[]): number {
  return vectors.filter((vector, index) => {
    const cosines = english.map((other) => other.reduce((sum, value, place) => sum + value * vector[place]!, 0));
    return cosines.indexOf(Math.max(...cosines)) === index;
  }).length;
}
