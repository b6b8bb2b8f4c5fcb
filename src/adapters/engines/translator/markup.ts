/** Tags of HTML and its like. */
const TAG = /<\/?[a-zA-Z][^<>]*>|<!--.*?-->/su;
/** Tags that begin or end a paragraph of their own. */
const BLOCK =
  /^<\/?(?:p|div|br|hr|li|ul|ol|h[1-6]|table|tr|td|th|thead|tbody|section|article|header|footer|blockquote|pre|!--)\b/i;

/** Words between tags that lay a text out, and those tags. Joined together they are the text. */
export function splitBlocks(text: string): { text: string; isTag: boolean }[] {
  return mergeWords(
    text
      .split(new RegExp(`(${TAG.source})`, "su"))
      .filter((part) => part !== "")
      .map((part) => ({ text: part, isTag: BLOCK.test(part) || part.startsWith("<!--") })),
  );
}

function mergeWords(parts: readonly { text: string; isTag: boolean }[]): { text: string; isTag: boolean }[] {
  const merged: { text: string; isTag: boolean }[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last && !last.isTag && !part.isTag) merged[merged.length - 1] = { text: last.text + part.text, isTag: false };
    else merged.push(part);
  }
  return merged;
}

/** Words in bold, a link, and whatever else a pair of tags stands around. */
interface Marked {
  readonly open: string;
  readonly inside: string;
  readonly close: string;
}

export interface Marks {
  /** The sentence without its tags. */
  readonly plain: string;
  readonly marked: readonly Marked[];
}

/** The tags within a sentence; undefined when they do not come in pairs around words, side by side. */
export function readMarks(sentence: string): Marks | undefined {
  const pair = /<([a-zA-Z][\w-]*)(?:\s[^<>]*)?>([^<>]*\p{L}[^<>]*)<\/\1\s*>/gu;
  const marked: Marked[] = [];
  const plain = sentence.replace(pair, (whole: string, _name: string, inside: string) => {
    const begin = whole.indexOf(">") + 1;
    marked.push({ open: whole.slice(0, begin), inside, close: whole.slice(begin + inside.length) });
    return inside;
  });
  return TAG.test(plain) ? undefined : { plain, marked };
}

export function hasTags(sentence: string): boolean {
  return TAG.test(sentence);
}

/** Puts the tags around the same words of the translation, found by translating those alone. Undefined when one is not there. */
export function putMarks(
  translated: string,
  marked: readonly Marked[],
  insides: readonly string[],
): string | undefined {
  const places: { at: number; length: number; mark: Marked }[] = [];
  for (const [index, mark] of marked.entries()) {
    const words = insides[index]!.trim().replace(/[.।۔]$/u, "");
    const at = findFree(translated.toLowerCase(), words.toLowerCase(), places);
    if (words === "" || at < 0) return undefined;
    places.push({ at, length: words.length, mark });
  }
  places.sort((a, b) => b.at - a.at);
  return places.reduce(
    (text, { at, length, mark }) =>
      `${text.slice(0, at)}${mark.open}${text.slice(at, at + length)}${mark.close}${text.slice(at + length)}`,
    translated,
  );
}

function findFree(text: string, words: string, taken: readonly { at: number; length: number }[]): number {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    const isWhole = !/\p{L}/u.test(text[at - 1] ?? "") && !/\p{L}/u.test(text[end] ?? "");
    if (isWhole && taken.every((one) => end <= one.at || at >= one.at + one.length)) return at;
  }
  return -1;
}

/** Words and tags, for a sentence whose tags found no place. */
export function splitTags(sentence: string): { text: string; isTag: boolean }[] {
  return sentence
    .split(new RegExp(`(${TAG.source})`, "su"))
    .map((text, index) => ({ text, isTag: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
