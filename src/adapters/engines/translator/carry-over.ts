import { table } from "../../../platform/table.ts";
import { NEVER_TRANSLATED, type Part, splitAt } from "../translation-text/never-translated.ts";
import { NUMBER } from "./numbers.ts";

/** Letters of each language besides Latin ones, which all of them mix in. */
const SCRIPTS: Readonly<Record<string, string>> = table({
  ar: "Arabic",
  bn: "Bengali",
  gu: "Gujarati",
  hi: "Devanagari",
  kn: "Kannada",
  ml: "Malayalam",
  mr: "Devanagari",
  pa: "Gurmukhi",
  ta: "Tamil",
  te: "Telugu",
  ur: "Arabic",
});

const patterns = new Map<string, RegExp>();

/** A sentence with words in place of what must not change, and the way back. */
export interface Masked {
  /** What stands before and after, and needs no translator. */
  readonly lead: string;
  readonly tail: string;
  readonly text: string;
  /** Undefined when something that must survive did not. */
  restore(translated: string): string | undefined;
}

/** Whether a sentence has a letter that the net can read. */
export function isReadable(text: string, language: string): boolean {
  const script = SCRIPTS[language] ?? "Latin";
  return new RegExp(String.raw`\p{Script=${script}}`, "u").test(text);
}

/** Parts that can be translated and parts that stay as they are. Joined together they are the text. */
export function splitKept(text: string, language: string, keepsNumbers = false): Part[] {
  return splitAt(text, keptPattern(language, keepsNumbers));
}

/** A name that the net copies: it has seen many such and translates none of them. */
export function placeholder(index: number): string {
  return `X${index + 1}`;
}

/** With `keepsNumbers`, numbers are masked as well: for a net that has lost one. */
export function mask(text: string, language: string, keepsNumbers = false): Masked {
  const parts = splitKept(text, language, keepsNumbers);
  const isWords = ({ text: words, isKept }: Part) => !isKept && /\p{L}/u.test(words);
  const first = parts.findIndex(isWords);
  const last = parts.findLastIndex(isWords);
  const join = (some: readonly Part[]) => some.map((part) => part.text).join("");
  if (first < 0) return { lead: text, tail: "", text: "", restore: (translated) => translated };
  const kept: string[] = [];
  const masked = parts.slice(first, last + 1).map((part) => {
    if (!part.isKept) return part.text;
    kept.push(part.text);
    return placeholder(kept.length - 1);
  });
  const [, before, middle, after] = /^(\s*)(.*?)(\s*)$/su.exec(masked.join(""))!;
  return {
    lead: join(parts.slice(0, first)) + before,
    tail: after + join(parts.slice(last + 1)),
    text: middle!,
    restore: (translated) => restore(translated, kept),
  };
}

function restore(translated: string, kept: readonly string[]): string | undefined {
  let text = translated;
  // From the last, so that X1 is not found in X12.
  for (let index = kept.length - 1; index >= 0; index--) {
    const found = new RegExp(String.raw`(?<![\p{L}\p{N}])${placeholder(index)}(?!\p{N})`, "giu");
    if (text.match(found)?.length !== 1) return undefined;
    text = text.replace(found, () => kept[index]!);
  }
  return text;
}

function keptPattern(language: string, keepsNumbers: boolean): RegExp {
  const script = SCRIPTS[language] ?? "Latin";
  const name = `${script} ${keepsNumbers}`;
  let pattern = patterns.get(name);
  if (!pattern) {
    const strange = String.raw`(?![\p{Script=Latin}\p{Script=${script}}])\p{L}[\p{M}]*`;
    const words = String.raw`(?:${strange})+(?:[\s\p{Pd}·]+(?:${strange})+)*`;
    const numbers = keepsNumbers ? `|${NUMBER.source}` : "";
    pattern = new RegExp(`${NEVER_TRANSLATED}|${words}${numbers}`, "gu");
    patterns.set(name, pattern);
  }
  return pattern;
}
