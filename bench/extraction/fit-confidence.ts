import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { createPpOcr } from "../../src/adapters/engines/pp-ocr/pp-ocr.ts";
import type { DocumentType } from "../../src/extraction/fields/classify.ts";
import { type FieldKind, features, kindOf, type Weights } from "../../src/extraction/fields/confidence.ts";
import { findFields } from "../../src/extraction/fields/extract-fields.ts";
import type { Finding } from "../../src/extraction/fields/finding.ts";
import { measureCalibration } from "./calibration.ts";
import type { Outcome } from "./outcome.ts";
import { readForBench } from "./read-set.ts";
import { scoreInvoice } from "./score-invoice.ts";
import { scoreReceipt } from "./score-receipt.ts";
import { scoreStatement } from "./score-statement.ts";

/**
 * Fits the confidence weights: a logistic regression per kind of field, drawn towards common sense where the set says little, with
 * the strength of that pull chosen by cross-validation over documents. Writes src/extraction/fields/confidence-weights.ts.
 * Run: npx tsx bench/extraction/fit-confidence.ts [--cache FOLDER]
 */
const names = ["bias", "fit", "labelled", "checked", "unchecked", "margin", "doubt"] as const;
/** What to believe without data: a label, a check or a clear lead speak for a value, a failed check and doubtful characters against it. */
const prior: Record<FieldKind, Weights> = {
  code: { bias: 0.6, fit: 1.4, labelled: 0.8, checked: 1.6, unchecked: -1.2, margin: 0.9, doubt: -12 },
  date: { bias: 0.8, fit: 1.4, labelled: 0.8, checked: 1.2, unchecked: -1.2, margin: 0.9, doubt: -10 },
  amount: { bias: 0.2, fit: 0.8, labelled: 0.6, checked: 2.4, unchecked: -1.5, margin: 0.8, doubt: -10 },
  name: { bias: -0.4, fit: 1.8, labelled: 0.8, checked: 0.5, unchecked: -1, margin: 0.8, doubt: -22 },
  address: { bias: -0.6, fit: 1.2, labelled: 0.7, checked: 0.5, unchecked: -1, margin: 0.8, doubt: -30 },
  list: { bias: 0.2, fit: 1.5, labelled: 0.4, checked: 1.6, unchecked: -1.2, margin: 0.3, doubt: -10 },
  pair: { bias: -1.2, fit: 1.4, labelled: 0.8, checked: 0, unchecked: 0, margin: 0.2, doubt: -10 },
};
/** Documents in use are harder than a development set, so each error of the set stands for this many. */
const errorsInUse = 2;
const pulls = [0.5, 1, 2, 4, 8, 16, 32];
const folds = 5;

interface Sample {
  readonly document: number;
  readonly kind: FieldKind;
  readonly x: readonly number[];
  readonly isRight: boolean;
}

const data = resolve(process.env.PARLANCE_DATA ?? "../shared/data", "documents");
const cache = process.argv.includes("--cache") ? process.argv[process.argv.indexOf("--cache") + 1] : undefined;
const samples = await collectSamples();
const scored = pulls.map((pull) => ({ pull, ...crossValidate(samples, pull) }));
for (const { pull, loss, outcomes } of scored) {
  const { error, sure } = measureCalibration(outcomes);
  console.log(
    `pull ${pull}: held-out log loss ${loss.toFixed(4)}, calibration error ${error.toFixed(3)}, at 0.9 or more ${((100 * sure.right) / sure.all).toFixed(1)} % right (${sure.all} of ${outcomes.length})`,
  );
}
const least = Math.min(...scored.map(({ loss }) => loss));
/** The strongest pull that costs next to nothing: what other documents look like is better known to sense than to this set. */
const best = scored.filter(({ loss }) => loss <= least * 1.03).at(-1)!;
const weights = fitAll(samples, best.pull);
console.log(`chosen: ${best.pull}`);
writeFileSync(
  "src/extraction/fields/confidence-weights.ts",
  `import type { FieldKind, Weights } from "./confidence.ts";\n\n/** Fitted by bench/extraction/fit-confidence.ts on ${samples.length} fields of ${new Set(samples.map((sample) => sample.document)).size} documents; run it again rather than change a number. */\nexport const confidenceWeights: Record<FieldKind, Weights> = ${JSON.stringify(weights, null, 2)};\n`,
);

