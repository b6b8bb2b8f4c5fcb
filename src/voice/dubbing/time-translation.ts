import type { TimedWord } from "../transcription/spread-words.ts";
import type { Subtitled } from "../transcription/write-subtitles.ts";
import type { TranslatedSource } from "./dub.ts";

/** The translation at the times of the source, as subtitles are made of it. */
export function timeTranslation({ source, translations }: TranslatedSource): Subtitled[] {
  return source.lines.map(({ startMs, endMs }, index) => {
    const text = translations[index]!;
    return { startMs, endMs, text, words: spreadEvenly(text, startMs, endMs) };
  });
}

/** Nobody spoke these words, so they are spread by their length. */
function spreadEvenly(text: string, startMs: number, endMs: number): TimedWord[] {
  const words = text.split(/\s+/).filter(Boolean);
  const total = words.reduce((sum, word) => sum + word.length + 1, 0);
  let spent = 0;
  const timeAt = (letters: number) => Math.round(startMs + (letters / total) * (endMs - startMs));
  return words.map((word) => {
    const from = timeAt(spent);
    spent += word.length + 1;
    return { word, startMs: from, endMs: timeAt(spent) };
  });
}
