import type { Box } from "../../../ports/document-reader.ts";
import { boxOfSpan } from "../../reading/layout.ts";
import { fold, remembering } from "../../reading/normalize.ts";
import type { Segment } from "../../reading/segment.ts";
import { hasLegalForm, isLegalForm } from "../../reading/words.ts";
import type { Context } from "../context.ts";

export interface FullName {
  readonly name: string;
  readonly segment: Segment;
  readonly box: Box;
}

/** Letters and digits alone, to compare names by. */
export const bare = remembering((text) => fold(text).replace(/[^\p{L}\d]/gu, ""));

/** "SKYHOP" on top and "Skyhop Airlines DAC" at the foot: what begins with a name and ends in a legal form is the whole of it. */
export function findFullName(context: Context, name: string): FullName | undefined {
  const wanted = bare(name);
  if (wanted.length < shortestBrand || hasLegalForm(name)) return undefined;
  const named = context.once("legal names", () =>
    context.layout.segments.filter(({ text }) => hasLegalForm(text)).slice(0, mostNames),
  );
  for (const segment of named) {
    const words = [...segment.text.matchAll(/\S*[\p{L}\d]\S*|&/gu)];
    for (const [index, { index: from }] of words.entries()) {
      const end = endOfName(words.slice(index, index + mostWords), wanted);
      if (end === undefined) continue;
      const whole = segment.text.slice(from, end).replace(/[,;:]$/, "");
      return { name: whole, segment, box: boxOfSpan(segment, from, from + whole.length) };
    }
  }
  return undefined;
}

/** Shorter names are words that anything may begin with. */
const shortestBrand = 4;
const mostWords = 8;
/** More companies than that are a list of them. */
const mostNames = 100;

/** Where a name ends whose first words are these letters: behind its legal forms. */
function endOfName(words: readonly RegExpMatchArray[], wanted: string): number | undefined {
  let joined = "";
  let start = 0;
  for (; start < words.length && joined.length < wanted.length; start++) joined += bare(words[start]![0]);
  if (!joined.startsWith(wanted)) return undefined;
  // "Skyhop is a mark of Air Holding Ltd" names another.
  const form = words.findIndex((word, at) => at >= start && (formAt(words, at) > 0 || !/^[\p{Lu}\d&(]/u.test(word[0])));
  let end = form;
  while (end >= 0 && formAt(words, end) > 0) end += formAt(words, end);
  return end > form && form >= 0 ? words[end - 1]!.index! + words[end - 1]![0].length : undefined;
}

/** How many of the words from here on are one legal form: "Sp. z o.o.", "GmbH & Co. KG". */
function formAt(words: readonly RegExpMatchArray[], at: number): number {
  for (let length = longestForm; length > 0; length--) {
    const part = words.slice(at, at + length);
    const text = part.map(([word]) => word).join(" ");
    if (part.length === length && isLegalForm(text) && hasLegalForm(text)) return length;
  }
  return 0;
}

const longestForm = 4;
