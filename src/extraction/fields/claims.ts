import type { Box } from "../../ports/document-reader.ts";
import { endAlike, isInColumn, isRightUnder, isSameBlock, isSameEdge, startAlike } from "../reading/geometry.ts";
import type { Label } from "../reading/labels.ts";
import { boxOfSpan, type Layout, type Row } from "../reading/layout.ts";
import type { Segment } from "../reading/segment.ts";

/** Where a value stands relative to its label. */
export type Place = "inline" | "right" | "below";

/** Something of the wanted kind that was found in a run of text. */
export interface Found<Value> {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
}

/** A value of some kind with its place on the page and the labels that may mean it. */
export interface Span<Value> extends Found<Value> {
  readonly segment: Segment;
  readonly box: Box;
  readonly claims: Claim[];
}

/** A label that stands before, beside or over a value. */
export interface Claim {
  readonly label: Label;
  readonly place: Place;
  /** How far apart they are: letters between them, or a part of the page's width, or rows; 0 to 1. */
  readonly gap: number;
  /** Values of the same kind between the label and this one. */
  readonly skipped: number;
  /** No other value of the kind comes before the next label. */
  readonly isLast: boolean;
}

/** All values of one kind, each with the labels around it. */
export function findSpans<Value>(
  layout: Layout,
  labels: readonly Label[],
  isLabel: (segment: Segment) => boolean,
  find: (text: string, segment: Segment) => readonly Found<Value>[],
): Span<Value>[] {
  const bySegment = new Map<number, Span<Value>[]>();
  const spans: Span<Value>[] = [];
  for (const segment of layout.segments) {
    const own = find(segment.text, segment).map(
      (one): Span<Value> => ({ ...one, segment, box: boxOfSpan(segment, one.from, one.to), claims: [] }),
    );
    if (own.length === 0) continue;
    bySegment.set(segment.id, own);
    spans.push(...own);
  }
  for (const label of labels) claimAround(layout, label, isLabel, (segment) => bySegment.get(segment.id) ?? []);
  return spans;
}

/** Letters between a label and its value that make a whole sentence of it. */
const sentence = 25;
const mostRowsBelow = 4;

function claimAround(
  layout: Layout,
  label: Label,
  isLabel: (segment: Segment) => boolean,
  spansIn: (segment: Segment) => readonly Span<unknown>[],
): void {
  const { segment } = label;
  const lettersBefore = (span: Span<unknown>, from = 0): number => letters(span.segment.text.slice(from, span.from));
  // "TOTAL: RD$ 1370.00": the label may end in the currency of its value.
  const inline = spansIn(segment).filter((span) => span.from > label.from && span.to > label.to);
  claimAll(
    label,
    "inline",
    inline.map((span) => ({ span, gap: lettersBefore(span, label.to) / sentence })),
  );
  // A word of a sentence means nothing outside of it.
  const isSentence = !label.isAlone && segment.text.split(" ").length > longestHeading && !/:\s*$/.test(segment.text);
  // "VAT 25 % of 1 694.75" names what the tax beside it was charged on.
  const isBase = inline.length === 1 && /%.*\p{L}\W*$/u.test(segment.text.slice(label.from, inline[0]!.from));
  if ((inline[0] && !isBase && lettersBefore(inline[0], label.to) < 4) || isSentence) return;
  const beside: Gapped[] = [];
  for (const other of besideLabel(layout, segment, isLabel)) {
    if (other.id === segment.id || (other.box[0] < segment.box[2] && !isSameEdge(other.box[0], segment.box[2])))
      continue;
    const own = spansIn(other);
    // The next label in the row starts another pair.
    if (isLabel(other) && (own.length === 0 || beside.length > 0)) break;
    for (const span of own) beside.push({ span, gap: other.box[0] - segment.box[2] + lettersBefore(span) / sentence });
  }
  claimAll(label, "right", beside);
  const below: Gapped[] = [];
  for (const { segment: other, steps } of segmentsBelow(layout, segment, mostRowsBelow)) {
    const [span] = spansIn(other);
    if (!span && isLabel(other)) break;
    if (span) below.push({ span, gap: steps / mostRowsBelow + lettersBefore(span) / sentence });
  }
  claimAll(label, "below", below);
}

