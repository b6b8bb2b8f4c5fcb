import type { SpeechCut } from "./cut-speech.ts";
import { placeWords } from "./place-words.ts";

export interface TimedWord {
  readonly word: string;
  readonly startMs: number;
  readonly endMs: number;
}

const frameMs = 32;
/** A shorter gap may lie within a word. */
const pauseFrames = 3;

/** Times for the words of a stretch. Approximate, because the recogniser does not say when it heard what: pauses are taken to lie
 *  between words, above all after a mark, and between two pauses words are spread by their length. */
export function spreadWords(text: string, cut: Pick<SpeechCut, "startMs" | "endMs" | "isSpeech">): TimedWord[] {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const islands = findIslands(cut.isSpeech);
  const counts = placeWords(
    words,
    islands.map(({ start, end }) => end - start),
  );
  let next = 0;
  return islands.flatMap(({ start, end }, index) => {
    const own = words.slice(next, next + counts[index]!);
    next += own.length;
    const total = own.reduce((sum, word) => sum + word.length + 1, 0);
    let spent = 0;
    return own.map((word) => {
      const startMs = timeAt(start + (spent / total) * (end - start));
      spent += word.length + 1;
      return { word, startMs, endMs: timeAt(start + (spent / total) * (end - start)) };
    });
  });

  function timeAt(frame: number): number {
    return Math.min(cut.endMs, cut.startMs + Math.round(frame * frameMs));
  }
}

interface Island {
  start: number;
  end: number;
}

/** Frames of speech between pauses; all frames where none is certain. */
function findIslands(isSpeech: readonly boolean[]): Island[] {
  const islands: Island[] = [];
  for (const [frame, speaks] of isSpeech.entries()) {
    const last = islands.at(-1);
    if (!speaks) continue;
    if (last && frame - last.end < pauseFrames) last.end = frame + 1;
    else islands.push({ start: frame, end: frame + 1 });
  }
  return islands.length > 0 ? islands : [{ start: 0, end: isSpeech.length }];
}
