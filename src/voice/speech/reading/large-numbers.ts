/** A size with its name for one and for many, the largest first. */
export type LargeNumbers = readonly (readonly [size: number, one: string, many: string])[];

/** A number of a million and more, in languages that count millions like things: how many of the largest, then the rest. */
export function inMillions(value: number, names: LargeNumbers, cardinal: (value: number) => string): string {
  const [size, one, many] = names.find(([least]) => value >= least)!;
  const head = Math.floor(value / size);
  const rest = value % size;
  return `${head === 1 ? one : `${cardinal(head)} ${many}`}${rest ? ` ${cardinal(rest)}` : ""}`;
}
