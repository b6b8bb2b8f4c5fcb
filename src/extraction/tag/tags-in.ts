import type { Box, Tags, Word } from "../../ports/document-reader.ts";

/** What the words within a box may be: the mean of their chances, longer words counting more. */
export function tagsIn(words: readonly Word[], box: Box): Tags | undefined {
  const sums: Record<string, number> = {};
  let letters = 0;
  for (const { text, box: own, tags } of words) {
    const middle = (own[0] + own[2]) / 2;
    if (!tags || middle < box[0] || middle > box[2]) continue;
    letters += text.length;
    for (const name in tags) sums[name] = (sums[name] ?? 0) + tags[name]! * text.length;
  }
  if (letters === 0) return undefined;
  for (const name in sums) sums[name] = sums[name]! / letters;
  return sums;
}
