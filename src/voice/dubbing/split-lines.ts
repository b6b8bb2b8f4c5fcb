import { countCharacters } from "../../platform/characters.ts";
import type { TranscriptSegment } from "../transcription/transcribe.ts";

/** What is translated and spoken as one: a sentence, or several without a pause between them. */
export interface SourceLine {
  readonly text: string;
  readonly language: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SplitLines {
  readonly lines: readonly SourceLine[];
  readonly isTruncated: boolean;
}

/** What translate takes. */
const MOST_CHARACTERS = 3000;
/** Sentences with less silence between them stay together: where one of them ends is only guessed. */
const PAUSE_MS = 160;
const LONGEST_LINE_MS = 15_000;

/** The sentences of a transcript with their times, up to the last whole one within 3000 characters. */
export function splitLines(segments: readonly TranscriptSegment[]): SplitLines {
  const sentences = segments.flatMap(splitSegment);
  const kept: SourceLine[] = [];
  let characters = 0;
  for (const sentence of sentences) {
    const length = countCharacters(sentence.text) + (kept.length > 0 ? 1 : 0);
    if (characters + length > MOST_CHARACTERS) break;
    characters += length;
    kept.push(sentence);
  }
  // One sentence that is too long by itself is cut between words.
  if (kept.length === 0 && sentences[0]) kept.push(cutSentence(sentences[0]));
  const isTruncated = kept.length < sentences.length || kept.at(-1)?.text !== sentences.at(-1)?.text;
  return { lines: joinClose(kept), isTruncated };
}

function splitSegment({ text, language, words, startMs, endMs }: TranscriptSegment): SourceLine[] {
  let next = 0;
  const lines: SourceLine[] = [];
  for (const { segment } of segmenterFor(language).segment(text)) {
    const sentence = segment.trim();
    const count = sentence === "" ? 0 : sentence.split(/\s+/).length;
    if (count === 0) continue;
    const first = words[next];
    const last = words[Math.min(words.length, next + count) - 1];
    next += count;
    lines.push({ text: sentence, language, startMs: first?.startMs ?? startMs, endMs: last?.endMs ?? endMs });
  }
  return lines;
}

function joinClose(sentences: readonly SourceLine[]): SourceLine[] {
  const lines: SourceLine[] = [];
  for (const sentence of sentences) {
    const before = lines.at(-1);
    const joins =
      before &&
      before.language === sentence.language &&
      sentence.startMs - before.endMs < PAUSE_MS &&
      sentence.endMs - before.startMs <= LONGEST_LINE_MS;
    if (joins) {
      lines[lines.length - 1] = { ...before, text: `${before.text} ${sentence.text}`, endMs: sentence.endMs };
    } else lines.push(sentence);
  }
  return lines;
}

function cutSentence(sentence: SourceLine): SourceLine {
  const text = sentence.text.slice(0, MOST_CHARACTERS).replace(/\s+\S*$/u, "");
  const share = text.length / sentence.text.length;
  return { ...sentence, text, endMs: Math.round(sentence.startMs + share * (sentence.endMs - sentence.startMs)) };
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterFor(language: string): Intl.Segmenter {
  let found = segmenters.get(language);
  if (!found) {
    found = new Intl.Segmenter(language, { granularity: "sentence" });
    segmenters.set(language, found);
  }
  return found;
}
