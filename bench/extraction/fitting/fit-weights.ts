import { documentTypes } from "../../../src/extraction/fields/classify.ts";
import { type Candidate, confidenceReasons, kindOf, type Reasons } from "../../../src/extraction/fields/pick.ts";
import { prior } from "./prior.ts";
import type { Choice } from "./samples.ts";

export type Table = Map<string, Map<string, number>>;
export interface TypeSample {
  readonly family: string;
  readonly traits: Reasons;
  readonly type: string;
}

/** A reason that speaks in fewer families than this says something about them, not about documents. */
const fewestFamilies = 3;
/** Each family counts as this many documents at most, so that a large one does not decide alone. */
const mostPerFamily = 8;
const stepsFromAfar = 220;
const stepsFromNear = 70;

/** Fits the weights of every field: the right candidate should win against the others and against saying nothing. */
export function fitAll(choices: readonly Choice[], types: readonly TypeSample[], pull: number): Table {
  const table: Table = new Map([...prior].map(([field, row]) => [field, new Map(row)]));
  for (const [field, own] of groupBy(choices, ({ field }) => field)) {
    const start = prior.get(field) ?? prior.get(kindOf(field));
    if (!start || own.length < 8) continue;
    table.set(field, fitField(own, start, pull));
  }
  for (const [field, row] of fitTypes(types, pull)) table.set(field, row);
  return table;
}

/** For taking reasons out: which ones, and weights near the answer to begin with. */
export interface Without {
  readonly reasons: ReadonlySet<string>;
  readonly from: ReadonlyMap<string, number>;
}

export function fitField(
  all: readonly Choice[],
  start: ReadonlyMap<string, number>,
  pull: number,
  without?: Without,
): Map<string, number> {
  // Where the right value is no candidate (its characters were misread) the others are not to blame; confidence deals with them.
  const own = all.filter(({ isAbsent, candidates }) => isAbsent || candidates.some(({ isRight }) => isRight));
  const families = new Map<string, Set<string>>();
  for (const { family, candidates } of own)
    for (const { reasons } of candidates)
      for (const reason of Object.keys(reasons)) families.set(reason, (families.get(reason) ?? new Set()).add(family));
  const seen = [...families].filter(([reason, set]) => set.size >= fewestFamilies && !without?.reasons.has(reason));
  const names = ["bias", ...seen.map(([reason]) => reason)];
  const counts = countBy(own.map(({ family }) => family));
  const rows = own.map(({ family, candidates }) => ({
    weight: Math.min(1, mostPerFamily / counts.get(family)!),
    right: candidates.map(({ isRight }) => isRight),
    x: candidates.map(({ reasons }) => sparse(names, reasons)),
  }));
  const first = names.map((name) => start.get(name) ?? 0);
  const fitted = adam(first, pull, near(names, without), (w, gradient) => {
    for (const row of rows) addChoice(row, w, gradient);
  });
  const result = new Map(names.map((name, index) => [name, fitted[index]!]));
  // What no three families showed keeps what sense says, if sense said anything.
  for (const [name, weight] of start) if (!result.has(name)) result.set(name, without?.reasons.has(name) ? 0 : weight);
  return result;
}

/** One choice: the right candidates should take the probability of all, and of saying nothing where none is right. */
function addChoice(
  { weight, right, x }: { weight: number; right: readonly boolean[]; x: readonly Sparse[] },
  w: readonly number[],
  gradient: number[],
): void {
  const scores = x.map((features) => dot(features, w));
  let top = 0;
  for (const score of scores) top = Math.max(top, score);
  let total = Math.exp(-top);
  let rightTotal = 0;
  for (let index = 0; index < scores.length; index++) {
    scores[index] = Math.exp(scores[index]! - top);
    total += scores[index]!;
    if (right[index]) rightTotal += scores[index]!;
  }
  for (let index = 0; index < scores.length; index++) {
    const want = right[index] ? scores[index]! / Math.max(1e-12, rightTotal) : 0;
    const off = weight * (scores[index]! / total - want);
    const { at, value } = x[index]!;
    for (let feature = 0; feature < at.length; feature++) gradient[at[feature]!]! += off * value[feature]!;
  }
}

/** Places and values of what is not zero. */
interface Sparse {
  readonly at: Int32Array;
  readonly value: Float64Array;
}

function dot({ at, value }: Sparse, w: readonly number[], offset = 0): number {
  let sum = 0;
  for (let index = 0; index < at.length; index++) sum += w[offset + at[index]!]! * value[index]!;
  return sum;
}

function near(names: readonly string[], without: Without | undefined): number[] | undefined {
  return without && names.map((name) => without.from.get(name) ?? 0);
}

