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
  const { width, height, channels, pitch, pixels } = raster;
  return ([left, top, right, bottom]) => {
    const low = [255, 255, 255];
    const high = [0, 0, 0];
    for (let y = Math.floor(top * height); y < Math.min(height, Math.ceil(bottom * height)); y++) {
      for (let x = Math.floor(left * width); x < Math.min(width, Math.ceil(right * width)); x++) {
        const at = (y + 1) * pitch + (x + 1) * channels;
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
  /** Bytes from one row to the next. */
  readonly pitch: number;
  /** With a blank row over the first and a blank pixel before each, so that every pixel has neighbours. */
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
  const pitch = Math.ceil((stride + channels) / 4) * 4;
  const pixels = new Uint8Array(pitch * (height + 1));
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1);
    const to = (y + 1) * pitch + channels;
    pixels.set(rows.subarray(start + 1, start + 1 + stride), to);
    undoFilter(rows[start]!, pixels, to, stride, pitch, channels);
  }
  return { width, height, channels, pitch, pixels };
}

/** A row of a PNG says by how much it differs from what is left of it, above it, their mean, or the likeliest of the three neighbours. */
function undoFilter(
  filter: number,
  pixels: Uint8Array,
  from: number,
  stride: number,
  pitch: number,
  channels: number,
): void {
  const end = from + stride;
  if (filter === 1) {
    for (let at = from; at < end; at++) pixels[at]! += pixels[at - channels]!;
  } else if (filter === 2) {
    addRowAbove(pixels, from - channels, pitch);
  } else if (filter === 3) {
    for (let at = from; at < end; at++) pixels[at]! += (pixels[at - channels]! + pixels[at - pitch]!) >> 1;
  } else if (filter === 4) {
    for (let at = from; at < end; at++) {
      pixels[at]! += likeliest(pixels[at - channels]!, pixels[at - pitch]!, pixels[at - pitch - channels]!);
    }
  }
}

/** Most rows say how they differ from the one above: four of their bytes are added at a time, none carrying into the next. */
function addRowAbove(pixels: Uint8Array, from: number, pitch: number): void {
  const row = new Int32Array(pixels.buffer, from, pitch / 4);
  const above = new Int32Array(pixels.buffer, from - pitch, pitch / 4);
  for (let at = 0; at < row.length; at++) {
    const [one, other] = [row[at]!, above[at]!];
    row[at] = (((one & 0x7f7f7f7f) + (other & 0x7f7f7f7f)) | 0) ^ ((one ^ other) & 0x80808080);
  }
}

/** The neighbour that is nearest to what a slope through all three would give. */
function likeliest(left: number, up: number, corner: number): number {
  const byLeft = Math.abs(up - corner);
  const byUp = Math.abs(left - corner);
  const byCorner = Math.abs(left + up - 2 * corner);
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
}
