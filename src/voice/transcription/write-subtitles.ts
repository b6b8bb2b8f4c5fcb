import type { TimedWord } from "./spread-words.ts";

/** What subtitles are made of. */
export interface Subtitled {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly TimedWord[];
}

interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

/** Two lines of what fits on a screen, and no longer than people like to look at one. */
const mostLetters = 84;
const longestMs = 7000;

export function writeSrt(segments: readonly Subtitled[]): string {
  return toCues(segments)
    .map(
      ({ startMs, endMs, text }, index) => `${index + 1}\n${clock(startMs, ",")} --> ${clock(endMs, ",")}\n${text}\n`,
    )
    .join("\n");
}

export function writeVtt(segments: readonly Subtitled[]): string {
  const cues = toCues(segments).map(
    ({ startMs, endMs, text }) => `${clock(startMs, ".")} --> ${clock(endMs, ".")}\n${escapeCue(text)}\n`,
  );
  return `WEBVTT\n\n${cues.join("\n")}`;
}

/** Segments can be too long to read at once; they are cut between words, at the end of a sentence where there is one. */
function toCues(segments: readonly Subtitled[]): Cue[] {
  return segments.flatMap((segment) => {
    const isShort = segment.text.length <= mostLetters && segment.endMs - segment.startMs <= longestMs;
    if (isShort || segment.words.length < 2) return [segment];
    return cutWords(segment.words).map((words) => ({
      startMs: words[0]!.startMs,
      endMs: words.at(-1)!.endMs,
      text: words.map(({ word }) => word).join(" "),
    }));
  });
}

function cutWords(words: readonly TimedWord[]): TimedWord[][] {
  const cues: TimedWord[][] = [];
  let current: TimedWord[] = [];
  let letters = 0;
  for (const word of words) {
    const isFull = letters + word.word.length > mostLetters || word.endMs - (current[0]?.startMs ?? 0) > longestMs;
    const isSentence = letters > mostLetters / 3 && /[.?!…]["'»)]*$/.test(current.at(-1)?.word ?? "");
    if (current.length > 0 && (isFull || isSentence)) {
      cues.push(current);
      current = [];
      letters = 0;
    }
    current.push(word);
    letters += word.word.length + 1;
  }
  if (current.length > 0) cues.push(current);
  return cues;
}

function clock(ms: number, separator: string): string {
  const pad = (value: number, width = 2) => String(Math.floor(value)).padStart(width, "0");
  return `${pad(ms / 3_600_000)}:${pad((ms / 60_000) % 60)}:${pad((ms / 1000) % 60)}${separator}${pad(ms % 1000, 3)}`;
}

function escapeCue(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
