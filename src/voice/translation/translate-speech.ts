import { type TurnTaker, turnOf } from "../../accounts/turn-of.ts";
import { newId } from "../../platform/ids.ts";
import { type HearingParts, type Transcript, transcribe } from "../transcription/transcribe.ts";
import { type TranslatingParts, translate } from "./translate.ts";

const ENGLISH = "en";

/** A recording as English text. A recogniser that translates by itself hears what is meant and is better at it (docs/figures/speech-to-text.md);
 *  without one, the words are written down and then translated. */
export async function translateSpeech(
  hearing: HearingParts,
  words: TranslatingParts,
  bytes: Uint8Array,
  caller: TurnTaker,
  signal: AbortSignal,
): Promise<Transcript> {
  if (hearing.transcription.translates) return transcribe(hearing, { bytes, isTranslated: true }, caller, signal);
  const heard = await transcribe(hearing, { bytes }, caller, signal);
  const turn = { key: turnOf(caller), flow: newId("hear_") };
  const segments: Transcript["segments"][number][] = [];
  for (const segment of heard.segments) {
    const { text, language } = segment;
    const done = await translate(words, { text, source: language, target: ENGLISH }, turn, signal);
    segments.push({ ...segment, text: done.text, words: [] });
  }
  return { ...heard, text: segments.map(({ text }) => text).join(" "), segments };
}
