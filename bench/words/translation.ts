// Translation: our chains against plain Apertium with the direct pair (chrF on the FLORES lines), and the time of a short text
// against starting `apertium` for it.
//   npx tsx bench/words/translation.ts
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createApertium, MODES_FOLDER } from "../../src/adapters/engines/apertium/apertium.ts";
import { readDirections } from "../../src/adapters/engines/apertium/directions.ts";
import { silentLog } from "../../src/platform/log.ts";
import { chrf } from "./chrf.ts";
import { median, readFlores } from "./data.ts";

const direct: Record<string, string[]> = {
  "en-us es": ["eng-spa"],
  "es en-us": ["spa-eng"],
  "en-us ca": ["eng-cat"],
  "ca en-us": ["cat-eng"],
  "es fr": ["es-fr"],
  "fr es": ["fr-es"],
  "es pt-br": ["es-pt_BR"],
  "pt-br es": ["pt-es"],
  "es it": ["spa-ita"],
  "it es": ["ita-spa"],
};
const files: Record<string, string> = { "en-us": "en", "pt-br": "pt", es: "es", fr: "fr", it: "it", ca: "ca" };
const apertium = createApertium({ log: silentLog });
const turn = { key: "bench", flow: "bench" };
const signal = new AbortController().signal;

console.log("direction      ours  direct pair  (chrF)   chain");
for (const { source, target, chain } of readDirections()) {
  if (!files[source] || !files[target] || !chain.every((mode) => existsSync(`${MODES_FOLDER}/${mode}.mode`))) continue;
  const text = readFlores(files[source])!.join("\n");
  const expected = readFlores(files[target])!;
  const ours = chrf((await apertium.translate({ text, source, target, ...turn }, signal)).text.split("\n"), expected);
  const pair = direct[`${source} ${target}`];
  const plain = pair ? chrf((await apertium.runChain(pair, text)).split("\n"), expected).toFixed(1) : "none";
  console.log(
    `${`${source} ${target}`.padEnd(14)} ${ours.toFixed(1)}  ${plain.padEnd(11)}          ${chain.join(" ")}`,
  );
}

const short =
  "The meeting starts at nine tomorrow, please bring the contract and the two invoices we talked about. ".slice(0, 100);
const times: number[] = [];
for (let round = 0; round < 60; round++) {
  const startedMs = performance.now();
  await apertium.translate({ text: short, source: "en-us", target: "es", ...turn }, signal);
  times.push(performance.now() - startedMs);
}
const plainTimes: number[] = [];
for (let round = 0; round < 5; round++) {
  const startedMs = performance.now();
  execFileSync("sh", ["-c", 'printf %s "$0" | apertium -u eng-spa', short]);
  plainTimes.push(performance.now() - startedMs);
}
await apertium.host.close();
const [ours, plain] = [median(times.slice(10)), median(plainTimes)];
console.log(
  `100 characters, warm: p50 ${ours.toFixed(1)} ms; starting apertium each time: ${plain.toFixed(0)} ms; ${(plain / ours).toFixed(0)}x`,
);
