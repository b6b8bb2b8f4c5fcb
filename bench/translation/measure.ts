// chrF of our translator and of Apertium's best chain, direction by direction, on the FLORES lines and the development lines.
// Every step is kept in results.json, so that a run can be cut off and goes on later; `write.ts` makes the table from it.
//   npm run bench -- translation/measure [--only en-us,de] [--between es,fr] [--set flores] [--engine translator] [--kind english|others|samples]
//                                        [--lines 200] [--pivot-lines 50] [--seconds 150]
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cpuSeconds } from "../support/cpu.ts";
import { apertiumCodes, findChains, hasApertium } from "./chains.ts";
import { chrf } from "./chrf.ts";
import { openApertium, openTranslator, translatorFolder, translatorLanguages } from "./engines.ts";
import { ownCode, readPair, readSamples } from "./lines.ts";
import { openResults, type Result, saveResults } from "./results.ts";
import { translateLines } from "./translate-lines.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    between: { type: "string" },
    set: { type: "string" },
    engine: { type: "string" },
    kind: { type: "string" },
    lines: { type: "string", default: "200" },
    "pivot-lines": { type: "string", default: "50" },
    seconds: { type: "string", default: "100000" },
  },
});
const endMs = performance.now() + 1000 * Number(options.seconds);
const weights = createHash("sha256")
  .update(readFileSync(join(translatorFolder, "embeddings.bin")))
  .digest("hex");
const results = openResults(weights.slice(0, 12));
const translator = openTranslator(2);
const apertium = openApertium();
const ours = translatorLanguages.map((code) => (code === "en" ? "en-us" : code === "pt" ? "pt-br" : code));
const everyCode = [...new Set([...ours, ...apertiumCodes])];

try {
  for (const { source, target } of chooseDirections()) {
    if (wants("engine", "apertium") && !wants("kind", "samples", true)) await measureApertium(source, target);
    if (wants("engine", "translator") && !wants("kind", "samples", true)) await measureTranslator(source, target);
    if (wants("kind", "samples")) await translateSamples(source, target);
  }
} finally {
  await Promise.all([translator.host.close(), apertium.host.close()]);
}

/** Between English and others first: the rest is made of those. */
function chooseDirections(): { source: string; target: string }[] {
  const only = options.only?.split(",");
  const between = options.between?.split(",");
  const hasEnglish = (one: { source: string; target: string }) => one.source === "en-us" || one.target === "en-us";
  return everyCode
    .flatMap((source) => everyCode.map((target) => ({ source, target })))
    .filter(({ source, target }) => ownCode(source) !== ownCode(target))
    .filter(({ source, target }) => !only || only.some((one) => one === source || one === target))
    .filter(({ source, target }) => !between || (between.includes(source) && between.includes(target)))
    .filter((one) => !options.kind || options.kind === "samples" || hasEnglish(one) === (options.kind === "english"))
    .sort((a, b) => Number(hasEnglish(b)) - Number(hasEnglish(a)));
}

function wants(name: "engine" | "set" | "kind", value: string, isExplicit = false): boolean {
  return options[name] === undefined ? !isExplicit : options[name] === value;
}

async function measureApertium(source: string, target: string): Promise<void> {
  const chains = hasApertium ? findChains(source, target) : [];
  if (chains.length === 0) return;
  let best = results.scores[`apertium ${source} ${target} flores`]?.chain;
  for (const set of ["flores", "dev"] as const) {
    const pair = readPair(set, source, target, Number(options.lines));
    if (!pair || !wants("set", set)) continue;
    await keep(`apertium ${source} ${target} ${set}`, async () => {
      let found: Result | undefined;
      // The chain is chosen on the FLORES lines and then only counted on the others.
      for (const chain of set === "dev" && best ? [best] : chains) {
        const translated = await runChain(chain, pair.from);
        if (!translated) continue;
        const score = round(chrf(translated, pair.to));
        if (!found || score > found.chrf) found = { chrf: score, lines: pair.from.length, chain };
      }
      best = found!.chain;
      return found!;
    });
  }
}

/** Some of its programs end now and then on a text they do not like: once more, then without this chain. */
async function runChain(chain: readonly string[], lines: readonly string[]): Promise<string[] | undefined> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return (await apertium.runChain(chain, lines.join("\n"))).split("\n");
    } catch (error) {
      console.error(`${chain.join(" ")}: ${(error as Error).message}`);
    }
  }
  return undefined;
}

async function measureTranslator(source: string, target: string): Promise<void> {
  if (!ours.includes(source) || !ours.includes(target)) return;
  const isPivot = source !== "en-us" && target !== "en-us";
  const hasRival = results.scores[`apertium ${source} ${target} flores`] !== undefined;
  for (const set of ["flores", "dev"] as const) {
    const most = isPivot && !hasRival ? Number(options["pivot-lines"]) : Number(options.lines);
    const pair = readPair(set, source, target, most);
    if (!pair || !wants("set", set)) continue;
    await keep(`translator ${source} ${target} ${set}`, async () => {
      const started = cpuSeconds();
      const translated = await translateLines(translator, pair.from, source, target);
      const cpuMs = round((1000 * (cpuSeconds() - started)) / pair.from.length);
      return { chrf: round(chrf(translated, pair.to)), lines: pair.from.length, cpuMs };
    });
  }
}

async function translateSamples(source: string, target: string): Promise<void> {
  const sentences = readSamples(source);
  if (sentences.length === 0) return;
  if (ours.includes(source) && ours.includes(target) && wants("engine", "translator")) {
    const name = `translator ${source} ${target}`;
    if (!results.samples[name] && performance.now() < endMs) {
      results.samples[name] = await translateLines(translator, sentences, source, target);
      saveResults(results);
    }
  }
  const scored = results.scores[`apertium ${source} ${target} flores`];
  const chain = scored?.chain ?? findChains(source, target).find((one) => one.length === 1);
  const name = `apertium ${source} ${target}`;
  if (chain && !results.samples[name] && wants("engine", "apertium")) {
    const translated = await runChain(chain, sentences);
    if (!translated) return;
    results.samples[name] = translated;
    saveResults(results);
  }
}

async function keep(name: string, measure: () => Promise<Result>): Promise<void> {
  if (results.scores[name] || performance.now() > endMs) return;
  const result = await measure();
  results.scores[name] = result;
  saveResults(results);
  console.log(name.padEnd(34), result.chrf.toFixed(1), result.chain?.join(" ") ?? `${result.cpuMs} ms of CPU a line`);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
