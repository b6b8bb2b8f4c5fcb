import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One engine in one direction on one set. */
export interface Result {
  readonly chrf: number;
  readonly lines: number;
  readonly chain?: readonly string[];
  /** Milliseconds of CPU for a line, many at once. */
  readonly cpuMs?: number;
}

export interface Results {
  /** Says which weights were measured: the first letters of the sha256 of its embeddings. */
  weights: string;
  /** Under "engine source target set". */
  scores: Record<string, Result>;
  /** Under "engine source target": what comes out of the sentences of `readSamples`. */
  samples: Record<string, string[]>;
}

const file = join(import.meta.dirname, "results.json");

/** What was measured so far. Figures of other weights are forgotten, those of other engines stay. */
export function openResults(weights: string): Results {
  const empty: Results = { weights, scores: {}, samples: {} };
  if (!existsSync(file)) return empty;
  const known = JSON.parse(readFileSync(file, "utf8")) as Results;
  if (known.weights === weights) return known;
  const isOther = ([name]: [string, unknown]) => !name.startsWith("translator ");
  return {
    weights,
    scores: Object.fromEntries(Object.entries(known.scores).filter(isOther)),
    samples: Object.fromEntries(Object.entries(known.samples).filter(isOther)),
  };
}

export function readResults(): Results {
  return JSON.parse(readFileSync(file, "utf8")) as Results;
}

/** After every step, so that a run that is cut off goes on where it was. */
export function saveResults(results: Results): void {
  const sorted = (record: object) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
  const rows = (record: object) =>
    Object.entries(sorted(record))
      .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(",\n");
  const text = `{\n  "weights": "${results.weights}",\n  "scores": {\n${rows(results.scores)}\n  },\n  "samples": {\n${rows(results.samples)}\n  }\n}\n`;
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
