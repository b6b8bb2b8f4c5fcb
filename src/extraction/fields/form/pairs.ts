import { isInColumn, isRightUnder, startAlike, union } from "../../reading/geometry.ts";
import { asksForEntry } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { findItemHeaders } from "../item-headers.ts";
import { candidateIn, type Finding, weigh } from "../pick.ts";
import { asksToo, cutIntoPieces, farAnswer, type Piece } from "./pieces.ts";

export interface Pair {
  key: string;
  value: string;
}

/** How far answers stand from their questions, as parts of the page's width or in lines: tried on 36 forms (bench/extraction). */
const near = 0.12;
const wordGap = 0.05;
const touching = 0.01;
const raisedBy = 1.5;

/** Finds what a form asks and what was answered: after the colon, right of it, or below it. */
export function findPairs(context: Context): Finding<Pair>[] {
  const pairs: Finding<Pair>[] = context.document.formEntries
    .filter((entry) => entry.value !== "")
    .map((entry) =>
      weigh("pairs", {
        value: { key: entry.name, value: entry.value },
        page: entry.page,
        box: entry.box,
        reading: 1,
        reasons: { embedded: 1 },
      }),
    );
  const rows = cutIntoPieces(context.layout.rows);
  const used = new Set<Piece>();
  const headings = findItemHeaders(context);
  for (const [index, pieces] of rows.entries()) {
    // "Description | Quantity" heads a list and asks for nothing.
    if (headings.some(({ firstRow, lastRow }) => index >= firstRow && index <= lastRow)) continue;
    for (const [position, key] of pieces.entries()) {
      if (!key.isKey || isOfSentence(key) || isTitle(context, key)) continue;
      const right = valuesRight(pieces, position, used);
      const raised = right.length > 0 ? undefined : valueRaised(context, rows, index, key, used);
      const below =
        right.length > 0 || raised || /[:?]\s*$/.test(key.text)
          ? undefined
          : valueBelow(context, rows, index, key, used);
      const first = right[0] ?? raised ?? below;
      if (!first || asksToo(key.text, first.text) || isBesideHeading(context, key, first)) continue;
      const values = right.length > 0 ? right : [first];
      for (const value of values) used.add(value);
      const more = continuation(context, rows, first, used);
      const parts = [...values, ...more];
      const text = parts.map((part) => part.text).join(" ");
      const gap = right.length > 0 ? first.box[0] - key.box[2] : near;
      pairs.push(
        weigh(
          "pairs",
          candidateIn(
            { key: wholeKey(context, rows, index, key, used), value: text },
            first.segment,
            parts.map((part) => part.box).reduce(union),
            {
              [right.length > 0 ? "right" : raised ? "raised" : "below"]: 1,
              gap: Math.max(0, gap),
              colon: /[:?]\s*$/.test(key.text),
            },
          ),
        ),
      );
    }
  }
  return pairs;
}

/** "Date | Due": two headings of columns. */
function isBesideHeading({ labelsOf }: Context, key: Piece, value: Piece): boolean {
  const isHeading = ({ segment }: Piece): boolean => labelsOf(segment).some(({ isAlone }) => isAlone);
  return !/[:?]\s*$/.test(key.text) && isHeading(key) && isHeading(value);
}

/** "PURCHASE ORDER" over the name of who orders. */
function isTitle({ labelsOf }: Context, { text, segment }: Piece): boolean {
  return !/[:?]\s*$/.test(text) && labelsOf(segment).some(({ name, isAlone }) => isAlone && name.startsWith("title."));
}

/** "the study, including the: final report" asks for nothing. */
function isOfSentence({ text, segment }: Piece): boolean {
  return /^\p{Ll}/u.test(text) && text !== segment.text.trim() && !asksForEntry(text.replace(/[:?]\s*$/, ""));
}

