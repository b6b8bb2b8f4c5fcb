import type { ReadDocument, ReadPage, Tags, TextLine, Word } from "../../ports/document-reader.ts";
import type { PageWord } from "./page-features.ts";
import type { PageTagger } from "./tagger.ts";

/** More than people read on a page; the net looks at every pair of words. */
const mostWords = 900;
/** Chances below are as good as none. */
const leastChance = 0.02;

/** The document with what each of its words may be. */
export async function tagDocument(document: ReadDocument, tagger: PageTagger): Promise<ReadDocument> {
  const pages: ReadPage[] = [];
  for (const page of document.pages) pages.push(await tagPage(page, tagger));
  return { ...document, pages };
}

async function tagPage(page: ReadPage, tagger: PageTagger): Promise<ReadPage> {
  const pieces = page.lines
    .flatMap((line) => line.words.flatMap((word) => piecesOf(word, line, page.height / page.width)))
    .slice(0, mostWords);
  if (pieces.length === 0) return page;
  const { chances, kinds } = await tagger.tag(pieces);
  const tags = new Map<Word, Tags[]>();
  for (const [index, { of }] of pieces.entries()) {
    const named = namedChances(chances.subarray(index * tagger.tags.length), tagger.tags);
    tags.set(of, [...(tags.get(of) ?? []), named]);
  }
  const tagged = (word: Word): Word => ({ ...word, ...(tags.has(word) ? { tags: meanOf(tags.get(word)!) } : {}) });
  const lines = page.lines.map((line): TextLine => ({ ...line, words: line.words.map(tagged) }));
  const byKind = Object.fromEntries(tagger.kinds.map((kind, index) => [kind, kinds[index]!]));
  return { ...page, lines, kinds: byKind };
}

interface Piece extends PageWord {
  readonly of: Word;
}

/** Some formats give a cell or a line as one word; the net knows words as they are written. */
function piecesOf(of: Word, { isBold = false, confidence }: TextLine, aspect: number): Piece[] {
  const [left, top, right, bottom] = of.box;
  const step = (right - left) / Math.max(1, of.text.length);
  return [...of.text.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    of,
    text,
    box: [left + index * step, top * aspect, left + (index + text.length) * step, bottom * aspect],
    isBold,
    certainty: confidence,
  }));
}

function meanOf(several: readonly Tags[]): Tags {
  if (several.length === 1) return several[0]!;
  const sums: Record<string, number> = {};
  for (const tags of several) for (const name in tags) sums[name] = (sums[name] ?? 0) + tags[name]! / several.length;
  return sums;
}

/** Beginnings and continuations of an entity are the same thing here. */
function namedChances(chances: Float32Array, tags: readonly string[]): Tags {
  const named: Record<string, number> = {};
  for (let at = 1; at < tags.length; at += 2) {
    const chance = chances[at]! + chances[at + 1]!;
    if (chance >= leastChance) named[tags[at]!.slice(2)] = Math.round(chance * 1000) / 1000;
  }
  return named;
}
