export interface Choices {
  /** Likeliest first. */
  readonly tokens: readonly number[];
  readonly logProbabilities: readonly number[];
}

export interface Chosen {
  readonly token: number;
  readonly logProbability: number;
}

/** The likeliest token, or at a temperature one of the likely ones by chance. */
export function chooseToken(choices: Choices, temperature: number, random: () => number): Chosen {
  const { tokens, logProbabilities } = choices;
  let at = 0;
  if (temperature > 0) {
    const weights = logProbabilities.map((value) => Math.exp((value - logProbabilities[0]!) / temperature));
    let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
    while (at < weights.length - 1 && left >= weights[at]!) left -= weights[at++]!;
  }
  return { token: tokens[at]!, logProbability: logProbabilities[at]! };
}

/** Numbers from 0 to 1 that are the same every time, so that a recording is heard the same way twice (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
