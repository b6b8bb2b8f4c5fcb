/** An upright picture in memory: 8-bit RGB, row by row. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A rectangle that may be tilted: centre, size and angle in pixels and radians. */
export interface TiltedBox {
  readonly centerX: number;
  readonly centerY: number;
  readonly width: number;
  readonly height: number;
  readonly angle: number;
}

/** Turns a picture by whole quarters, clockwise. */
export function rotateQuarters(raster: Raster, quarters: number): Raster {
  const turns = ((quarters % 4) + 4) % 4;
  if (turns === 0) return raster;
  const { width, height, data } = raster;
  const outWidth = turns === 2 ? width : height;
  const outHeight = turns === 2 ? height : width;
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const toX = turns === 1 ? height - 1 - y : turns === 2 ? width - 1 - x : y;
      const toY = turns === 1 ? x : turns === 2 ? height - 1 - y : width - 1 - x;
      const from = (y * width + x) * 3;
      const to = (toY * outWidth + toX) * 3;
      out[to] = data[from]!;
      out[to + 1] = data[from + 1]!;
      out[to + 2] = data[from + 2]!;
    }
  }
  return { width: outWidth, height: outHeight, data: out };
}

/** Cuts a tilted rectangle out of a picture, straightened and scaled to `height` rows. */
export function cropTilted(raster: Raster, box: TiltedBox, height: number, maxWidth: number): Raster {
  const { data, width: sourceWidth } = raster;
  const width = Math.max(8, Math.min(maxWidth, Math.round((box.width / Math.max(1, box.height)) * height)));
  const out = new Uint8Array(width * height * 3);
  const cos = Math.cos(box.angle);
  const sin = Math.sin(box.angle);
  // Shrinking by more than a third would skip pixels, so take several samples per target pixel then.
  const samples = Math.min(4, Math.max(1, Math.round(Math.max(box.width / width, box.height / height))));
  const stepX = box.width / (width * samples);
  const stepY = box.height / (height * samples);
  const lastX = sourceWidth - 1;
  const lastY = raster.height - 1;
  // In a picture of one column or row the neighbour of a pixel is the pixel itself.
  const right = lastX > 0 ? 3 : 0;
  const below = lastY > 0 ? sourceWidth * 3 : 0;
  const sums = new Float32Array(width * 3);
  const weight = 1 / (samples * samples);
  for (let row = 0; row < height; row++) {
    sums.fill(0);
    for (let line = row * samples; line < (row + 1) * samples; line++) {
      const localY = (line + 0.5) * stepY - box.height / 2;
      const startX = box.centerX - localY * sin - 0.5;
      const startY = box.centerY + localY * cos - 0.5;
      for (let sample = 0, to = 0, left = samples; sample < width * samples; sample++) {
        const localX = (sample + 0.5) * stepX - box.width / 2;
        const x = Math.min(Math.max(startX + localX * cos, 0), lastX);
        const y = Math.min(Math.max(startY + localX * sin, 0), lastY);
        const column = x < lastX ? x | 0 : Math.max(0, lastX - 1);
        const line = y < lastY ? y | 0 : Math.max(0, lastY - 1);
        const a = (line * sourceWidth + column) * 3;
        const b = a + right;
        const c = a + below;
        const d = b + below;
        const wd = (x - column) * (y - line);
        const wb = x - column - wd;
        const wc = y - line - wd;
        const wa = 1 - (x - column) - wc;
        sums[to]! += data[a]! * wa + data[b]! * wb + data[c]! * wc + data[d]! * wd;
        sums[to + 1]! += data[a + 1]! * wa + data[b + 1]! * wb + data[c + 1]! * wc + data[d + 1]! * wd;
        sums[to + 2]! += data[a + 2]! * wa + data[b + 2]! * wb + data[c + 2]! * wc + data[d + 2]! * wd;
        if (--left === 0) {
          left = samples;
          to += 3;
        }
      }
    }
    const start = row * width * 3;
    for (let index = 0; index < sums.length; index++) out[start + index] = sums[index]! * weight;
  }
  return { width, height, data: out };
}

/** Scales a picture by interpolating between its pixels. */
export function resizeRaster(raster: Raster, width: number, height: number): Raster {
  const { data } = raster;
  const out = new Uint8Array(width * height * 3);
  const columns = neighbours(raster.width, width);
  const rows = neighbours(raster.height, height);
  for (let row = 0; row < height; row++) {
    const top = rows.first[row]! * raster.width * 3;
    const bottom = rows.second[row]! * raster.width * 3;
    const down = rows.share[row]!;
    for (let column = 0, to = row * width * 3; column < width; column++, to += 3) {
      const left = columns.first[column]! * 3;
      const right = columns.second[column]! * 3;
      const across = columns.share[column]!;
      for (let channel = 0; channel < 3; channel++) {
        const above = data[top + left + channel]! * (1 - across) + data[top + right + channel]! * across;
        const under = data[bottom + left + channel]! * (1 - across) + data[bottom + right + channel]! * across;
        out[to + channel] = above * (1 - down) + under * down;
      }
    }
  }
  return { width, height, data: out };
}

/** For each of `to` places along a side of `from` pixels: the two pixels it lies between, and how near it is to the second. */
function neighbours(from: number, to: number): { first: Int32Array; second: Int32Array; share: Float64Array } {
  const found = { first: new Int32Array(to), second: new Int32Array(to), share: new Float64Array(to) };
  for (let index = 0; index < to; index++) {
    const place = Math.min(Math.max((index + 0.5) * (from / to) - 0.5, 0), from - 1);
    found.first[index] = Math.floor(place);
    found.second[index] = Math.min(Math.floor(place) + 1, from - 1);
    found.share[index] = place - Math.floor(place);
  }
  return found;
}

/** Channel planes in BGR order, as the PP-OCR models were trained, scaled by `(value / 255 - mean) / deviation`. */
export function toPlanes(
  raster: Raster,
  mean: readonly number[],
  deviation: readonly number[],
  into: Float32Array,
  offset: number,
  stride: number,
  rows = raster.height,
): void {
  const plane = stride * rows;
  for (let channel = 0; channel < 3; channel++) {
    const from = 2 - channel;
    const scale = 1 / (255 * deviation[channel]!);
    const shift = mean[channel]! / deviation[channel]!;
    for (let row = 0; row < raster.height; row++) {
      const target = offset + channel * plane + row * stride;
      let source = row * raster.width * 3 + from;
      for (let column = 0; column < raster.width; column++, source += 3) {
        into[target + column] = raster.data[source]! * scale - shift;
      }
    }
  }
}
