/** Small models fall into saying the same thing over and over. True when the tokens end in one stretch repeated: four times
 *  for a stretch of some words, more often for a shorter one, so that "ha ha ha" and tables stay possible. */
export function isLooping(tokens: readonly number[]): boolean {
  for (let size = 1; size <= 60; size++) {
    const times = size < 4 ? 16 : size < 12 ? 6 : 4;
    if (tokens.length < size * times) continue;
    if (endsInRepeats(tokens, size, times)) return true;
  }
  return false;
}

function endsInRepeats(tokens: readonly number[], size: number, times: number): boolean {
  const end = tokens.length;
  for (let back = 1; back <= size * (times - 1); back++) {
    if (tokens[end - back] !== tokens[end - back - size]) return false;
  }
  return true;
}
