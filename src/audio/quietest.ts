const WINDOW = 1600;

/** The middle of the quietest 100 ms (at 16 kHz) between two positions: the best place to cut speech that must be cut. */
export function findQuietest(samples: Float32Array, from: number, to: number): number {
  const half = WINDOW / 2;
  let energy = 0;
  for (let i = from - half; i < from + half; i++) energy += square(samples[i]);
  let least = Number.POSITIVE_INFINITY;
  let best = from;
  for (let centre = from; centre < to; centre++) {
    if (energy < least) {
      least = energy;
      best = centre;
    }
    energy += square(samples[centre + half]) - square(samples[centre - half]);
  }
  return best;
}

function square(value: number | undefined): number {
  return value === undefined ? 0 : value * value;
}
