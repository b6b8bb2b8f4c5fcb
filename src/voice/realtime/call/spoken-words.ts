/** How much of a text was heard when this part of its sound was: whole words, the one being spoken included. Speech is even
 *  enough for that; voices do not tell when each word begins. */
export function splitSpoken(text: string, part: number): { spoken: string; remaining: string } {
  const at = Math.round(text.length * Math.min(1, Math.max(0, part)));
  if (at === 0) return { spoken: "", remaining: text };
  const wordEnd = text.slice(at).search(/\s/);
  const end = wordEnd < 0 || isAtWordEnd(text, at) ? (isAtWordEnd(text, at) ? at : text.length) : at + wordEnd;
  return { spoken: text.slice(0, end).trimEnd(), remaining: text.slice(end).trimStart() };
}

function isAtWordEnd(text: string, at: number): boolean {
  return /\s/.test(text[at - 1] ?? "") || /\s/.test(text[at] ?? " ");
}