export function fitTypes(samples: readonly TypeSample[], pull: number): Table {
  const types = documentTypes.filter((type) => samples.some((sample) => sample.type === type));
  const names = ["bias", ...new Set(samples.flatMap(({ traits }) => Object.keys(traits)))];
  const counts = countBy(samples.map(({ family }) => family));
  const start = types.flatMap((type) => names.map((name) => prior.get(`type ${type}`)?.get(name) ?? 0));
  const rows = samples.map(({ family, traits, type }) => ({
    weight: Math.min(1, mostPerFamily / counts.get(family)!),
    x: sparse(names, traits),
    type,
  }));
  const fitted = adam(start, pull, undefined, (w, gradient) => {
    for (const { weight, x, type } of rows) {
      const scores = types.map((_, t) => dot(x, w, t * names.length));
      const top = Math.max(...scores);
      const exps = scores.map((score) => Math.exp(score - top));
      const total = exps.reduce((sum, value) => sum + value, 0);
      for (const [t, name] of types.entries()) {
        const off = weight * (exps[t]! / total - (name === type ? 1 : 0));
        for (let index = 0; index < x.at.length; index++)
          gradient[t * names.length + x.at[index]!]! += off * x.value[index]!;
      }
    }
  });
  return new Map(
    types.map((type, t) => [
      `type ${type}`,
      new Map(names.map((name, index) => [name, fitted[t * names.length + index]!])),
    ]),
  );
}

/** A value that was chosen, and whether it was right. */
export interface Chosen {
  readonly family: string;
  readonly field: string;
  readonly x: Record<string, number>;
  readonly isRight: boolean;
}

/** What these weights would choose. */
export function chooseAll(choices: readonly Choice[], table: Table): Chosen[] {
  return choices.flatMap(({ field, family, candidates }): Chosen[] => {
    const row = table.get(field) ?? table.get(kindOf(field));
    const scored = candidates
      .map((candidate) => ({
        candidate,
        score:
          (row?.get("bias") ?? 0) +
          Object.entries(candidate.reasons).reduce((sum, [name, value]) => sum + (row?.get(name) ?? 0) * value, 0),
      }))
      .sort((left, right) => right.score - left.score);
    const best = scored[0];
    if (!best || best.score <= 0) return [];
    const x = confidenceReasons(best.candidate as unknown as Candidate, best.score, scored[1]?.score ?? 0);
    return [{ family, field, x, isRight: best.candidate.isRight }];
  });
}

/**
 * Documents in use are harder than any set, so each error of the set stands for this many: of the values at 0.9 and more 4 of 339
 * were wrong at the first look at three sets made afresh, 8 of 1574 on families held out of the fit (docs/figures/extraction.md).
 */
const errorsInUse = 2.5;

/** Fits how sure to be, on choices made with weights that had not seen their family. */
export function fitConfidence(chosen: readonly Chosen[], pull: number): Table {
  const table: Table = new Map();
  for (const [kind, own] of groupBy(chosen, ({ field }) => kindOf(field))) {
    const start = prior.get(`confidence ${kind}`)!;
    const names = [...start.keys()];
    const counts = countBy(own.map(({ family }) => family));
    const fitted = adam(
      names.map((name) => start.get(name)!),
      pull,
      undefined,
      (w, gradient) => {
        for (const { family, x, isRight } of own) {
          const sum = names.reduce(
            (total, name, index) => total + w[index]! * (name === "bias" ? 1 : (x[name] ?? 0)),
            0,
          );
          const off =
            (1 / (1 + Math.exp(-sum)) - (isRight ? 1 : 0)) *
            (isRight ? 1 : errorsInUse) *
            Math.min(1, (3 * mostPerFamily) / counts.get(family)!);
          for (const [index, name] of names.entries()) gradient[index]! += off * (name === "bias" ? 1 : (x[name] ?? 0));
        }
      },
    );
    // A few odd documents must not turn a reason to believe into one to doubt.
    table.set(
      `confidence ${kind}`,
      new Map(
        names.map((name, index) => [
          name,
          name !== "bias" && fitted[index]! * start.get(name)! < 0 ? 0 : fitted[index]!,
        ]),
      ),
    );
  }
  return table;
}

/** Adam on the loss plus the squared distance from `start`; a beginning near the answer needs fewer steps. */
function adam(
  start: readonly number[],
  pull: number,
  from: readonly number[] | undefined,
  addGradient: (w: readonly number[], gradient: number[]) => void,
): number[] {
  const w = [...(from ?? start)];
  const steps = from ? stepsFromNear : stepsFromAfar;
  const mean = start.map(() => 0);
  const square = start.map(() => 0);
  for (let step = 1; step <= steps; step++) {
    const gradient = w.map((value, index) => pull * (value - start[index]!));
    addGradient(w, gradient);
    const rate = 0.08 * (1 - step / (steps + 1)) + 0.005;
    for (let index = 0; index < w.length; index++) {
      mean[index] = 0.9 * mean[index]! + 0.1 * gradient[index]!;
      square[index] = 0.99 * square[index]! + 0.01 * gradient[index]! ** 2;
      w[index]! -=
        (rate * (mean[index]! / (1 - 0.9 ** step))) / (Math.sqrt(square[index]! / (1 - 0.99 ** step)) + 1e-6);
    }
  }
  return w;
}

function sparse(names: readonly string[], reasons: Reasons): Sparse {
  const kept = names.flatMap((name, index) => (index === 0 || reasons[name] ? [index] : []));
  return {
    at: Int32Array.from(kept),
    value: Float64Array.from(kept, (index) => (index === 0 ? 1 : reasons[names[index]!]!)),
  };
}

export function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
