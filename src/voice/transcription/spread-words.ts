import type { SpeechCut } from "./cut-speech.ts";

export interface TimedWord {
  readonly word: string;
  readonly startMs: number;
  readonly endMs: number;
}

const frameMs = 32;

/** Times for the words of a stretch: spread over its speech by their length, skipping its pauses. Approximate, because the
 *  recogniser does not say when it heard what. */
export function spreadWords(text: string, cut: SpeechCut): TimedWord[] {
  const words = text.split(/\s+/).filter(Boolean);
  const frames = cut.isSpeech.flatMap((isSpeech, frame) => (isSpeech ? [frame] : []));
  if (frames.length === 0) frames.push(...cut.isSpeech.keys());
  const weights = words.map((word) => word.length + 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let spent = 0;
  return words.map((word, index) => {
    const startMs = timeAt(spent / total);
    spent += weights[index]!;
    return { word, startMs, endMs: Math.max(startMs, timeAt(spent / total, true)) };
  });

  /** The time at which a share of the speech has passed. An end belongs to the frame before, so that it does not reach over
   *  a pause into the next word. */
  function timeAt(share: number, isEnd = false): number {
    const exact = share * frames.length;
    const index = Math.min(frames.length - 1, Math.max(0, isEnd ? Math.ceil(exact) - 1 : Math.floor(exact)));
    const within = Math.min(1, exact - index);
    return Math.min(cut.endMs, cut.startMs + Math.round(((frames[index] ?? 0) + within) * frameMs));
  }
}
