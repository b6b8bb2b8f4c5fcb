/** How much likelier a pause is after a mark: as much as so many letters that are in the wrong place. */
const markWorth = 4;
const mark = /[.,;:!?…]["'”»)]?$/;

/** How many of the words, in order, belong to each stretch of speech between two pauses, so that the stretches have about as many
 *  letters as their lengths suggest, and pauses follow marks. */
export function placeWords(words: readonly string[], lengths: readonly number[]): number[] {
  const before = [0];
  for (const word of words) before.push(before.at(-1)! + word.length + 1);
  const letters = before.at(-1)!;
  const total = lengths.reduce((sum, length) => sum + length, 0);
  // best[n]: the cost of having placed n words so far; chosen[stretch][n]: how many of them had been placed before the stretch.
  let best = [0, ...words.map(() => Number.POSITIVE_INFINITY)];
  const chosen: number[][] = [];
  for (const [index, length] of lengths.entries()) {
    const wanted = (letters * length) / total;
    const isLast = index === lengths.length - 1;
    const from: number[] = [];
    best = best.map((_, end) => {
      let least = Number.POSITIVE_INFINITY;
      for (let start = 0; start <= end; start++) {
        const miss = before[end]! - before[start]! - wanted;
        const cost = best[start]! + miss ** 2 / (wanted + markWorth);
        if (cost < least) {
          least = cost;
          from[end] = start;
        }
      }
      return !isLast && end > 0 && mark.test(words[end - 1]!) ? least - markWorth : least;
    });
    chosen.push(from);
  }
  const counts: number[] = [];
  let end = words.length;
  for (const from of chosen.reverse()) {
    counts.unshift(end - from[end]!);
    end = from[end]!;
  }
  return counts;
}
