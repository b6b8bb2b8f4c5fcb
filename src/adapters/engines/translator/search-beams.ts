import { isLooping } from "./is-looping.ts";

/** A sentence being written: the pieces so far and their log-probability. */
interface Open {
  readonly sentence: number;
  readonly pieces: readonly number[];
  readonly sum: number;
  /** Which row of the last step it goes on from. */
  readonly parent: number;
}

export interface Hypothesis {
  readonly pieces: readonly number[];
  /** Log-probability, made comparable between lengths. */
  readonly value: number;
}

export interface DecoderRow {
  readonly sentence: number;
  readonly piece: number;
  readonly parent: number;
}

/** Log-probabilities and pieces of the best candidates of each row, best first, `width` to a row. */
export interface DecoderStep {
  readonly scores: Float32Array;
  readonly pieces: BigInt64Array;
  readonly width: number;
}

export type Decode = (rows: readonly DecoderRow[], at: number) => Promise<DecoderStep>;

export interface SearchedSentence {
  /** Pieces of its source. */
  readonly length: number;
  /** Nobody waits for it any more. */
  isCancelled(): boolean;
}

export const BEGIN = 1;
export const END = 2;
/** As the net was scored: a little under the mean, which would favour long sentences. */
const LENGTH_POWER = 0.9;
const MOST_PIECES = 250;
/** A beginning this much less likely than the best hardly ever wins: without it a sentence costs a sixth less. */
const WIDEST_GAP = 1.5;

/** Writes several sentences at once, keeping the `beams` most likely beginnings of each. The results of a sentence come best
 *  first; a cancelled sentence has none, and one that would never end is cut off where its length stops making sense. */
export async function searchBeams(
  sentences: readonly SearchedSentence[],
  decode: Decode,
  beams: number,
  isNumeric: (piece: number) => boolean = () => false,
): Promise<Hypothesis[][]> {
  const done: Hypothesis[][] = sentences.map(() => []);
  const most = sentences.map(({ length }) => Math.min(2 * length + 12, MOST_PIECES));
  let open = sentences.map((_, sentence): Open => ({ sentence, pieces: [], sum: 0, parent: sentence }));
  for (let at = 0; open.length > 0; at++) {
    const rows = open.map(({ sentence, pieces, parent }) => ({ sentence, piece: pieces.at(-1) ?? BEGIN, parent }));
    const step = await decode(rows, at);
    const next: Open[] = [];
    for (const [sentence, group] of groupBySentence(open)) {
      if (sentences[sentence]!.isCancelled()) continue;
      const grown = grow(group, step, beams, at + 1, isNumeric);
      done[sentence]!.push(...grown.done);
      const best = grown.open[0];
      if (!best || isSettled(done[sentence]!, best, beams, at + 1)) continue;
      if (at + 1 < most[sentence]!) next.push(...grown.open);
      else if (done[sentence]!.length === 0) done[sentence]!.push(close(best.pieces, best.sum, at + 1));
    }
    open = next;
  }
  return done.map((list) => list.sort((a, b) => b.value - a.value));
}

type Row = readonly [place: number, one: Open];

function groupBySentence(open: readonly Open[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const [place, one] of open.entries()) {
    const group = groups.get(one.sentence);
    if (group) group.push([place, one]);
    else groups.set(one.sentence, [[place, one]]);
  }
  return groups;
}

/** The best ways to go on from the beginnings of one sentence, and those that end here. */
function grow(
  group: readonly Row[],
  { scores, pieces, width }: DecoderStep,
  beams: number,
  length: number,
  isNumeric: (piece: number) => boolean,
): { open: Open[]; done: Hypothesis[] } {
  const candidates = group.flatMap(([row, from]) =>
    Array.from({ length: Math.min(width, beams + 1) }, (_, place) => ({
      row,
      from,
      piece: Number(pieces[row * width + place]),
      sum: from.sum + scores[row * width + place]!,
    })),
  );
  candidates.sort((a, b) => b.sum - a.sum);
  const open: Open[] = [];
  const done: Hypothesis[] = [];
  for (const [rank, { row, from, piece, sum }] of candidates.entries()) {
    if (open.length >= beams) break;
    if (piece === END) {
      if (rank < beams) done.push(close(from.pieces, sum, length));
      if (beams === 1) break;
      continue;
    }
    const grown = [...from.pieces, piece];
    if (isLooping(grown, isNumeric)) continue;
    if (open.length > 0 && open[0]!.sum - sum > WIDEST_GAP) break;
    open.push({ sentence: from.sentence, pieces: grown, sum, parent: row });
  }
  // Every way on runs in circles: what was there before is the sentence.
  if (open.length === 0 && done.length === 0) {
    const [, from] = group[0]!;
    done.push(close(from.pieces, from.sum, length));
  }
  return { open, done };
}

/** Whether what is still open has little chance of beating what is done. */
function isSettled(done: readonly Hypothesis[], best: Open, beams: number, length: number): boolean {
  if (done.length >= beams) return true;
  const reached = best.sum / length ** LENGTH_POWER;
  return done.some(({ value }) => value >= reached);
}

function close(pieces: readonly number[], sum: number, length: number): Hypothesis {
  return { pieces, value: sum / length ** LENGTH_POWER };
}
