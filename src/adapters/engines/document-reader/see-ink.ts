import { inflateSync } from "node:zlib";
import type { Box } from "../../../ports/document-reader.ts";

/** Whether anything is to be seen inside a box of a page: print that is white on white, covered or cut off leaves one colour there. */
export type SeeInk = (box: Box) => boolean;

/** Colours closer than this, of 256, are the same to the eye. */
const sameColour = 6;

/** Looks at a drawn page, an 8-bit PNG; undefined when it is of another make. */
export function seeInk(png: Buffer): SeeInk | undefined {
  const raster = decodePng(png);
  if (!raster) return undefined;
  const { width, height, channels, pixels } = raster;
  return ([left, top, right, bottom]) => {
    const low = [255, 255, 255];
    const high = [0, 0, 0];
    for (let y = Math.floor(top * height); y < Math.min(height, Math.ceil(bottom * height)); y++) {
      for (let x = Math.floor(left * width); x < Math.min(width, Math.ceil(right * width)); x++) {
        const at = (y * width + x) * channels;
        for (let channel = 0; channel < 3; channel++) {
          const value = pixels[at + channel]!;
          if (value < low[channel]!) low[channel] = value;
          if (value > high[channel]!) high[channel] = value;
          if (high[channel]! - low[channel]! > sameColour) return true;
        }
      }
    }
    return false;
  };
}

interface Raster {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly pixels: Uint8Array;
}

/** Plain PNGs only: the library for all others takes ten times as long to load as a page to be drawn. */
function decodePng(png: Buffer): Raster | undefined {
  if (png.length < 33 || png.toString("latin1", 12, 16) !== "IHDR") return undefined;
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [depth, colour, , , interlaced] = png.subarray(24, 29);
  const channels = colour === 2 ? 3 : colour === 6 ? 4 : 0;
  if (depth !== 8 || channels === 0 || interlaced !== 0) return undefined;
  const parts: Buffer[] = [];
  for (let at = 8; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const stride = width * channels;
  const rows = inflateSync(Buffer.concat(parts), { maxOutputLength: (stride + 1) * height });
  // With an empty row over the first.
  const pixels = new Uint8Array(stride * (height + 1));
  for (let y = 0; y < height; y++) undoFilter(rows, y * (stride + 1), pixels, (y + 1) * stride, stride, channels);
  return { width, height, channels, pixels: pixels.subarray(stride) };
}

/**
 * A row of a PNG says by how much it differs from what is left of it, above it, their mean, or the likeliest of the three neighbours.
 * A loop for each takes two thirds of the time of one for all.
 */
function undoFilter(
  rows: Uint8Array,
  from: number,
  pixels: Uint8Array,
  to: number,
  stride: number,
  channels: number,
): void {
  const source = from + 1;
  const above = to - stride;
  const left = (x: number): number => (x < channels ? 0 : pixels[to + x - channels]!);
  switch (rows[from]) {
    case 1:
      for (let x = 0; x < stride; x++) pixels[to + x] = rows[source + x]! + left(x);
      break;
    case 2:
      for (let x = 0; x < stride; x++) pixels[to + x] = rows[source + x]! + pixels[above + x]!;
      break;
    case 3:
      for (let x = 0; x < stride; x++) pixels[to + x] = rows[source + x]! + ((left(x) + pixels[above + x]!) >> 1);
      break;
    case 4:
      for (let x = 0; x < stride; x++) {
        const corner = x < channels ? 0 : pixels[above + x - channels]!;
        pixels[to + x] = rows[source + x]! + likeliest(left(x), pixels[above + x]!, corner);
      }
      break;
    default:
      pixels.set(rows.subarray(source, source + stride), to);
  }
}

/** The neighbour that is nearest to what a slope through all three would give. */
function likeliest(left: number, up: number, corner: number): number {
  const byLeft = Math.abs(up - corner);
  const byUp = Math.abs(left - corner);
  const byCorner = Math.abs(left + up - 2 * corner);
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
}
