import { splitCharacters } from "../../platform/characters.ts";
import type { Manner } from "./manner.ts";

/** A stretch of text that is spoken in one breath, and the silence after it. */
export interface Piece {
  readonly text: string;
  readonly pauseMs: number;
  /** Beside the manner of the whole text. */
  readonly manner?: Manner;
  /** A silence that was asked for is as long as that, however fast or slow the voice is. */
  readonly isExactPause?: boolean;
}

export interface SplitOptions {
  /** Makes the first piece short, so that the first sound comes soon. */
  readonly isUrgent?: boolean;
}

const PAUSE_MS = { clause: 140, sentence: 320, paragraph: 600 } as const;
/** About ten seconds of speech: beyond it the model needs more memory and its melody wanders. */
const MOST_CHARACTERS = 160;
/** Very short inputs sound worse, so a short clause is carried together with its neighbour. */
const FEWEST_CHARACTERS = 24;
const URGENT_CHARACTERS = 70;

/** Cuts a text where a speaker would pause: at paragraphs and sentences, and inside long sentences at clauses. */
export function splitText(text: string, language: string, options: SplitOptions = {}): Piece[] {
  const pieces: Piece[] = [];
  for (const paragraph of text.split(/\n\s*\n|\n/u)) {
    const sentences = joinShort(splitSentences(paragraph, language));
    for (const [index, sentence] of sentences.entries()) {
      const isFirst = options.isUrgent === true && pieces.length === 0;
      const clauses = splitClauses(sentence, isFirst ? URGENT_CHARACTERS : MOST_CHARACTERS, isFirst);
      for (const [part, clause] of clauses.entries()) {
        const isEnd = part === clauses.length - 1;
        const pause = !isEnd ? "clause" : index === sentences.length - 1 ? "paragraph" : "sentence";
        pieces.push({ text: clause, pauseMs: PAUSE_MS[pause] });
      }
    }
  }
  const last = pieces.at(-1);
  if (last) pieces[pieces.length - 1] = { ...last, pauseMs: 0 };
  return pieces;
}

const segmenters = new Map<string, Intl.Segmenter>();

function splitSentences(paragraph: string, language: string): string[] {
  let segmenter = segmenters.get(language);
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
    segmenters.set(language, segmenter);
  }
  return Array.from(segmenter.segment(paragraph), ({ segment }) => segment.trim()).filter(
    (sentence) => sentence !== "",
  );
}

/** A sentence of a word or two ("Yes.") joins the next one, and the last of them the one before. */
function joinShort(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const before = joined.at(-1);
    const isShort = before !== undefined && (before.length < FEWEST_CHARACTERS || sentence.length < FEWEST_CHARACTERS);
    if (isShort && before.length + sentence.length < MOST_CHARACTERS)
      joined[joined.length - 1] = `${before} ${sentence}`;
    else joined.push(sentence);
  }
  return joined;
}

/** Inline pronunciations must stay whole, so their blanks do not count as places to cut. */
const TOKENS = /\[[^[\]\n]{1,80}\]\(\/[^/()\n]{1,120}\/\)[^\s]*|\S+/gu;
const CLAUSE_END = /[,;:—–،؛।…)!?.]["'”’»)]*$/u;

function splitClauses(sentence: string, most: number, isUrgent: boolean): string[] {
  if (sentence.length <= most) return [sentence];
  const words = (sentence.match(TOKENS) ?? []).flatMap((word) => cutLongWord(word));
  const clauses: string[] = [];
  let current: string[] = [];
  let length = 0;
  for (const [index, word] of words.entries()) {
    current.push(word);
    length += word.length + 1;
    const next = words[index + 1];
    const limit = isUrgent && clauses.length > 0 ? MOST_CHARACTERS : most;
    const isFull = next !== undefined && length + next.length > limit;
    const isClauseEnd = CLAUSE_END.test(word) && length >= limit * (isUrgent && clauses.length === 0 ? 0.3 : 0.5);
    if (next === undefined || isFull || isClauseEnd) {
      clauses.push(current.join(" "));
      current = [];
      length = 0;
    }
  }
  return joinTail(clauses);
}

/** The rest of a sentence is not left alone when it is only a word or two. */
function joinTail(clauses: string[]): string[] {
  const last = clauses.at(-1);
  const before = clauses.at(-2);
  if (last === undefined || before === undefined || last.length >= FEWEST_CHARACTERS) return clauses;
  return [...clauses.slice(0, -2), `${before} ${last}`];
}

/** Something without a blank that is longer than any word is cut between letters. */
function cutLongWord(word: string): string[] {
  if (word.length <= MOST_CHARACTERS || word.startsWith("[")) return [word];
  const parts: string[] = [];
  let current = "";
  for (const segment of splitCharacters(word)) {
    if (current.length + segment.length > MOST_CHARACTERS) {
      parts.push(current);
      current = "";
    }
    current += segment;
  }
  return [...parts, current];
}
