import type { ParsedPage } from "@llamaindex/liteparse";

type Shape = NonNullable<ParsedPage["vectorGraphics"]>["shapes"][number];
type Rectangle = Shape["bbox"];

/** A box to be ticked, in points: as high as a line of print. */
const smallest = 7;
const largest = 15;
/** Words begin no further behind their box than this. */
const nearWords = 14;
/** Fields of one letter each touch one another. */
const apart = 1.5;
const fewest = 2;

/** Boxes and circles that are drawn before words, and whether they are filled, ticked or crossed; one alone is an ornament. */
export function findDrawnBoxes(
  page: ParsedPage,
  isWhite: (color: string) => boolean,
): (Rectangle & { text: string })[] {
  const shapes = (page.vectorGraphics?.shapes ?? []).filter(({ bbox }) => Math.max(bbox.width, bbox.height) <= largest);
  const isPainted = ({ fill, fillColor }: Shape): boolean =>
    fill && fillColor !== undefined && !isWhite(fillColor) && !fillColor.startsWith("00");
  const isDrawn = (shape: Shape): boolean =>
    isPainted(shape) || (shape.stroke && shape.strokeColor !== undefined && !isWhite(shape.strokeColor));
  const outlines = shapes.filter((shape) => {
    const { width, height } = shape.bbox;
    return isDrawn(shape) && Math.min(width, height) >= smallest && Math.abs(width - height) < 1;
  });
  const boxes: { bbox: Rectangle; inside: Shape[] }[] = [];
  for (const { bbox } of outlines) {
    if (boxes.some((box) => distance(box.bbox, bbox) < 0)) continue;
    boxes.push({ bbox, inside: shapes.filter((shape) => distance(shape.bbox, bbox) < 0) });
  }
  const found = boxes
    .filter(({ inside }) => inside.some(({ stroke }) => stroke))
    .filter(({ bbox }) => boxes.every((other) => other.bbox === bbox || distance(other.bbox, bbox) > apart))
    .filter(({ bbox }) => page.textItems.some((item) => isBefore(bbox, item)))
    .map(({ bbox, inside }) => {
      // Beside the outline: a fill, a tick, or the strokes of a cross.
      const isTicked = inside.some(isPainted) || inside.filter(isDrawn).length > 1;
      return { ...bbox, text: isTicked ? "☑" : "☐" };
    });
  // Boxes of several colours explain a chart.
  const colours = new Set(boxes.flatMap(({ inside }) => inside.filter(isPainted).map(({ fillColor }) => fillColor)));
  return found.length >= fewest && colours.size <= 1 ? found : [];
}

/** How far apart two rectangles are; below zero they overlap. */
function distance(one: Rectangle, other: Rectangle): number {
  const across = Math.max(one.x, other.x) - Math.min(one.x + one.width, other.x + other.width);
  const down = Math.max(one.y, other.y) - Math.min(one.y + one.height, other.y + other.height);
  return Math.max(across, down);
}

function isBefore(box: Rectangle, words: Rectangle): boolean {
  const gap = words.x - box.x - box.width;
  const middle = box.y + box.height / 2;
  return gap > -1 && gap < nearWords && middle > words.y && middle < words.y + words.height;
}

export function holds({ x, y, width, height }: Rectangle, pointX: number, pointY: number): boolean {
  return pointX >= x - 1 && pointX <= x + width + 1 && pointY >= y - 1 && pointY <= y + height + 1;
}
