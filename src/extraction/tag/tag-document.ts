import type { ReadDocument, ReadPage, Tags, TextLine, Word } from "../../ports/document-reader.ts";
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
  const aspect = page.height / page.width;
  const shown = page.lines.flatMap((line) => line.words.map((word) => ({ line, word }))).slice(0, mostWords);
  const words = shown.filter(({ word }) => word.text.trim() !== "");
  if (words.length === 0) return page;
  const { chances, kinds } = await tagger.tag(
    words.map(({ line, word: { text, box } }) => ({
      text: text.trim(),
      box: [box[0], box[1] * aspect, box[2], box[3] * aspect] as const,
      isBold: line.isBold ?? false,
      certainty: line.confidence,
    })),
  );
  const tags = new Map<Word, Tags>();
  for (const [index, { word }] of words.entries())
    tags.set(word, namedChances(chances.subarray(index * tagger.tags.length), tagger.tags));
  const lines = page.lines.map(
    (line): TextLine => ({ ...line, words: line.words.map((word) => tagged(word, tags.get(word))) }),
  );
  const byKind = Object.fromEntries(tagger.kinds.map((kind, index) => [kind, kinds[index]!]));
  return { ...page, lines, kinds: byKind };
}

function tagged(word: Word, tags: Tags | undefined): Word {
  return tags ? { ...word, tags } : word;
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
