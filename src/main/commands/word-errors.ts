/** How many words of a text were heard wrong, left out or added, as a share of those that were said. */
export function wordErrors(said: string, heard: string): number {
  const [left, right] = [wordsOf(said), wordsOf(heard)];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, word] of left.entries()) {
    const next = [i + 1];
    for (const [j, other] of right.entries()) {
      next.push(Math.min(row[j]! + (word === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row.at(-1)! / Math.max(1, left.length);
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .normalize("NFC")
    .split(/[^\p{L}\p{M}\p{N}']+/u)
    .filter(Boolean);
}
