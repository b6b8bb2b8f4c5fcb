/** Names that differ in more than this share of their letters have nothing to do with each other. A guess. */
const mostDifferent = 0.5;

/** The name that was most likely meant: one that the given name begins, or the one with the fewest letters changed. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const wanted = plain(given.slice(0, 100));
  const begun = names.find((name) => wanted.length >= 3 && plain(name).startsWith(wanted));
  if (begun) return begun;
  const [best] = names
    .map((name) => ({ name, share: distance(wanted, plain(name)) / Math.max(wanted.length, name.length, 1) }))
    .sort((one, other) => one.share - other.share);
  return best && best.share < mostDifferent ? best.name : undefined;
}

/** targetLanguage, target-language and target_language are one name to whoever mistypes it. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Levenshtein's: letters added, removed or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
