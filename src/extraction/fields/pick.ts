import type { Box, Tags } from "../../ports/document-reader.ts";
import { readTable } from "../reading/read-table.ts";
import type { Segment } from "../reading/segment.ts";
import { tagReasons } from "../tag/tag-reasons.ts";
import { tagsIn } from "../tag/tags-in.ts";

/** Why a candidate may be right or wrong: named, from 0 to 1, weighed by `reasons.tsv`. */
export type Reasons = Readonly<Record<string, number>>;

/** Reasons as rules note them down: what is the case counts 1, what is not is left out; of two notes of a name the later one holds. */
export type Notes = Readonly<Record<string, number | boolean | undefined>>;

export function reasonsOf(...several: readonly Notes[]): Reasons {
  const reasons: Record<string, number> = {};
  for (const notes of several)
    for (const name in notes) if (notes[name] || name in reasons) reasons[name] = Number(notes[name] ?? 0);
  return reasons;
}

/** A value that stands on the page and could be what a field asks for. */
export interface Candidate<Value = unknown> {
  readonly value: Value;
  readonly page: number | null;
  readonly box: Box | null;
  /** How sure the reader was of the characters; 1 for a text layer. */
  readonly reading: number;
  readonly reasons: Reasons;
  /** What its words may be. */
  readonly tags?: Tags | undefined;
}

/** What was chosen, how sure that is, and what else there was. */
export interface Finding<Value = unknown> extends Candidate<Value> {
  readonly score: number;
  readonly confidence: number;
  readonly rivals: readonly Weighed[];
  /** What the order of day and month would also allow. */
  readonly alternatives?: readonly Value[];
  /** Of a table: where each of its cells stands. */
  readonly cells?: readonly (readonly (Box | null)[])[];
}

export interface Weighed {
  readonly value: unknown;
  readonly score: number;
  readonly reasons: Reasons;
}

/** Kinds of fields that fail in their own ways; a field without weights of its own has those of its kind. */
export type FieldKind = "code" | "date" | "amount" | "name" | "address" | "list" | "pair";

type Weights = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The one table of reasons: `field TAB reason TAB weight TAB where the weight comes from`. */
let weights: Weights = readWeights();

function readWeights(): Weights {
  const table = new Map<string, Map<string, number>>();
  for (const [field, reason, weight] of readTable("fields/reasons.tsv"))
    table.set(field!, (table.get(field!) ?? new Map()).set(reason!, Number(weight)));
  return table;
}

/** For fitting: the same code with other weights. */
export function useWeights(other: Weights): void {
  weights = other;
}

type Watcher = (field: string, ranked: readonly Candidate[]) => void;
let watcher: Watcher | undefined;

/** For fitting: sees every choice with all its candidates. */
export function watchPicks(watch: Watcher | undefined): void {
  watcher = watch;
}

/** How much the reasons speak for a candidate; nothing at all is worth 0, so less than that is not reported. */
export function scoreOf(field: string, reasons: Notes): number {
  const row = weights.get(field) ?? weights.get(kindOf(field));
  let sum = row?.get("bias") ?? 0;
  for (const name in reasons) sum += (row?.get(name) ?? 0) * Number(reasons[name] ?? 0);
  return sum;
}

/** What one reason is worth for one field. */
export function weightOf(field: string, reason: string): number {
  return (weights.get(field) ?? weights.get(kindOf(field)))?.get(reason) ?? 0;
}

/** Beyond this a lead says no more. */
const farAhead = 8;
const mostRivals = 4;

/**
 * Chooses the value of a field: the candidate with the highest score, if that is better than to say nothing. Confidence comes from
 * the lead over the next different value (or over saying nothing), from doubt about the characters, and from checks.
 */
