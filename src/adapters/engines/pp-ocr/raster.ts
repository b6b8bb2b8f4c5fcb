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
  const width = Math.max(8, Math.min(maxWidth, Math.round((box.width / Math.max(1, box.height)) * height)));
  const out = new Uint8Array(width * height * 3);
  const stepX = box.width / width;
  const stepY = box.height / height;
  const cos = Math.cos(box.angle);
  const sin = Math.sin(box.angle);
  // Shrinking by more than a third would skip pixels, so take several samples per target pixel then.
  const samples = Math.min(4, Math.max(1, Math.round(Math.max(stepX, stepY))));
  const weight = 1 / (samples * samples);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let sample = 0; sample < samples * samples; sample++) {
        const offsetX = ((sample % samples) + 0.5) / samples;
        const offsetY = (Math.floor(sample / samples) + 0.5) / samples;
        const localX = (column + offsetX) * stepX - box.width / 2;
        const localY = (row + offsetY) * stepY - box.height / 2;
        const x = box.centerX + localX * cos - localY * sin - 0.5;
        const y = box.centerY + localX * sin + localY * cos - 0.5;
        const left = clamp(Math.floor(x), 0, raster.width - 1);
        const top = clamp(Math.floor(y), 0, raster.height - 1);
        const right = Math.min(left + 1, raster.width - 1);
        const bottom = Math.min(top + 1, raster.height - 1);
        const shareX = clamp(x - left, 0, 1);
        const shareY = clamp(y - top, 0, 1);
        const a = (top * raster.width + left) * 3;
        const b = (top * raster.width + right) * 3;
        const c = (bottom * raster.width + left) * 3;
        const d = (bottom * raster.width + right) * 3;
        const wa = (1 - shareX) * (1 - shareY);
        const wb = shareX * (1 - shareY);
        const wc = (1 - shareX) * shareY;
        const wd = shareX * shareY;
        const pixels = raster.data;
        red += pixels[a]! * wa + pixels[b]! * wb + pixels[c]! * wc + pixels[d]! * wd;
        green += pixels[a + 1]! * wa + pixels[b + 1]! * wb + pixels[c + 1]! * wc + pixels[d + 1]! * wd;
        blue += pixels[a + 2]! * wa + pixels[b + 2]! * wb + pixels[c + 2]! * wc + pixels[d + 2]! * wd;
      }
      const to = (row * width + column) * 3;
      out[to] = red * weight;
      out[to + 1] = green * weight;
      out[to + 2] = blue * weight;
    }
  }
  return { width, height, data: out };
}

/** Scales a picture by averaging or interpolating, whichever the direction asks for. */
export function resizeRaster(raster: Raster, width: number, height: number): Raster {
  const out = new Uint8Array(width * height * 3);
  const stepX = raster.width / width;
  const stepY = raster.height / height;
  for (let row = 0; row < height; row++) {
    const y = clamp((row + 0.5) * stepY - 0.5, 0, raster.height - 1);
    const top = Math.floor(y);
    const bottom = Math.min(top + 1, raster.height - 1);
    const shareY = y - top;
    for (let column = 0; column < width; column++) {
      const x = clamp((column + 0.5) * stepX - 0.5, 0, raster.width - 1);
      const left = Math.floor(x);
      const right = Math.min(left + 1, raster.width - 1);
      const shareX = x - left;
      const to = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const a = raster.data[(top * raster.width + left) * 3 + channel]!;
        const b = raster.data[(top * raster.width + right) * 3 + channel]!;
        const c = raster.data[(bottom * raster.width + left) * 3 + channel]!;
        const d = raster.data[(bottom * raster.width + right) * 3 + channel]!;
        out[to + channel] = (a * (1 - shareX) + b * shareX) * (1 - shareY) + (c * (1 - shareX) + d * shareX) * shareY;
      }
    }
  }
  return { width, height, data: out };
}

/** Channel planes in BGR order, as the PP-OCR models were trained, scaled by `(value / 255 - mean) / deviation`. */
export function toPlanes(
  raster: Raster,
  mean: readonly number[],
  deviation: readonly number[],
  into: Float32Array,
  offset: number,
  stride: number,
): void {
  const plane = stride * raster.height;
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

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
