import type { Box } from "../../ports/document-reader.ts";

/** Edges of one column lie no further apart: 3 mm of a sheet of A4. */
const sameEdge = 0.015;
/** What shares so much of its width with something over it stands in the same column. */
const sameColumn = 0.3;
/** Print that is so much higher than the rest stands out. */
const largerPrint = 1.25;
/** A line that goes on with the one over it is no further from it than this, in lines. */
const closeLine = 1.2;
/** Lines of one block, such as an address with blank lines in it, are no further apart than this, in lines: 1.7 to 3.2 find the same values. */
const blockGap = 2.4;
/** What stands so near to a heading stands in its column, wherever in it: 17 mm of a sheet of A4. */
const nearColumn = 0.08;

/** Where titles stand, and what goes on from or to another page: the upper and the lower third of it. */
const head = 1 / 3;
const foot = 2 / 3;
/** Two tables of so much of the same width are parts of one. */
const sameWidth = 0.8;

export function isInHead(box: Box): boolean {
  return box[1] < head;
}

export function isInFoot(box: Box): boolean {
  return box[3] > foot;
}

export function isSameWidth(one: Box, other: Box): boolean {
  return overlapX(one, other) > sameWidth;
}

export function isSameEdge(one: number, other: number): boolean {
  return Math.abs(one - other) < sameEdge;
}

export function startAlike(one: Box, other: Box): boolean {
  return isSameEdge(one[0], other[0]);
}

export function endAlike(one: Box, other: Box): boolean {
  return isSameEdge(one[2], other[2]);
}

export function centredAlike(one: Box, other: Box): boolean {
  return isSameEdge(one[0] + one[2], other[0] + other[2]);
}

/** How much two boxes share horizontally, as a part of the narrower one. */
export function overlapX(first: Box, second: Box): number {
  const shared = Math.min(first[2], second[2]) - Math.max(first[0], second[0]);
  const narrower = Math.min(first[2] - first[0], second[2] - second[0]);
  return narrower > 0 ? shared / narrower : 0;
}

/** Whether the middle of one stands in a row that the other takes. */
export function overlapsY(row: Box, box: Box): boolean {
  return middle(box) > row[1] && middle(box) < row[3];
}

export function isInColumn(one: Box, other: Box): boolean {
  return overlapX(one, other) > sameColumn;
}

export function isLargePrint(height: number, usual: number): boolean {
  return height > usual * largerPrint;
}

/** Whether what begins at `top` goes on with what ends at `bottom`. */
export function isRightUnder(top: number, bottom: number, lineHeight: number): boolean {
  return top - bottom <= lineHeight * closeLine;
}

/** Whether what begins at `top` belongs to the block that ends at `bottom`. */
export function isSameBlock(top: number, bottom: number, lineHeight: number): boolean {
  return top - bottom <= lineHeight * blockGap;
}

export function isNearColumn(distance: number): boolean {
  return distance < nearColumn;
}

export function middle(box: Box): number {
  return (box[1] + box[3]) / 2;
}

export function union(first: Box, second: Box): Box {
  return [
    Math.min(first[0], second[0]),
    Math.min(first[1], second[1]),
    Math.max(first[2], second[2]),
    Math.max(first[3], second[3]),
  ];
}
