// chrF of the translator as it runs (memory, protection, net) on two hundred everyday sentences of each language, kept out of training and
// memory. Each translation is held against the nearest of the ones that people gave. Every direction is kept in everyday.json beside the
// figures of earlier weights, so that a run can be cut off and goes on later.
//   npm run bench -- translation/everyday [--only es,fr] [--lines 200] [--show]
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openPhraseMemory } from "../../src/adapters/engines/translator/phrase-memory.ts";
import { chrf } from "./chrf.ts";
import { openTranslator, translatorFolder, translatorLanguages } from "./engines.ts";
import { type Everyday, readEveryday } from "./everyday-set.ts";
import { translateLines } from "./translate-lines.ts";

interface Score {
  readonly chrf: number;
  readonly lines: number;
  /** Share of the sentences that the memory knew. */
  readonly remembered: number;
  /** Share of the sentences that earlier training has seen. */
  readonly seen: number;
}

interface Round {
  readonly weights: string;
  readonly scores: Record<string, Score>;
}

/** Languages of which there is much to learn from, and the others. */
const near = ["es", "fr", "de", "it", "pt", "nl"];
const goalOf = (language: string) => (near.includes(language) ? 60 : 45);
const { values: options } = parseArgs({
  options: { only: { type: "string" }, lines: { type: "string", default: "200" }, show: { type: "boolean" } },
});
const file = join(import.meta.dirname, "everyday.json");
const rounds: Round[] = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Round[]) : [];
const round = openRound();
const translator = openTranslator(2);
const memory = openPhraseMemory(translatorFolder);
const languages = translatorLanguages.filter(
  (code) => code !== "en" && (options.only?.split(",") ?? [code]).includes(code),
);

console.log(`| from | into | goal | ${rounds.map(({ weights }) => weights).join(" | ")} | remembered |`);
console.log(`|---|---|---|${rounds.map(() => "---|").join("")}---|`);
try {
  for (const language of languages) {
    const { fromEnglish, intoEnglish, seen } = readEveryday(language);
    await measure("en", language, fromEnglish, seen / fromEnglish.length);
    await measure(language, "en", intoEnglish, seen / intoEnglish.length);
  }
} finally {
  await translator.host.close();
}

function openRound(): Round {
  const bytes = readFileSync(join(translatorFolder, "embeddings.bin"));
  const weights = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  const known = rounds.find((one) => one.weights === weights);
  if (known) return known;
  const started = { weights, scores: {} };
  rounds.push(started);
  return started;
}

async function measure(source: string, target: string, set: readonly Everyday[], seen: number): Promise<void> {
  const name = `${source} ${target}`;
  const lines = set.slice(0, Number(options.lines));
  if (round.scores[name]?.lines !== lines.length) {
    const translated = await translateLines(
      translator,
      lines.map(({ text }) => text),
      source,
      target,
    );
    const nearest = lines.map(({ references }, index) => nearestTo(translated[index]!, references));
    const remembered = lines.filter(({ text }) => memory(text, { source, target }) !== undefined).length;
    round.scores[name] = {
      chrf: Math.round(10 * chrf(translated, nearest)) / 10,
      lines: lines.length,
      remembered: remembered / lines.length,
      seen,
    };
    writeFileSync(file, `${JSON.stringify(rounds, null, 2)}\n`);
    if (options.show) {
      for (const [index, { text }] of lines.entries()) {
        console.log(`${text} -> ${translated[index]} (${nearest[index]})`);
      }
    }
  }
  const goal = goalOf(source === "en" ? target : source);
  const columns = rounds.map(({ scores }) => scores[name]?.chrf.toFixed(1) ?? "").join(" | ");
  const share = (100 * round.scores[name]!.remembered).toFixed(0);
  console.log(`| ${source} | ${target} | ${goal} | ${columns} | ${share} % |`);
}

function nearestTo(translated: string, references: readonly string[]): string {
  const scored = references.map((reference) => ({ reference, score: chrf([translated], [reference]) }));
  return scored.reduce((best, one) => (one.score > best.score ? one : best)).reference;
}
