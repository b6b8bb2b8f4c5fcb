/** A stretch of text as Apertium reads it, and the way back. */
export interface Protected {
  readonly stream: string;
  /** Undefined when something that must survive did not. */
  restore(stream: string): string | undefined;
}

/** What is never translated: addresses, code, names of files and variables. It goes through as a word nobody knows. */
const KEPT =
  /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]|www\.[^\s<>"]+[^\s<>".,;:!?)\]]|[\w.+-]+@[\w-]+\.[\w.-]*\w|`[^`\n]+`|\{\{?[^{}\n]*\}?\}|%\(?\w*\)?[sdif]\b|\$\{?\w+\}?|[@#][\p{L}\d_]+|~+/gu;
/** Markup goes through as a blank that carries it. */
const MARKUP = /<\/?[a-zA-Z][^<>]*>|<!--.*?-->|&(?:[a-zA-Z]+|#\d+);/gu;
/** Characters with a meaning in Apertium's stream. */
const SPECIAL = /[\\[\]{}^$/<>@~]/g;
/** Closes every stream: some programs answer only once they have seen what follows the last word. */
const CLOSE = "[]";

/** Letters only, since a digit would be read as a number of its own, and no word of any language. */
export function placeholder(index: number): string {
  const letters = Array.from(String(index), (digit) => "bcdfghjklm"[Number(digit)]).join("");
  return `Qx${letters}xq`;
}

export function protect(line: string): Protected {
  const kept: string[] = [];
  const markup: string[] = [];
  const pattern = new RegExp(`${MARKUP.source}|${KEPT.source}`, "gu");
  let stream = "";
  let place = 0;
  for (const match of line.matchAll(pattern)) {
    stream += toStream(line.slice(place, match.index));
    place = match.index + match[0].length;
    if (/^[<&]/.test(match[0])) {
      markup.push(match[0]);
      stream += `[${toStream(match[0])}]`;
    } else {
      kept.push(match[0]);
      stream += placeholder(kept.length - 1);
    }
  }
  stream += toStream(line.slice(place));
  // Without an end the last word would be read as if the sentence went on; this one is taken away again.
  const needsEnd = !/[.!?…:;]["'”’»)]*\s*$/u.test(line);
  stream += needsEnd ? `.${CLOSE}` : CLOSE;
  return {
    stream,
    restore(translated) {
      const text = translated.replace(/\[\]\s*$/, "");
      return restore(needsEnd ? text.replace(/\.\s*$/, "") : text, kept, markup);
    },
  };
}

function restore(translated: string, kept: readonly string[], markup: readonly string[]): string | undefined {
  let text = translated;
  const blanks = [...text.matchAll(/(?<!\\)\[((?:\\.|[^\\[\]])*)(?<!\\)\]/g)].map((match) => toPlain(match[1]!));
  if (blanks.filter((blank) => blank !== "").join("\n") !== markup.join("\n")) return undefined;
  text = toPlain(text.replace(/(?<!\\)\[((?:\\.|[^\\[\]])*)(?<!\\)\]/g, (_whole, inside: string) => inside));
  for (const [index, original] of kept.entries()) {
    const found = new RegExp(placeholder(index), "giu");
    if (text.match(found)?.length !== 1) return undefined;
    text = text.replace(found, () => original);
  }
  return text;
}

/** Parts of a line that can be translated by themselves, and those that stay as they are; for lines that came back broken. */
export function splitProtected(line: string): { text: string; isKept: boolean }[] {
  const pattern = new RegExp(`(${MARKUP.source}|${KEPT.source})`, "gu");
  const parts: { text: string; isKept: boolean }[] = [];
  let place = 0;
  for (const match of line.matchAll(pattern)) {
    if (match.index > place) parts.push({ text: line.slice(place, match.index), isKept: false });
    parts.push({ text: match[0], isKept: true });
    place = match.index + match[0].length;
  }
  if (place < line.length) parts.push({ text: line.slice(place), isKept: false });
  return parts;
}

function toStream(text: string): string {
  return text.replace(SPECIAL, "\\$&");
}

function toPlain(stream: string): string {
  return stream.replace(/\\(.)/gsu, "$1");
}