/** The row of a label; beside the first line of one that fills two, or beside one in the middle of a cell of two lines, a value stands a row higher. */
function besideLabel(layout: Layout, segment: Segment, isLabel: (one: Segment) => boolean): readonly Segment[] {
  const own = layout.rows[segment.row]!.segments;
  const above = layout.rows[segment.row - 1]?.segments ?? [];
  const [upper, lower] = [above[0], layout.rows[segment.row + 1]?.segments[0]];
  const isNear = (one: Segment): boolean =>
    one.box[0] > segment.box[2] && one.box[3] > segment.box[1] - segment.height && one.box[1] < segment.box[3];
  if (
    own.length === 1 &&
    above.length === 1 &&
    !isLabel(upper!) &&
    lower &&
    startAlike(upper!.box, lower.box) &&
    isNear(upper!) &&
    isRightUnder(lower.box[1], segment.box[3], segment.height / 3)
  )
    return above;
  const first = above.findIndex(({ box }) => startAlike(box, segment.box));
  const isWrapped =
    first >= 0 && own.at(-1) === segment && !isLabel(above[first]!) && !/[:\d]/.test(above[first]!.text);
  return isWrapped && isRightUnder(segment.box[1], above[first]!.box[3], segment.height / 3) ? above : own;
}

/** Words of headings that stand side by side: a guess. */
const longestHeading = 12;

interface Gapped {
  readonly span: Span<unknown>;
  readonly gap: number;
}

function claimAll(label: Label, place: Place, spans: readonly Gapped[]): void {
  for (const [index, { span, gap }] of spans.entries())
    span.claims.push({ label, place, gap: Math.max(0, Math.min(1, gap)), skipped: index, isLast: !spans[index + 1] });
}

function letters(text: string): number {
  return text.replace(/[\s:#.,°ºo()€$£–-]/gi, "").length;
}

/** Runs of text under a segment that share its column, nearest first. */
export function segmentsBelow(
  layout: Layout,
  segment: Segment,
  maxRows: number,
): { segment: Segment; steps: number }[] {
  const found: { segment: Segment; steps: number }[] = [];
  let steps = 0;
  let bottom = segment.box[3];
  for (let index = segment.row + 1; index < layout.rows.length && steps < maxRows; index++) {
    const row = layout.rows[index]!;
    if (row.page !== segment.page) break;
    const [closest] = row.segments
      .filter(
        (other) =>
          isInColumn(other.box, segment.box) || startAlike(other.box, segment.box) || endAlike(other.box, segment.box),
      )
      .sort((left, right) => Math.abs(left.box[0] - segment.box[0]) - Math.abs(right.box[0] - segment.box[0]));
    const nearest = closest ?? sameColumn(layout, segment, row);
    if (!nearest) continue;
    if (!isSameBlock(nearest.box[1], bottom, Math.max(segment.height, nearest.height))) break;
    found.push({ segment: nearest, steps });
    steps++;
    bottom = nearest.box[3];
  }
  return found;
}

/** In a row of headings over a row of values, as many of these as of those, each value is in its heading's column wherever it stands in it. */
function sameColumn(layout: Layout, heading: Segment, row: Row): Segment | undefined {
  const headings = layout.rows[heading.row]!.segments;
  if (row.index !== heading.row + 1 || row.segments.length !== headings.length) return undefined;
  // "Total:" alone on its row, with the amount at the end of the next one.
  if (headings.length < 2 && !/:\s*$/.test(heading.text)) return undefined;
  return row.segments[headings.indexOf(heading)];
}
