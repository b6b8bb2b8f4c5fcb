import { NEVER_TRANSLATED, type Part, splitAt } from "../translation-text/never-translated.ts";

/** A stretch of text as Apertium reads it, and the way back. */
export interface Protected {
  readonly stream: string;
  /** Undefined when something that must survive did not. */
  restore(stream: string): string | undefined;
}

/** Markup goes through as a blank that carries it. */
const MARKUP = /<\/?[a-zA-Z][^<>]*>|<!--.*?-->|&(?:[a-zA-Z]+|#\d+);/u;
/** The rest goes through as a word nobody knows. */
const KEPT = new RegExp(`${MARKUP.source}|${NEVER_TRANSLATED}|~+`, "gu");
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
  let stream = "";
  for (const { text, isKept } of splitProtected(line)) {
    if (!isKept) stream += toStream(text);
    else if (/^[<&]/.test(text)) {
      markup.push(text);
      stream += `[${toStream(text)}]`;
    } else {
      kept.push(text);
      stream += placeholder(kept.length - 1);
    }
  }
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
export function splitProtected(line: string): Part[] {
  return splitAt(line, KEPT);
}

function toStream(text: string): string {
  return text.replace(SPECIAL, "\\$&");
}

function toPlain(stream: string): string {
  return stream.replace(/\\(.)/gsu, "$1");
}