export function pick<Value>(field: string, candidates: readonly Candidate<Value>[]): Finding<Value> | undefined {
  const best = new Map<string, { candidate: Candidate<Value>; score: number }>();
  for (const plain of candidates) {
    const candidate = withNotes(plain, tagReasons(field, plain.tags));
    const key = keyOf(candidate.value);
    const score = scoreOf(field, candidate.reasons);
    if (score > (best.get(key)?.score ?? Number.NEGATIVE_INFINITY)) best.set(key, { candidate, score });
  }
  const ranked = [...best.values()].sort((left, right) => right.score - left.score);
  watcher?.(
    field,
    ranked.map(({ candidate }) => candidate),
  );
  const winner = ranked[0];
  if (!winner || winner.score <= 0) return undefined;
  const rivals = ranked
    .slice(1, 1 + mostRivals)
    .map(({ candidate, score }): Weighed => ({ value: candidate.value, score, reasons: candidate.reasons }));
  const confidence = confidenceOf(field, winner.candidate, winner.score, ranked[1]?.score ?? 0);
  return { ...winner.candidate, score: winner.score, confidence, rivals };
}

/** The same for a value that has no rivals, such as a line of a list. */
export function weigh<Value>(field: string, candidate: Candidate<Value>): Finding<Value> {
  const score = scoreOf(field, candidate.reasons);
  return { ...candidate, score, confidence: confidenceOf(field, candidate, score, 0), rivals: [] };
}

/** What the confidence is computed from. */
export function confidenceReasons(candidate: Candidate, score: number, rival: number): Record<string, number> {
  const { reasons } = candidate;
  return {
    score: Math.max(-1, Math.min(1, score / farAhead)),
    lead: Math.min(1, (score - Math.max(0, rival)) / farAhead),
    // A text layer leaves no doubt; recognised characters do, the more the less sure the recogniser was.
    doubt: Math.max(0, 1 - candidate.reading),
    checked: reasons.checked ?? 0,
    failed: reasons.failed ?? 0,
    ambiguous: reasons.ambiguous ?? 0,
  };
}

export const surest = 0.99;
/** Ambiguous dates and data that contradicts the page stay below what anybody would take unseen. */
const mostAmbiguous = 0.69;
export const mostContradicted = 0.49;
/** Wrong check digits, or sums that do not come out. */
export const mostFailed = 0.6;
/** Nothing that was chosen is impossible: a guess. */
export const leastSure = 0.02;

function confidenceOf(field: string, candidate: Candidate, score: number, rival: number): number {
  if (candidate.reasons.embedded) return candidate.reasons.failed ? mostContradicted : surest;
  const row = weights.get(`confidence ${kindOf(field)}`);
  const seen = confidenceReasons(candidate, score, rival);
  let sum = row?.get("bias") ?? 0;
  for (const name in seen) sum += (row?.get(name) ?? 0) * seen[name]!;
  const most = candidate.reasons.failed ? mostFailed : candidate.reasons.ambiguous ? mostAmbiguous : surest;
  return Math.round(Math.min(most, Math.max(leastSure, 1 / (1 + Math.exp(-sum)))) * 1000) / 1000;
}

function keyOf(value: unknown): string {
  return typeof value === "string"
    ? value.toUpperCase().replace(/[^\p{L}\d]/gu, "")
    : typeof value === "number"
      ? value.toFixed(2)
      : JSON.stringify(value);
}

/** A candidate in a run of text. */
export function candidateIn<Value>(
  value: Value,
  segment: Segment,
  box: Box,
  ...notes: readonly Notes[]
): Candidate<Value> {
  const reading = segment.source === "ocr" ? segment.confidence : 1;
  return { value, page: segment.page, box, reading, reasons: reasonsOf(...notes), tags: tagsIn(segment.words, box) };
}

export function withNotes<Value>(candidate: Candidate<Value>, notes: Notes): Candidate<Value> {
  return { ...candidate, reasons: { ...candidate.reasons, ...reasonsOf(notes) } };
}

/** What kind of field a name in the result stands for. */
export function kindOf(name: string): FieldKind {
  const last = name
    .split(".")
    .at(-1)!
    .replace(/\[\d+\]/g, "");
  if (/(^|_)date$|period/.test(last)) return "date";
  if (/total|balance|^tax$|amount|debit|credit$|price|rounding/.test(last)) return "amount";
  if (/^name$|company|bank|holder/.test(last)) return "name";
  if (last === "address") return "address";
  if (/lines|transactions|tables|breakdown|checkboxes/.test(name)) return "list";
  return last === "pairs" ? "pair" : "code";
}