async function collectSamples(): Promise<Sample[]> {
  const manifest = JSON.parse(readFileSync(join(data, "manifest.json"), "utf8")) as {
    file: string;
    truth: string;
    type: string;
  }[];
  const models = process.env.SVC_MODELS_DIR ?? join(homedir(), ".cache", "parlance", "models");
  const ocr = await createPpOcr(join(models, "pp-ocr-v4"));
  const found: Sample[] = [];
  for (const [document, entry] of manifest.entries()) {
    const type = entry.type.startsWith("invoice") ? "invoice" : entry.type;
    if (!["invoice", "receipt", "bank_statement"].includes(type) || entry.file.includes("i2d_")) continue;
    const reading = await readForBench(
      join(data, entry.file),
      { name: "pp-ocr", read: (picture) => ocr.read(picture) },
      cache,
    );
    const { extraction, findings } = findFields(reading.document, type as DocumentType);
    const list: [string, Finding][] = Object.entries(findings).filter(([, { evidence }]) => !evidence.isEmbedded);
    // The scorers hand a field's confidence through, so it can carry which finding it was.
    const fields = Object.fromEntries(
      list.map(([name], index) => [name, { ...extraction.fields[name]!, confidence: index }]),
    );
    const truth = JSON.parse(readFileSync(join(data, entry.truth), "utf8")) as never;
    for (const { confidence, isRight } of scoreAs(type, truth, { ...extraction, fields })) {
      const finding = confidence === undefined ? undefined : list[confidence];
      if (!finding) continue;
      const seen = features(finding[1].evidence);
      const x = names.map((name) => (name === "bias" ? 1 : seen[name]));
      found.push({ document, kind: kindOf(finding[0]), x, isRight });
    }
  }
  await ocr.close();
  return found;
}

function scoreAs(type: string, truth: never, extraction: Parameters<typeof scoreReceipt>[1]): readonly Outcome[] {
  if (type === "invoice") return scoreInvoice(truth, extraction);
  return type === "receipt" ? scoreReceipt(truth, extraction) : scoreStatement(truth, extraction).outcomes;
}

function crossValidate(all: readonly Sample[], pull: number): { loss: number; outcomes: Outcome[] } {
  const outcomes: Outcome[] = [];
  let loss = 0;
  let weight = 0;
  for (let fold = 0; fold < folds; fold++) {
    const isHeld = (sample: Sample) => sample.document % folds === fold;
    const fitted = fitAll(
      all.filter((sample) => !isHeld(sample)),
      pull,
    );
    for (const sample of all.filter(isHeld)) {
      const p = Math.min(0.99, Math.max(0.02, probability(vector(fitted[sample.kind]), sample.x)));
      const own = sample.isRight ? 1 : errorsInUse;
      loss -= own * Math.log(sample.isRight ? p : 1 - p);
      weight += own;
      outcomes.push({ field: sample.kind, want: null, got: null, isRight: sample.isRight, confidence: p });
    }
  }
  return { loss: loss / weight, outcomes };
}

function fitAll(all: readonly Sample[], pull: number): Record<FieldKind, Weights> {
  const entries = Object.entries(prior).map(([kind, start]) => {
    const own = all.filter((sample) => sample.kind === kind);
    const fitted = own.length === 0 ? vector(start) : descend(own, vector(start), pull);
    return [kind, Object.fromEntries(names.map((name, index) => [name, Math.round(fitted[index]! * 100) / 100]))];
  });
  return Object.fromEntries(entries) as Record<FieldKind, Weights>;
}

/** Gradient descent on the log loss plus the squared distance from `start`; the few thousand numbers ask for nothing better. */
function descend(own: readonly Sample[], start: readonly number[], pull: number): number[] {
  const now = [...start];
  const rate = 1 / (own.length * errorsInUse + pull);
  for (let step = 0; step < 4000; step++) {
    // Doubt is a small number with a large weight, so its pull is weaker by as much.
    const gradient = now.map((value, index) => (pull / (names[index] === "doubt" ? 100 : 1)) * (value - start[index]!));
    for (const { x, isRight } of own) {
      const off = (probability(now, x) - (isRight ? 1 : 0)) * (isRight ? 1 : errorsInUse);
      for (let index = 0; index < x.length; index++) gradient[index]! += off * x[index]!;
    }
    for (let index = 0; index < now.length; index++) {
      now[index]! -= rate * gradient[index]!;
      // A few odd documents must not turn a reason for a value into one against it.
      if (index > 0 && now[index]! * start[index]! < 0) now[index] = 0;
    }
  }
  return now;
}

function vector(weights: Weights): number[] {
  return names.map((name) => weights[name]);
}

function probability(weights: readonly number[], x: readonly number[]): number {
  return 1 / (1 + Math.exp(-x.reduce((sum, value, index) => sum + value * weights[index]!, 0)));
}
