import type { HeardWord } from "../../ports/transcription-engine.ts";
import { FRAME_SAMPLES, HEARING_RATE_HZ } from "../../ports/voice-activity.ts";
import type { SpeechCut } from "./cut-speech.ts";
import type { TimedWord } from "./spread-words.ts";

const frameMs = (FRAME_SAMPLES * 1000) / HEARING_RATE_HZ;

/** Times that a recogniser gives, within the recording, and without the silence that it counts to a word before or after a pause. */
export function fitWords(
  words: readonly HeardWord[],
  cut: Pick<SpeechCut, "startMs" | "endMs" | "isSpeech">,
): TimedWord[] {
  const { isSpeech, startMs: origin } = cut;
  let before = 0;
  return words.map(({ word, startMs, endMs }) => {
    let [from, to] = [Math.floor(startMs / frameMs), Math.ceil(endMs / frameMs)];
    const isSpoken = isSpeech.slice(from, to).some(Boolean);
    if (isSpoken) {
      while (!isSpeech[from]) from += 1;
      while (!isSpeech[to - 1]) to -= 1;
    }
    const start = Math.max(before, startMs, isSpoken ? from * frameMs : 0);
    const end = Math.max(start, Math.min(endMs, isSpoken ? to * frameMs : endMs));
    before = start;
    const within = (ms: number) => Math.min(cut.endMs, origin + Math.round(ms));
    return { word, startMs: within(start), endMs: within(end) };
  });
}
