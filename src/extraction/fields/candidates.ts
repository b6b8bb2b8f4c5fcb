import type { Box } from "../../ports/document-reader.ts";
import { boxOfSpan, type Layout, middle, overlapX, type Row, type Segment } from "../reading/layout.ts";
import type { Label } from "./labels.ts";

/** Where a value stands relative to its label. */
export type Place = "inline" | "right" | "below";

/** Something of the wanted kind that was found in a run of text. */
export interface Found<Value> {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
}

export interface Candidate<Value> {
  readonly value: Value;
  readonly segment: Segment;
  readonly box: Box;
  readonly place: Place;
  readonly label: Label<string>;
  /** 0 to 1: how well label, place and distance fit together. */
  readonly fit: number;
}

/** Looks for values of one kind beside a label: after it, to its right, below it. */
export function valuesNear<Value>(
  layout: Layout,
  label: Label<string>,
  isLabel: (segment: Segment) => boolean,
  find: (text: string) => readonly Found<Value>[],
  options: { readonly maxRowsBelow?: number } = {},
): Candidate<Value>[] {
  const results: Candidate<Value>[] = [];
  const add = (segment: Segment, found: Found<Value>, place: Place, fit: number): void => {
    results.push({ value: found.value, segment, box: boxOfSpan(segment, found.from, found.to), place, label, fit });
  };
  const tail = label.segment.text.slice(label.to);
  // "PO" in "PO-4711" is part of the code, not a label before it.
  const isPartOfCode =
    /^_\S/.test(tail) ||
    (label.length <= 4 && /^\d/.test(tail)) ||
    ((!label.isStrong || label.length <= 3) && /^[-/]\S/.test(tail));
  if (isPartOfCode) return results;
  const inline = find(tail)[0];
  if (inline) {
    const gap = tail.slice(0, inline.from).replace(/[\s:#.°ºo()–-]/gi, "").length;
    add(
      label.segment,
      { value: inline.value, from: inline.from + label.to, to: inline.to + label.to },
      "inline",
      Math.max(0.3, 1 - gap * 0.04),
    );
    if (gap < 4) return results;
  }
  const row = layout.rows[label.segment.row]!;
  let steps = 0;
  for (const segment of row.segments) {
    if (segment.box[0] < label.segment.box[2] - 0.005 || segment.id === label.segment.id) continue;
    const found = find(segment.text)[0];
    if (!found) {
      if (isLabel(segment)) break;
      steps++;
      if (steps > 2) break;
      continue;
    }
    const distance = segment.box[0] - label.segment.box[2];
    const lead = segment.text.slice(0, found.from).replace(/[\s:#.,()€$£-]/g, "").length;
    add(segment, found, "right", Math.max(0.25, 0.95 - distance * 0.35 - steps * 0.15 - Math.min(0.4, lead * 0.04)));
    break;
  }
  for (const below of segmentsBelow(layout, label.segment, options.maxRowsBelow ?? 3)) {
    const found = find(below.segment.text)[0];
    if (!found) {
      if (isLabel(below.segment)) break;
      continue;
    }
    const lead = below.segment.text.slice(0, found.from).replace(/[\s:#.,()€$£-]/g, "").length;
    const fit = (label.isAlone ? 0.85 : 0.5) - below.steps * 0.12 - Math.min(0.4, lead * 0.04);
    add(below.segment, found, "below", Math.max(0.15, fit));
    break;
  }
  return results;
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
    const under = row.segments.filter(
      (other) =>
        overlapX(other.box, segment.box) > 0.25 ||
        Math.abs(other.box[0] - segment.box[0]) < 0.012 ||
        Math.abs(other.box[2] - segment.box[2]) < 0.012,
    );
    const nearest =
      under.sort(
        (left, right) => Math.abs(left.box[0] - segment.box[0]) - Math.abs(right.box[0] - segment.box[0]),
      )[0] ?? sameColumn(layout, segment, row);
    if (!nearest) continue;
    if (middle(nearest.box) - bottom > Math.max(segment.height, nearest.height) * 3.2) break;
    found.push({ segment: nearest, steps });
    steps++;
    bottom = nearest.box[3];
  }
  return found;
}

/** In a row of headings over a row of values, as many of these as of those, each value is in its heading's column wherever it stands in it. */
function sameColumn(layout: Layout, heading: Segment, row: Row): Segment | undefined {
  const headings = layout.rows[heading.row]!.segments;
  if (row.index !== heading.row + 1 || headings.length < 2 || row.segments.length !== headings.length) return undefined;
  return row.segments[headings.indexOf(heading)];
}
