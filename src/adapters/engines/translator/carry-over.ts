import { NUMBER } from "./numbers.ts";

/** Letters of each language besides Latin ones, which all of them mix in. */
const SCRIPTS: Readonly<Record<string, string>> = {
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
};

/** What is never translated: addresses, code, names of variables, users and tags, codes of letters and digits, emoji. */
const KEPT = [
  String.raw`https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]`,
  String.raw`www\.[^\s<>"]+[^\s<>".,;:!?)\]]`,
  String.raw`[\w.+-]+@[\w-]+\.[\w.-]*\w`,
  "`[^`\\n]+`",
  String.raw`\{\{[^{}\n]*\}\}|\$?\{[^{}\n]*\}`,
  String.raw`%\(\w+\)[sdif]|%(?:\d+\$)?[-+0]?\d*(?:\.\d+)?[sdif]\b|%%|\$[A-Za-z_]\w*`,
  String.raw`(?<![\w@#])[@#][\p{L}_][\p{L}\d_]*`,
  String.raw`&(?:[a-zA-Z]+|#\d+);`,
  String.raw`<[^<>\s]{1,12}>`,
  String.raw`(?<![\w/.])(?:[\w.~-]*\/)+[\w-]+\.\w+|\b[\w-]+\.(?:com|org|net|io|dev|pdf|docx?|xlsx?|txt|json|xml|html?|js|ts|py)\b`,
  String.raw`\b(?=[A-Z\d_-]*\d)(?=[A-Z\d_-]*[A-Z])[A-Z\d]{2,}(?:[-_][A-Z\d]+)+\b|\b[A-Z]{2,}\d{2,}\b|\b[A-Za-z]+_[A-Za-z\d_]+\b`,
  // No word is that long, and a net that tries to make one of it takes its time.
  String.raw`[^\s<>]{60,}`,
  String.raw`\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{M}\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]*`,
].join("|");
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

export interface Part {
  readonly text: string;
  readonly isKept: boolean;
}

/** Whether a sentence has a letter that the net can read. */
export function isReadable(text: string, language: string): boolean {
  const script = SCRIPTS[language] ?? "Latin";
  return new RegExp(String.raw`\p{Script=${script}}`, "u").test(text);
}

/** Parts that can be translated and parts that stay as they are. Joined together they are the text. */
export function splitKept(text: string, language: string, keepsNumbers = false): Part[] {
  const parts: Part[] = [];
  let place = 0;
  for (const match of text.matchAll(keptPattern(language, keepsNumbers))) {
    if (match.index > place) parts.push({ text: text.slice(place, match.index), isKept: false });
    parts.push({ text: match[0], isKept: true });
    place = match.index + match[0].length;
  }
  if (place < text.length) parts.push({ text: text.slice(place), isKept: false });
  return parts;
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
    pattern = new RegExp(`${KEPT}|${words}${numbers}`, "gu");
    patterns.set(name, pattern);
  }
  return pattern;
}
