import { cutWindows } from "../bge/windows.ts";

/** The tokens that a model puts before, between and after the two texts of a pair. */
export interface PairFrame {
  readonly begin: readonly number[];
  readonly between: readonly number[];
  readonly end: readonly number[];
}

export interface Pair {
  readonly ids: readonly number[];
  /** 0 for the query and what frames it, 1 for the document. */
  readonly types: readonly number[];
}

/** From a pair of the same text, which has this many tokens: `[CLS] a [SEP] a [SEP]` of BERT, `<s> a </s> </s> a </s>` of RoBERTa. */
export function frameOf(pair: readonly number[], length: number): PairFrame {
  return { begin: pair.slice(0, 1), between: pair.slice(1 + length, -1 - length), end: pair.slice(-1) };
}

/** A query beside each part of a document, so that a long document is read to its end. A query takes half of the room at most:
 *  what is left of it would say nothing of any document. */
export function writePairs(
  frame: PairFrame,
  query: readonly number[],
  document: readonly number[],
  mostTokens: number,
): Pair[] {
  const { begin, between, end } = frame;
  const room = Math.max(2, mostTokens - begin.length - between.length - end.length);
  const asked = query.slice(0, Math.floor(room / 2));
  return cutWindows(document, room - asked.length).map((part) => {
    const first = [...begin, ...asked, ...between];
    const second = [...part, ...end];
    return { ids: [...first, ...second], types: [...first.map(() => 0), ...second.map(() => 1)] };
  });
}

/** What a model says of a pair, from 0 to 1: one number that tells how well they fit, or one for "no" and one for "yes". */
export function scoreOf(logits: ArrayLike<number>): number {
  if (logits.length === 1) return sigmoid(logits[0]!);
  if (logits.length === 2) return sigmoid(logits[1]! - logits[0]!);
  throw new Error(`the model gives ${logits.length} numbers for a pair of texts, not one or two`);
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
