/** Families are held out in this many groups. */
export const folds = 8;

/** Bundles and messages are made of these layouts, so they are held out together. */
const together = new Set(["saas", "boxes", "utility", "hidden", "bundle", "mail", "batch"]);
let families: readonly string[] = [];

/** Says which families there are, so that each of them has its group. */
export function foldsOf(all: readonly string[]): void {
  families = [...new Set(all)].sort();
}

export function foldOf(family: string): number {
  return together.has(family) ? 0 : 1 + (families.indexOf(family) % (folds - 1));
}
