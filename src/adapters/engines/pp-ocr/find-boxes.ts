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
  /** The pixels as runs along rows: row, first and last column of each, one behind the other. */
  runs: number[];
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
    boxes.push({ ...growBox(extentAlong(part, used), growth), score });
  }
  return boxes.filter((box) => box.height >= 5 && box.width >= 5 && height > 0);
}

/** Runs of marked pixels that touch, also at a corner, are one component. They come in the order of their first pixels. */
function labelComponents(map: Float32Array, width: number, usedWidth: number, usedHeight: number): Component[] {
  const runs: number[] = [];
  const scores: number[] = [];
  // For each run an earlier one that it touches, itself when there is none.
  const parents: number[] = [];
  const rootOf = (run: number): number => {
    let root = run;
    while (parents[root] !== root) root = parents[root]!;
    parents[run] = root;
    return root;
  };
  for (let row = 0, above = 0, current = 0; row < usedHeight; row++) {
    const next = parents.length;
    for (let column = 0, base = row * width; column < usedWidth; column++) {
      if (!(map[base + column]! >= pixelThreshold)) continue;
      const from = column;
      let score = 0;
      for (; column < usedWidth && map[base + column]! >= pixelThreshold; column++) score += map[base + column]!;
      const run = parents.length;
      runs.push(row, from, column - 1);
      scores.push(score);
      parents.push(run);
      while (above < current && runs[above * 3 + 2]! < from - 1) above++;
      for (let touched = above; touched < current && runs[touched * 3 + 1]! <= column; touched++) {
        const [one, other] = [rootOf(run), rootOf(touched)];
        parents[Math.max(one, other)] = Math.min(one, other);
      }
    }
    above = next;
    current = parents.length;
  }
  const components = new Map<number, Component>();
  for (let run = 0; run < parents.length; run++) {
    const root = rootOf(run);
    let part = components.get(root);
    if (!part) {
      part = { count: 0, sumX: 0, sumY: 0, sumXX: 0, sumYY: 0, sumXY: 0, sumScore: 0, runs: [] };
      components.set(root, part);
    }
    addRun(part, runs[run * 3]!, runs[run * 3 + 1]!, runs[run * 3 + 2]!, scores[run]!);
  }
  return [...components.values()];
}

function addRun(part: Component, row: number, from: number, to: number, score: number): void {
  const count = to - from + 1;
  const sum = ((from + to) * count) / 2;
  const squares = (n: number): number => (n * (n + 1) * (2 * n + 1)) / 6;
  part.count += count;
  part.sumX += sum;
  part.sumY += row * count;
  part.sumXX += squares(to) - squares(from - 1);
  part.sumYY += row * row * count;
  part.sumXY += row * sum;
  part.sumScore += score;
  part.runs.push(row, from, to);
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

function extentAlong({ runs }: Component, angle: number): TiltedBox {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  let minU = Number.POSITIVE_INFINITY;
  let maxU = Number.NEGATIVE_INFINITY;
  let minV = Number.POSITIVE_INFINITY;
  let maxV = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < runs.length; index += 3) {
    const y = runs[index]! + 0.5;
    // What lies farthest in any direction is the end of a run.
    for (let end = 1; end <= 2; end++) {
      const x = runs[index + end]! + 0.5;
      const u = x * cos + y * sin;
      const v = -x * sin + y * cos;
      if (u < minU) minU = u;
      if (u > maxU) maxU = u;
      if (v < minV) minV = v;
      if (v > maxV) maxV = v;
    }
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
