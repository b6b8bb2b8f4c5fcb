import { splitBlocks } from "./markup.ts";
import { splitClauses, splitSentences } from "./split-sentences.ts";
import { type Ask, type Hop, translateSentence } from "./translate-sentence.ts";

export interface TextTranslator {
  readonly ask: Ask;
  /** What is known by heart. */
  recall?(sentence: string, hop: Hop): string | undefined;
  /** Whether the net was trained on sentences of this length. */
  fits(sentence: string, language: string): boolean;
}

const PIVOT = "en";

/** Sentence by sentence, all at once; what stands between sentences stays as it is. */
export async function translateText(
  text: string,
  source: string,
  target: string,
  translator: TextTranslator,
): Promise<string> {
  // Control characters mean nothing to a translator.
  const clean = text.replace(/[\u0000-\u0008\u000e-\u001f\u007f]/g, "");
  const stretches = splitBlocks(clean).flatMap((block) =>
    block.isTag ? [{ text: block.text, isSentence: false }] : splitSentences(block.text),
  );
  const hops = findHops(source, target);
  const done = await Promise.all(
    stretches.map(async (stretch) => {
      if (!stretch.isSentence) return stretch.text;
      let current = stretch.text;
      for (const hop of hops) current = await translateLong(current, hop, translator);
      return current;
    }),
  );
  return done.join("");
}

/** The net was trained between English and each other language; the rest goes through English. */
export function findHops(source: string, target: string): Hop[] {
  if (source === PIVOT || target === PIVOT) return [{ source, target }];
  return [
    { source, target: PIVOT },
    { source: PIVOT, target },
  ];
}

async function translateLong(sentence: string, hop: Hop, translator: TextTranslator): Promise<string> {
  const [, lead, whole, tail] = /^(\s*)(.*?)(\s*)$/su.exec(sentence)!;
  const known = translator.recall?.(whole!, hop);
  if (known !== undefined) return `${lead}${known}${tail}`;
  const clauses = splitClauses(sentence, (part) => translator.fits(part, hop.source));
  const done = await Promise.all(
    clauses.map(async (clause) => {
      const [, before, words, after] = /^(\s*)(.*?)(\s*)$/su.exec(clause)!;
      if (!/\p{L}/u.test(words!)) return clause;
      return `${before}${await translateSentence(words!, hop, translator.ask)}${after}`;
    }),
  );
  return done.join("");
}
