// Measures every chain of Apertium modes between the languages of the FLORES lines, keeps the best of each direction and writes
// models/translation-directions.json, which the server reads. Directions without such lines are listed with the direct mode.
//   npx tsx bench/words/measure-directions.ts [--write]
import { readdirSync, writeFileSync } from "node:fs";
import { createApertium, MODES_FOLDER } from "../../src/adapters/engines/apertium/apertium.ts";
import { directionsFile, type MeasuredDirection } from "../../src/adapters/engines/apertium/directions.ts";
import { silentLog } from "../../src/platform/log.ts";
import { chrf } from "./chrf.ts";
import { readFlores } from "./data.ts";

/** Our codes and what Apertium's modes call them; a name only for output is marked with a plus. */
const names: Record<string, string[]> = {
  "en-us": ["eng", "en"],
  es: ["spa", "es"],
  fr: ["fra", "fr"],
  it: ["ita"],
  "pt-br": ["+por_BR", "+pt_BR", "por", "pt"],
  "pt-pt": ["por", "pt"],
  ca: ["cat", "ca"],
  gl: ["gl"],
  oc: ["oci", "oc"],
  an: ["arg"],
  ast: ["ast"],
  ro: ["ro"],
  eu: ["eu"],
  eo: ["eo"],
  is: ["isl"],
  sv: ["swe"],
  da: ["dan"],
  nb: ["nob"],
  nn: ["nno"],
  hr: ["+hbs_HR", "hbs"],
  sr: ["+hbs_SR", "hbs"],
  sl: ["slv"],
  mk: ["mkd"],
  bg: ["bul"],
  ru: ["rus"],
  uk: ["ukr"],
  be: ["bel"],
  hi: ["hin"],
  ur: ["urd"],
  nl: ["nld"],
  af: ["afr"],
  id: ["ind"],
  ms: ["zlm"],
  br: ["br"],
};
const flores: Record<string, string> = {
  "en-us": "en",
  "pt-br": "pt",
  "pt-pt": "pt",
  es: "es",
  fr: "fr",
  it: "it",
  ca: "ca",
};
const mostSteps = 3;

interface Step {
  mode: string;
  from: string;
  to: string;
}

const modes = new Set(readdirSync(MODES_FOLDER).map((name) => name.replace(/\.mode$/, "")));
const steps = findSteps();
const apertium = createApertium({
  log: silentLog,
  directions: [{ source: "x", target: "y", chain: [[...modes][0]!], chrf: 99 }],
});
const directions: MeasuredDirection[] = [];
for (const source of Object.keys(names)) {
  for (const target of Object.keys(names)) {
    if (source.split("-")[0] === target.split("-")[0]) continue;
    const found = await bestChain(source, target);
    if (found) directions.push(found);
  }
}
await apertium.host.close();
directions.sort((a, b) => a.source.localeCompare(b.source) || a.target.localeCompare(b.target));
if (process.argv.includes("--write")) {
  const measuredOn = "chrF2 on 200 public FLORES sentences; null where there were none";
  const rows = directions.map((one) => `    ${JSON.stringify(one).replaceAll('":', '": ').replaceAll(',"', ', "')}`);
  writeFileSync(
    directionsFile,
    `{\n  "measuredOn": "${measuredOn}",\n  "directions": [\n${rows.join(",\n")}\n  ]\n}\n`,
  );
  console.log(`wrote ${directions.length} directions`);
}

async function bestChain(source: string, target: string): Promise<MeasuredDirection | undefined> {
  const chains = findChains(source, target);
  const from = flores[source] && readFlores(flores[source]);
  const to = flores[target] && readFlores(flores[target]);
  if (!from || !to) {
    // Nothing to measure with: only a direct mode is trusted, and shown as a preview.
    const direct = chains.find((chain) => chain.length === 1);
    return direct && { source, target, chain: direct, chrf: null };
  }
  let best: MeasuredDirection | undefined;
  for (const chain of chains) {
    const translated = (await apertium.runChain(chain, from.join("\n"))).split("\n");
    const score = Math.round(chrf(translated, to) * 10) / 10;
    console.log(`${source} ${target} ${chain.join(" ")} ${score}`);
    if (!best || score > best.chrf!) best = { source, target, chain, chrf: score };
  }
  return best;
}

function findSteps(): Step[] {
  const all: Step[] = [];
  for (const [from, fromNames] of Object.entries(names)) {
    for (const [to, toNames] of Object.entries(names)) {
      const inputs = fromNames.filter((name) => !name.startsWith("+"));
      const outputs = toNames.map((name) => name.replace("+", ""));
      const mode = outputs
        .flatMap((output) => inputs.map((input) => `${input}-${output}`))
        .find((one) => modes.has(one));
      if (mode && from !== to) all.push({ mode, from, to });
    }
  }
  return all;
}

/** Every way without a detour through the same language twice; long ways only through languages that many modes know. */
function findChains(source: string, target: string): string[][] {
  const chains: string[][] = [];
  const walk = (at: string, path: string[], seen: string[]) => {
    for (const step of steps.filter(({ from }) => from === at)) {
      if (step.to === target) chains.push([...path, step.mode]);
      else if (path.length + 1 < mostSteps && ["es", "ca", "en-us"].includes(step.to) && !seen.includes(step.to)) {
        walk(step.to, [...path, step.mode], [...seen, step.to]);
      }
    }
  };
  walk(source, [], [source]);
  return chains.sort((a, b) => a.length - b.length);
}
