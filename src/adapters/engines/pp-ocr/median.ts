export function median(values: number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}
