import type { Raster } from "./raster.ts";

/** Neighbours that differ by so much are ink and paper, of 255: a guess, with which 23 pages lost no known word. */
const inkStep = 40;
/** Pale print differs from its paper by less: such a share of what the darkest places do. A guess; too little leaves margins, too much loses print. */
const paleShare = 0.25;
/** So many such places make a row or a column with something on it; a speck makes fewer. */
const fewestSteps = 3;
/** Paper to leave around the print: the detector looks this far. */
const border = 24;
/** The detector halves its input five times; cut elsewhere it would see the same print in other halves, and box it a little differently. */
export const detectorStride = 32;

/** The part of a picture that has something on it, and where it begins: blank paper takes the detector as long as print. */
export function cutMargins(picture: Raster): Raster & { readonly left: number; readonly top: number } {
  const { width, height, data } = picture;
  const rows = new Uint32Array(height);
  const columns = new Uint32Array(width);
  const step = Math.min(inkStep, paleShare * contrastOf(picture));
  for (let row = 0; row < height; row++)
    for (let column = 1, at = row * width * 3 + 4; column < width; column++, at += 3)
      if (Math.abs(data[at]! - data[at - 3]!) > step) {
        rows[row]!++;
        columns[column]!++;
      }
  const [top, bottom] = spanOf(rows);
  const [left, right] = spanOf(columns);
  const out = new Uint8Array((right - left) * (bottom - top) * 3);
  for (let row = top; row < bottom; row++)
    out.set(data.subarray((row * width + left) * 3, (row * width + right) * 3), (row - top) * (right - left) * 3);
  return { width: right - left, height: bottom - top, data: out, left, top };
}

/** How much darker the darkest pixel in two hundred is than most of the page. */
function contrastOf({ data }: Raster): number {
  const counts = new Uint32Array(256);
  for (let at = 1; at < data.length; at += 3) counts[data[at]!]!++;
  const valueAt = (share: number): number => {
    let left = (share * data.length) / 3;
    let value = 0;
    while (value < 255 && left >= counts[value]!) left -= counts[value++]!;
    return value;
  };
  return valueAt(0.5) - valueAt(0.005);
}

function spanOf(steps: Uint32Array): [from: number, to: number] {
  const first = steps.findIndex((count) => count >= fewestSteps);
  if (first < 0) return [0, steps.length];
  const last = steps.findLastIndex((count) => count >= fewestSteps);
  const from = Math.floor(Math.max(0, first - border) / detectorStride) * detectorStride;
  return [from, Math.min(steps.length, last + 1 + border)];
}
