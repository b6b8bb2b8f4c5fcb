const ORDER = 6;
const BETA = 2;

/** chrF2 over a whole set as sacreBLEU counts it: letters in groups of one to six, blanks left out, recall twice as important. */
export function chrf(hypotheses: readonly string[], references: readonly string[]): number {
  const matched = new Float64Array(ORDER);
  const found = new Float64Array(ORDER);
  const expected = new Float64Array(ORDER);
  for (const [index, hypothesis] of hypotheses.entries()) {
    for (let order = 1; order <= ORDER; order++) {
      const mine = count(hypothesis, order);
      const theirs = count(references[index] ?? "", order);
      for (const [group, times] of mine) {
        found[order - 1]! += times;
        matched[order - 1]! += Math.min(times, theirs.get(group) ?? 0);
      }
      for (const times of theirs.values()) expected[order - 1]! += times;
    }
  }
  let precision = 0;
  let recall = 0;
  let orders = 0;
  for (let order = 0; order < ORDER; order++) {
    if (found[order] === 0 || expected[order] === 0) continue;
    precision += matched[order]! / found[order]!;
    recall += matched[order]! / expected[order]!;
    orders += 1;
  }
  if (orders === 0) return 0;
  const [p, r] = [precision / orders, recall / orders];
  return p + r === 0 ? 0 : (100 * (1 + BETA ** 2) * p * r) / (BETA ** 2 * p + r);
}

function count(text: string, order: number): Map<string, number> {
  const letters = Array.from(text.replace(/\s+/gu, ""));
  const groups = new Map<string, number>();
  for (let start = 0; start + order <= letters.length; start++) {
    const group = letters.slice(start, start + order).join("");
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  return groups;
}
