/** Characters as people count them: an emoji with its skin tone or a letter with its accents is one. By a pattern and not by
 *  `Intl.Segmenter`, whose time grows with the square of the length (V8, Node 20 to 26). It leaves out the rarer rules of Unicode's
 *  annex 29, such as Hangul spelt letter by letter. */
const cluster =
  /\r\n|\p{RI}\p{RI}|.(?:[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d]\u200d?\p{Lo}|\p{M}|\u200d\p{Extended_Pictographic}|\u200c|\u200d|[\ufe0e\ufe0f]|\p{EMod}|[\u{e0020}-\u{e007f}])*/gsu;

/** The longest characters in use, families of emoji, have eleven code units; whole texts of them are not written by people. */
const unitsPerCharacter = 8;

export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(cluster)) count += 1;
  return count;
}

export function splitCharacters(text: string): string[] {
  return text.match(cluster) ?? [];
}

/** Whether these have at most so many characters together. Code units are looked at first, so that a text of any length is
 *  refused at once and combining marks buy no room. */
export function fitCharacters(texts: readonly string[], most: number): boolean {
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  if (units <= most) return true;
  if (units > most * unitsPerCharacter) return false;
  return texts.reduce((sum, text) => sum + countCharacters(text), 0) <= most;
}
