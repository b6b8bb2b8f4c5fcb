/** Tokens of a text that fit into the model beside the two that frame it. */
export const WINDOW_TOKENS = 510;

/** Cuts a long text into windows of nearly equal length, so that the last one is not a stump of a few words. */
export function cutWindows(tokens: readonly number[], most = WINDOW_TOKENS): number[][] {
  const count = Math.max(1, Math.ceil(tokens.length / most));
  const windows: number[][] = [];
  for (let index = 0; index < count; index++) {
    const start = Math.round((tokens.length * index) / count);
    const end = Math.round((tokens.length * (index + 1)) / count);
    windows.push(tokens.slice(start, end));
  }
  return windows;
}

/** The vector of a whole text from those of its windows: each weighs as much as it has tokens. */
export function averageWindows(vectors: readonly Float32Array[], weights: readonly number[]): Float32Array {
  const sum = new Float32Array(vectors[0]!.length);
  for (const [index, vector] of vectors.entries()) {
    const unit = toUnitLength(vector);
    for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + unit[i]! * (weights[index] || 1);
  }
  return toUnitLength(sum);
}

export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return vector.map((value) => value / length);
}