/** "NUMBER OF", "SAMPLING", "PERSONNEL:": a question of several lines has its colon behind the last. */
function wholeKey(
  context: Context,
  rows: readonly Piece[][],
  index: number,
  key: Piece,
  used: ReadonlySet<Piece>,
): string {
  let whole = key.text;
  let last = key;
  for (let step = index - 1; /[:?]\s*$/.test(key.text) && step >= index - mostLinesOver; step--) {
    const row = rows[step] ?? [];
    const above = row.find((piece) => startAlike(piece.box, key.box));
    const isFirstLine =
      above !== undefined &&
      above.segment.page === key.segment.page &&
      !above.isKey &&
      !used.has(above) &&
      above.text.length <= longestFirstLine &&
      /^\p{Lu}[^.:;?!]*$/u.test(above.text) &&
      isRightUnder(last.box[1], above.box[3], context.layout.lineHeight / 2) &&
      valuesRight(row, row.indexOf(above), used).length === 0;
    if (!isFirstLine) break;
    whole = `${above.text} ${whole}`;
    last = above;
  }
  return whole;
}

const mostLinesOver = 2;
/** Longer text over a question is a sentence: a guess. */
const longestFirstLine = 30;

/** What follows on the row, up to the next key or a wide blank. */
function valuesRight(pieces: readonly Piece[], position: number, used: ReadonlySet<Piece>): Piece[] {
  const found: Piece[] = [];
  let edge = pieces[position]!.box[2];
  for (const piece of pieces.slice(position + 1)) {
    const most = found.length === 0 ? farAnswer : wordGap;
    if (piece.isKey || used.has(piece) || piece.box[0] - edge > most) break;
    found.push(piece);
    edge = piece.box[2];
  }
  return found;
}

/** Typed or written a little above the line that its key is printed on. */
function valueRaised(
  context: Context,
  rows: readonly Piece[][],
  index: number,
  key: Piece,
  used: ReadonlySet<Piece>,
): Piece | undefined {
  for (const step of [index - 1, index + 1]) {
    const row = context.layout.rows[step];
    if (!row || row.page !== key.segment.page) continue;
    const offset = Math.abs((row.top + row.bottom) / 2 - (key.box[1] + key.box[3]) / 2);
    if (offset > Math.max(key.segment.height, context.layout.lineHeight) * raisedBy) continue;
    const value = rows[step]!.find(
      (piece) =>
        !piece.isKey && !used.has(piece) && piece.box[0] > key.box[2] - touching && piece.box[0] - key.box[2] < near,
    );
    if (value && !isAnswered(rows[step]!, value)) return value;
  }
  return undefined;
}

function valueBelow(
  context: Context,
  rows: readonly Piece[][],
  index: number,
  key: Piece,
  used: ReadonlySet<Piece>,
): Piece | undefined {
  for (let step = index + 1; step < rows.length && step <= index + 2; step++) {
    const row = context.layout.rows[step]!;
    if (
      row.page !== key.segment.page ||
      row.top - key.box[3] > Math.max(key.segment.height, context.layout.lineHeight) * 2
    )
      return undefined;
    const under = rows[step]!.filter((piece) => isInColumn(piece.box, key.box) || startAlike(piece.box, key.box));
    const value = under.find((piece) => !piece.isKey && !used.has(piece));
    if (value || under.length > 0) return value && isAnswered(rows[step]!, value) ? undefined : value;
  }
  return undefined;
}

/** A question left of a value on its own row has it for an answer. */
function isAnswered(row: readonly Piece[], { box }: Piece): boolean {
  return row.some((piece) => piece.isKey && piece.box[2] <= box[0] + touching && box[0] - piece.box[2] < farAnswer);
}

/** Lines right under a value, with the same left edge and nothing asked left of them, go on with it. */
function continuation(context: Context, rows: readonly Piece[][], value: Piece, used: Set<Piece>): Piece[] {
  const more: Piece[] = [];
  let last = value;
  for (let step = value.segment.row + 1; step < rows.length && more.length < 8; step++) {
    const row = context.layout.rows[step]!;
    const pieces = rows[step]!;
    if (row.page !== value.segment.page || !isRightUnder(row.top, last.box[3], context.layout.lineHeight)) break;
    const next = pieces.find((piece) => startAlike(piece.box, value.box));
    if (!next || next.isKey || used.has(next)) break;
    const isAskedFor = pieces.some((piece) => piece.isKey && piece.box[2] <= next.box[0] + touching);
    if (isAskedFor || pieces.length > 2) break;
    used.add(next);
    more.push(next);
    last = next;
  }
  return more;
}
