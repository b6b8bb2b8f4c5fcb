/** The end of an axis: a round number that holds the largest value. */
export function niceTop(largest: number): number {
  if (!(largest > 0)) return 1;
  const size = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * size >= largest) ?? 10;
  return step * size;
}
