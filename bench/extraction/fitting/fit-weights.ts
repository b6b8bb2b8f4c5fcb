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
const steps = 220;

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

function fitField(all: readonly Choice[], start: ReadonlyMap<string, number>, pull: number): Map<string, number> {
  // Where the right value is no candidate (its characters were misread) the others are not to blame; confidence deals with them.
  const own = all.filter(({ isAbsent, candidates }) => isAbsent || candidates.some(({ isRight }) => isRight));
  const families = new Map<string, Set<string>>();
  for (const { family, candidates } of own)
    for (const { reasons } of candidates)
      for (const reason of Object.keys(reasons)) families.set(reason, (families.get(reason) ?? new Set()).add(family));
  const names = ["bias", ...[...families].filter(([, set]) => set.size >= fewestFamilies).map(([reason]) => reason)];
  const counts = countBy(own.map(({ family }) => family));
  const rows = own.map(({ family, candidates }) => ({
    weight: Math.min(1, mostPerFamily / counts.get(family)!),
    right: candidates.map(({ isRight }) => isRight),
    hasRight: candidates.some(({ isRight }) => isRight),
    x: candidates.map(({ reasons }) => sparse(names, reasons)),
  }));
  const first = names.map((name) => start.get(name) ?? 0);
  const fitted = adam(first, pull, (w, gradient) => {
    for (const { weight, right, hasRight, x } of rows) {
      const scores = x.map((features) => features.reduce((sum, [at, value]) => sum + w[at]! * value, 0));
      const top = Math.max(0, ...scores);
      const exps = scores.map((score) => Math.exp(score - top));
      const total = Math.exp(-top) + exps.reduce((sum, value) => sum + value, 0);
      const rightTotal = hasRight ? exps.reduce((sum, value, index) => sum + (right[index] ? value : 0), 0) : 0;
      for (const [index, features] of x.entries()) {
        const p = exps[index]! / total;
        const want = hasRight && right[index] ? exps[index]! / Math.max(1e-12, rightTotal) : 0;
        for (const [at, value] of features) gradient[at]! += weight * (p - want) * value;
      }
    }
  });
  const result = new Map(names.map((name, index) => [name, fitted[index]!]));
  // What no three families showed keeps what sense says, if sense said anything.
  for (const [name, weight] of start) if (!result.has(name)) result.set(name, weight);
  return result;
}

function fitTypes(samples: readonly TypeSample[], pull: number): Table {
  const types = documentTypes.filter((type) => samples.some((sample) => sample.type === type));
  const names = ["bias", ...new Set(samples.flatMap(({ traits }) => Object.keys(traits)))];
  const counts = countBy(samples.map(({ family }) => family));
  const start = types.flatMap((type) => names.map((name) => prior.get(`type ${type}`)?.get(name) ?? 0));
  const rows = samples.map(({ family, traits, type }) => ({
    weight: Math.min(1, mostPerFamily / counts.get(family)!),
    x: sparse(names, traits),
    type,
  }));
  const fitted = adam(start, pull, (w, gradient) => {
    for (const { weight, x, type } of rows) {
      const scores = types.map((_, t) => x.reduce((sum, [at, value]) => sum + w[t * names.length + at]! * value, 0));
      const top = Math.max(...scores);
      const exps = scores.map((score) => Math.exp(score - top));
      const total = exps.reduce((sum, value) => sum + value, 0);
      for (const [t, name] of types.entries()) {
        const off = weight * (exps[t]! / total - (name === type ? 1 : 0));
        for (const [at, value] of x) gradient[t * names.length + at]! += off * value;
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

/** Documents in use are harder than any set, so each error of the set stands for this many. */
const errorsInUse = 1.5;

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

/** Adam on the loss plus the squared distance from where it starts. */
function adam(
  start: readonly number[],
  pull: number,
  addGradient: (w: readonly number[], gradient: number[]) => void,
): number[] {
  const w = [...start];
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

function sparse(names: readonly string[], reasons: Reasons): [at: number, value: number][] {
  const found: [number, number][] = [[0, 1]];
  for (const [index, name] of names.entries()) if (index > 0 && reasons[name]) found.push([index, reasons[name]]);
  return found;
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
