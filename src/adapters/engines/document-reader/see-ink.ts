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
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) undoFilter(rows, y * (stride + 1), pixels, y * stride, stride, channels, y === 0);
  return { width, height, channels, pixels };
}

/** A row of a PNG says by how much it differs from what is left of it, above it, their mean, or the likeliest of the three neighbours. */
function undoFilter(
  rows: Uint8Array,
  from: number,
  pixels: Uint8Array,
  to: number,
  stride: number,
  channels: number,
  isFirst: boolean,
): void {
  const filter = rows[from];
  const source = from + 1;
  for (let x = 0; x < stride; x++) {
    const left = x < channels || filter === 0 || filter === 2 ? 0 : pixels[to + x - channels]!;
    const up = isFirst || filter === 0 || filter === 1 ? 0 : pixels[to + x - stride]!;
    let add = 0;
    if (filter === 1) add = left;
    else if (filter === 2) add = up;
    else if (filter === 3) add = (left + up) >> 1;
    else if (filter === 4) {
      const corner = x < channels || isFirst ? 0 : pixels[to + x - stride - channels]!;
      const byLeft = Math.abs(up - corner);
      const byUp = Math.abs(left - corner);
      const byCorner = Math.abs(left + up - 2 * corner);
      add = byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
    }
    pixels[to + x] = rows[source + x]! + add;
  }
}
