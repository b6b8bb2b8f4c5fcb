/** How well each document matches the words of the query (Okapi BM25), from 0 to 1 for the best of them. */
export function scoreByWords(query: string, documents: readonly string[]): number[] {
  const wanted = [...new Set(wordsOf(query))];
  const counted = documents.map((document) => countWords(wordsOf(document)));
  const averageLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const scores = counted.map(({ counts, length }) =>
    wanted.reduce((sum, word) => {
      const count = counts.get(word) ?? 0;
      if (count === 0) return sum;
      const having = counted.filter((other) => other.counts.has(word)).length;
      const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
      const saturated = (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / Math.max(1, averageLength)));
      return sum + rarity * saturated;
    }, 0),
  );
  const best = Math.max(...scores, 0);
  return best === 0 ? scores : scores.map((score) => score / best);
}

const k1 = 1.2;
const b = 0.75;

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize("NFKC")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function countWords(words: string[]): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}
