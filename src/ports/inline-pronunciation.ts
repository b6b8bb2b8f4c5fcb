/** A stretch of text, or a word together with how it is to be said. */
export type SpokenPart = { readonly text: string } | { readonly word: string; readonly ipa: string };

const INLINE = /\[([^[\]\n]{1,80})\]\(\/([^/()\n]{1,120})\/\)/gu;

/** Takes `[word](/ipa/)` apart. Everything else stays text, brackets included. */
export function readInlinePronunciations(text: string): SpokenPart[] {
  const parts: SpokenPart[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ word: match[1]!, ipa: match[2]! });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

export function writeInlinePronunciation(word: string, ipa: string): string {
  return `[${word}](/${ipa}/)`;
}

/** For engines that cannot be told how to pronounce: the words alone. */
export function withoutPronunciations(text: string): string {
  return text.replace(INLINE, "$1");
}
