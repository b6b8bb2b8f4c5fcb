import type { Heard } from "../../ports/transcription-engine.ts";
import type { SpeechCut } from "./cut-speech.ts";
import { fitWords } from "./fit-words.ts";
import { spreadWords, type TimedWord } from "./spread-words.ts";

/** When each word was said: as the engine found out, else by the pauses of the speaker. */
export function timeWords(
  heard: Pick<Heard, "text" | "words">,
  cut: Pick<SpeechCut, "startMs" | "endMs" | "isSpeech">,
): TimedWord[] {
  return heard.words ? fitWords(heard.words, cut) : spreadWords(heard.text, cut);
}
