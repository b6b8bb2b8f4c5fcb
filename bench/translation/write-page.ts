import {
  isOffered,
  type MeasuredDirection,
  qualityOf,
  type Way,
} from "../../src/adapters/engines/translation-router/directions.ts";
import { readSamples } from "./lines.ts";
import type { Results } from "./results.ts";

const names = new Intl.DisplayNames("en", { type: "language" });
const nameOf = (code: string) => (code === "en-us" ? "English" : (names.of(code) ?? code));

/** The page of all directions: figures first, then what comes out of three sentences. */
export function writePage(rows: readonly MeasuredDirection[], results: Results): string {
  const sources = [...new Set(rows.map(({ source }) => source))];
  const isKept = (one: MeasuredDirection) => one.ways.some(isOffered);
  const head = [
    "# Directions of translation",
    "",
    "Made by `bench/translation` (`measure.ts`, then `write.ts`); do not edit. `models/translation-directions.json` holds the same figures,",
    "and the server goes by it: each direction is translated by the first engine of its row that is on the machine.",
    "",
    "chrF runs from 0 to 100. *dev*: development lines (everyday, news, interface and older texts, many of them of the kind the net was",
    "trained on); *FLORES*: public sentences from encyclopedias and news, harder, and new to everybody. The engine with the higher FLORES",
    "figure is used. A direction under 25 (dev, else FLORES) is not offered; under 40 on either, or guessed from the two halves of the",
    'way through English (≈), or never measured (?), replies say `"quality": "preview"`.',
    "",
    `${rows.filter(isKept).length} directions are offered.`,
    "",
  ];
  return [
    ...head,
    ...table(rows),
    "## Three sentences in each direction",
    "",
    "As they come out, good or bad.",
    "",
    ...sources.flatMap((source) =>
      section(
        source,
        rows.filter((row) => row.source === source && isKept(row)),
        results,
      ),
    ),
  ].join("\n");
}

function table(rows: readonly MeasuredDirection[]): string[] {
  const cell = (way: Way | undefined) => {
    if (!way) return " | |";
    const isGuess = way.chrf !== null && way.dev === null && way.flores === null;
    if (way.chrf === null) return " ? | |";
    return isGuess ? ` ≈ ${way.chrf} | |` : ` ${way.dev ?? ""} | ${way.flores ?? ""} |`;
  };
  return [
    "| from | into | used first | quality | ours, dev | ours, FLORES | Apertium, dev | Apertium, FLORES |",
    "|---|---|---|---|---|---|---|---|",
    ...rows.map(({ source, target, ways }) => {
      const used = ways.find(isOffered);
      const find = (engine: string) => ways.find((way) => way.engine === engine);
      const quality = used ? qualityOf(used) : "not offered";
      return `| ${source} | ${target} | ${used?.engine ?? "-"} | ${quality} |${cell(find("translator"))}${cell(find("apertium"))}`;
    }),
    "",
  ];
}

function section(source: string, rows: readonly MeasuredDirection[], results: Results): string[] {
  const sentences = readSamples(source);
  const shown = rows.flatMap(({ target, ways }) => {
    const used = ways.find(isOffered)!.engine;
    // The net knows one Portuguese.
    const [from, to] =
      used === "translator" ? [source, target].map((code) => code.replace("pt-pt", "pt-br")) : [source, target];
    const samples = results.samples[`${used} ${from} ${to}`];
    return samples ? [`- **${nameOf(target)}** (${used})`, ...samples.map((line) => `  - ${line}`)] : [];
  });
  if (shown.length === 0) return [];
  return [`### ${nameOf(source)}`, "", ...sentences.map((line, index) => `${index + 1}. ${line}`), "", ...shown, ""];
}
