import type { TiltedBox } from "./raster.ts";

export interface FoundBox extends TiltedBox {
  readonly score: number;
}

interface Component {
  count: number;
  sumX: number;
  sumY: number;
  sumXX: number;
  sumYY: number;
  sumXY: number;
  sumScore: number;
  pixels: number[];
}

const pixelThreshold = 0.3;
const boxThreshold = 0.5;
const growth = 1.6;
/** A component this much longer than high knows its own tilt; shorter ones take the page's. */
const reliableElongation = 4;

/**
 * Turns the detector's probability map into tilted boxes around lines of text.
 * The detector marks a shrunk core of each line, so every box is grown again afterwards.
 */
export function findBoxes(
  map: Float32Array,
  width: number,
  height: number,
  usedWidth: number,
  usedHeight: number,
): FoundBox[] {
  const components = labelComponents(map, width, usedWidth, usedHeight).filter((part) => part.count >= 6);
  const shaped = components.map((part) => ({ part, ...principalAxis(part) }));
  const pageAngle = weightedMedian(
    shaped
      .filter((shape) => shape.elongation > reliableElongation && Math.abs(shape.angle) < 0.5)
      .map((shape) => [shape.angle, shape.part.count]),
  );
  const boxes: FoundBox[] = [];
  for (const { part, angle, elongation } of shaped) {
    const score = part.sumScore / part.count;
    if (score < boxThreshold) continue;
    const isUpright = Math.abs(angle) > Math.PI / 4;
    let used = pageAngle;
    if (elongation > reliableElongation && !isUpright && Math.abs(angle - pageAngle) < 0.35) used = angle;
    boxes.push({ ...growBox(extentAlong(part, used, width), growth), score });
  }
  return boxes.filter((box) => box.height >= 5 && box.width >= 5 && height > 0);
}

function labelComponents(map: Float32Array, width: number, usedWidth: number, usedHeight: number): Component[] {
  const seen = new Uint8Array(map.length);
  const components: Component[] = [];
  const stack: number[] = [];
  for (let row = 0; row < usedHeight; row++) {
    for (let column = 0; column < usedWidth; column++) {
      const start = row * width + column;
      if (seen[start] || map[start]! < pixelThreshold) continue;
      const part: Component = { count: 0, sumX: 0, sumY: 0, sumXX: 0, sumYY: 0, sumXY: 0, sumScore: 0, pixels: [] };
      seen[start] = 1;
      stack.push(start);
      while (stack.length > 0) {
        const index = stack.pop()!;
        const x = index % width;
        const y = (index - x) / width;
        part.count++;
        part.sumX += x;
        part.sumY += y;
        part.sumXX += x * x;
        part.sumYY += y * y;
        part.sumXY += x * y;
        part.sumScore += map[index]!;
        part.pixels.push(index);
        for (let dy = -1; dy <= 1; dy++) {
          const nextY = y + dy;
          if (nextY < 0 || nextY >= usedHeight) continue;
          for (let dx = -1; dx <= 1; dx++) {
            const nextX = x + dx;
            if (nextX < 0 || nextX >= usedWidth) continue;
            const next = nextY * width + nextX;
            if (seen[next] || map[next]! < pixelThreshold) continue;
            seen[next] = 1;
            stack.push(next);
          }
        }
      }
      components.push(part);
    }
  }
  return components;
}

function principalAxis(part: Component): { angle: number; elongation: number } {
  const meanX = part.sumX / part.count;
  const meanY = part.sumY / part.count;
  const varianceX = part.sumXX / part.count - meanX * meanX + 1 / 12;
  const varianceY = part.sumYY / part.count - meanY * meanY + 1 / 12;
  const covariance = part.sumXY / part.count - meanX * meanY;
  const angle = 0.5 * Math.atan2(2 * covariance, varianceX - varianceY);
  const spread = Math.sqrt(((varianceX - varianceY) / 2) ** 2 + covariance ** 2);
  const middle = (varianceX + varianceY) / 2;
  return { angle, elongation: Math.sqrt((middle + spread) / Math.max(1e-6, middle - spread)) };
}

function extentAlong(part: Component, angle: number, width: number): TiltedBox {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  let minU = Number.POSITIVE_INFINITY;
  let maxU = Number.NEGATIVE_INFINITY;
  let minV = Number.POSITIVE_INFINITY;
  let maxV = Number.NEGATIVE_INFINITY;
  for (const index of part.pixels) {
    const x = (index % width) + 0.5;
    const y = Math.floor(index / width) + 0.5;
    const u = x * cos + y * sin;
    const v = -x * sin + y * cos;
    if (u < minU) minU = u;
    if (u > maxU) maxU = u;
    if (v < minV) minV = v;
    if (v > maxV) maxV = v;
  }
  const u = (minU + maxU) / 2;
  const v = (minV + maxV) / 2;
  return {
    centerX: u * cos - v * sin,
    centerY: u * sin + v * cos,
    width: maxU - minU + 1,
    height: maxV - minV + 1,
    angle,
  };
}

/** Grows by area / perimeter, as the detector's labels were shrunk. */
function growBox(box: TiltedBox, ratio: number): TiltedBox {
  const distance = ((box.width * box.height) / (2 * (box.width + box.height))) * ratio;
  return { ...box, width: box.width + 2 * distance, height: box.height + 2 * distance };
}

function weightedMedian(values: [value: number, weight: number][]): number {
  if (values.length === 0) return 0;
  values.sort((left, right) => left[0] - right[0]);
  const half = values.reduce((sum, [, weight]) => sum + weight, 0) / 2;
  let running = 0;
  for (const [value, weight] of values) {
    running += weight;
    if (running >= half) return value;
  }
  return 0;
}
