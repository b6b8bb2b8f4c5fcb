/** Cosine of two vectors of unit length. */
export function similarity(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/** Enough for two components of a few dozen vectors: the change is below a pixel long before. */
const rounds = 60;

/** Where each vector lies in the two directions in which they differ most (principal components), from 0 to 1. */
export function project(vectors: readonly (readonly number[])[]): [number, number][] {
  const mean = vectors[0]!.map((_, index) => vectors.reduce((sum, vector) => sum + vector[index]!, 0) / vectors.length);
  let left = vectors.map((vector) => vector.map((value, index) => value - mean[index]!));
  const columns = [0, 1].map(() => {
    const direction = principal(left);
    const places = left.map((vector) => similarity(vector, direction));
    left = left.map((vector, row) => vector.map((value, index) => value - places[row]! * direction[index]!));
    return spread(places);
  });
  return moveApart(vectors.map((_, row) => [columns[0]![row]!, columns[1]![row]!]));
}

/** A line of text is about this share of the map's height. */
const lineShare = 0.065;

/** Labels on the same half of the map do not cover each other: the lower one moves down, or all up where there is no room. */
function moveApart(points: [number, number][]): [number, number][] {
  for (const isRight of [false, true]) {
    const column = points.filter(([x]) => x > 0.5 === isRight).sort((a, b) => a[1] - b[1]);
    column.forEach((point, index) => {
      const above = column[index - 1];
      if (above) point[1] = Math.max(point[1], above[1] + lineShare);
    });
    const beyond = (column.at(-1)?.[1] ?? 0) - 1;
    if (beyond > 0) for (const point of column) point[1] = Math.max(0, point[1] - beyond);
  }
  return points;
}

/** Power iteration on the covariance, without making it. */
function principal(vectors: number[][]): number[] {
  let direction = vectors[0]!.map((_, index) => Math.cos(index + 1));
  for (let round = 0; round < rounds; round++) {
    const next = direction.map(() => 0);
    for (const vector of vectors) {
      const along = similarity(vector, direction);
      for (let index = 0; index < next.length; index++) next[index]! += along * vector[index]!;
    }
    const length = Math.hypot(...next) || 1;
    direction = next.map((value) => value / length);
  }
  return direction;
}

function spread(values: number[]): number[] {
  const low = Math.min(...values);
  const range = Math.max(...values) - low || 1;
  return values.map((value) => (value - low) / range);
}
