import { isReadable, mask, splitKept } from "./carry-over.ts";
import { writeFullTimes } from "./full-times.ts";
import { hasTags, putMarks, readMarks, splitTags } from "./markup.ts";
import { losesNegation } from "./negation.ts";
import { carriesNumbers, mendNumbers, mendWriting } from "./numbers.ts";
import { writePlainerWords } from "./plainer-words.ts";

/** One language into another, one of them English. */
export interface Hop {
  readonly source: string;
  readonly target: string;
}

/** What the net makes of one sentence: its translations, best first. */
export type Ask = ((sentence: string, hop: Hop) => Promise<readonly string[]>) & {
  /** Hears of sentences of which no translation agrees with the source in its numbers and negations. */
  onDoubt?(sentence: string): void;
};

/** Translates one sentence and brings over what must not change: numbers, addresses, code, tags and words in a script that the
 *  language does not use. */
export async function translateSentence(written: string, hop: Hop, ask: Ask): Promise<string> {
  const sentence = writePlainerWords(writeFullTimes(written, hop.source), hop.source);
  if (!isReadable(sentence, hop.source)) return sentence;
  if (hasTags(sentence)) return translateMarked(sentence, hop, ask);
  const { lead, tail, text, restore } = mask(sentence, hop.source);
  if (text === "") return sentence;
  const isShouted = /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text) && /\p{Lu}\s+\P{Ll}*\p{Lu}/u.test(text);
  const candidates = await ask(isShouted ? calm(text) : text, hop);
  const finish = (one: string) => withoutEnd(text, isShouted ? one.toUpperCase() : one);
  const restored = candidates
    .map((one) => restore(finish(one)))
    .filter((one) => one !== undefined && one.trim() !== "");
  const agrees = (one: string) => !losesNegation(text, hop.source, one, hop.target);
  const found =
    restored.find((one) => carriesNumbers(text, one!) && agrees(one!)) ??
    restored.find((one) => carriesNumbers(text, one!)) ??
    mendFirst(text, restored) ??
    (await askWithoutNumbers(text, hop, ask)) ??
    restored[0];
  if (found && !(carriesNumbers(text, found) && agrees(found))) ask.onDoubt?.(sentence);
  const best = found && mendWriting(text, found);
  const translated =
    best ?? (await translateParts(sentence.slice(lead.length, sentence.length - tail.length), hop, ask));
  return lead + translated + tail;
}

/** Words in capitals are rare in what the net has read, and it makes little of them. */
function calm(text: string): string {
  const [first = "", ...rest] = text.toLowerCase();
  return first.toUpperCase() + rest.join("");
}

/** A heading has no full stop, and neither has its translation. */
function withoutEnd(source: string, translated: string): string {
  return /[.!?…।۔:;]["'”’»)]*$/u.test(source) ? translated : translated.replace(/(?<=[^.])[.।۔]$/u, "");
}

function mendFirst(source: string, candidates: readonly (string | undefined)[]): string | undefined {
  for (const candidate of candidates) {
    const mended = mendNumbers(source, candidate!);
    if (mended !== undefined) return mended;
  }
  return undefined;
}

/** Once more, with names in place of the numbers. */
async function askWithoutNumbers(text: string, hop: Hop, ask: Ask): Promise<string | undefined> {
  const masked = mask(text, hop.source, true);
  if (masked.text === "" || masked.text === text) return undefined;
  const candidates = await ask(masked.text, hop);
  const restored = candidates.map((one) => masked.restore(one)).find((one) => one !== undefined);
  return restored === undefined ? undefined : masked.lead + restored + masked.tail;
}

/** Tags go around the same words in the translation; where they cannot be found, the words between tags stand alone. */
async function translateMarked(sentence: string, hop: Hop, ask: Ask): Promise<string> {
  const marks = readMarks(sentence);
  if (marks && marks.marked.length > 0) {
    const [whole, ...insides] = await Promise.all(
      [marks.plain, ...marks.marked.map(({ inside }) => inside)].map((words) => translateSentence(words, hop, ask)),
    );
    const marked = putMarks(whole!, marks.marked, insides);
    if (marked !== undefined) return marked;
  }
  return joinParts(
    splitTags(sentence).map(({ text, isTag }) => ({ text, isKept: isTag })),
    hop,
    ask,
  );
}

/** The words around what did not survive, each by itself. */
function translateParts(text: string, hop: Hop, ask: Ask): Promise<string> {
  const parts = splitKept(text, hop.source);
  if (!parts.some(({ isKept }) => isKept)) return Promise.resolve(text);
  return joinParts(parts, hop, ask);
}

async function joinParts(parts: readonly { text: string; isKept: boolean }[], hop: Hop, ask: Ask): Promise<string> {
  const done = await Promise.all(
    parts.map(async ({ text, isKept }) => {
      if (isKept || !/\p{L}/u.test(text)) return text;
      const [, before, words, after] = /^(\s*)(.*?)(\s*)$/su.exec(text)!;
      return `${before}${await translateSentence(words!, hop, ask)}${after}`;
    }),
  );
  return done.join("");
}
