import type { ReadingRules } from "./rules.ts";

const EMOJI =
  /(?:\p{Regional_Indicator}{2}|[#*0-9]\uFE0F?\u20E3|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic})\p{M}*[\uFE0F\uFE0E]?(?:\p{Emoji_Modifier})?(?:\u200D(?:\p{Emoji_Presentation}|\p{Extended_Pictographic})\uFE0F?\p{Emoji_Modifier}?)*)/gu;

/** Emoji that stand for a word ("I ❤ New York") are named; those that decorate are left out, as people do when they read
 *  aloud. A text of nothing but emoji is named, so that it says something. */
export function readEmoji(text: string, rules: ReadingRules | undefined): string {
  if (text.search(EMOJI) < 0) return text;
  const isAll = !/[\p{L}\p{N}]/u.test(text.replace(EMOJI, ""));
  return text
    .replace(EMOJI, (emoji, at: number) => {
      if (/^[©®™]/u.test(emoji)) return " ";
      const name = rules?.emoji[Array.from(emoji)[0]!];
      const before = text.slice(0, at);
      const after = text.slice(at + emoji.length);
      const isWord = /[\p{L}\p{N}] ?$/u.test(before) && /^ ?[\p{L}\p{N}]/u.test(after);
      return name && (isAll || isWord) ? ` ${name} ` : " ";
    })
    .replace(/[\u200D\uFE0E\uFE0F]/gu, (joiner) => (joiner === "\u200D" ? joiner : ""))
    .replace(/ {2,}/gu, " ")
    .replace(/ (?=[,.;:!?])/gu, "")
    .trim();
}
