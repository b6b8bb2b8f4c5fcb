/** Large print may come letter by letter: "S c h e ld e b an k" has no room for a blank between its letters. */
export function joinTouching<Piece extends { text: string; x: number; width: number; height: number }>(
  words: readonly Piece[],
): Piece[] {
  const joined: Piece[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const isTouching =
      last !== undefined &&
      /[\p{L}\p{M}.'’-]$/u.test(last.text) &&
      /^[\p{L}\p{M}.'’-]/u.test(word.text) &&
      Math.abs(word.x - last.x - last.width) < word.height * touching;
    if (isTouching)
      joined[joined.length - 1] = { ...last, text: last.text + word.text, width: word.x + word.width - last.x };
    else joined.push(word);
  }
  return joined;
}

/** Of the height of a line; a blank takes a fifth of it and more. */
const touching = 0.05;
