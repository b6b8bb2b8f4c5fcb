/** What is never translated: addresses, code, names of variables, users and tags, codes of letters and digits, emoji. */
export const NEVER_TRANSLATED = [
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

export interface Part {
  readonly text: string;
  readonly isKept: boolean;
}

/** Parts that can be translated and parts that stay as they are, found by `pattern`. Joined together they are the text. */
export function splitAt(text: string, pattern: RegExp): Part[] {
  const parts: Part[] = [];
  let place = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > place) parts.push({ text: text.slice(place, match.index), isKept: false });
    parts.push({ text: match[0], isKept: true });
    place = match.index + match[0].length;
  }
  if (place < text.length) parts.push({ text: text.slice(place), isKept: false });
  return parts;
}
