import { list, Problem } from "../../platform/errors.ts";
import { combineManners, type Manner, PLAIN } from "./manner.ts";
import { readStyle } from "./read-style.ts";

interface Tone {
  readonly manner: Manner;
  /** For the chat model that writes what is said. */
  readonly wording: string;
}

/** What `tone_preset` can be. Chosen by ear within what people do when they mean it: some semitones, a fifth of the pace. */
export const TONES: Readonly<Record<string, Tone>> = {
  neutral: tone(1, 0, 1, 0, 1, "Speak in a neutral, even tone."),
  warm: tone(0.95, -0.8, 1.1, 0, 1.15, "Be warm and kind; show that you care."),
  friendly: tone(1.03, 0.8, 1.2, 0.5, 0.95, "Be friendly and relaxed, as with a good acquaintance."),
  cheerful: tone(1.08, 1.8, 1.4, 1.5, 0.85, "Be cheerful and upbeat."),
  excited: tone(1.18, 2.6, 1.6, 3, 0.7, "Be excited and full of energy; short, vivid sentences."),
  calm: tone(0.88, -1, 0.8, -2, 1.4, "Be calm and unhurried; soothing words, no exclamation marks."),
  serious: tone(0.93, -1.4, 0.75, 0, 1.25, "Be serious and factual; no jokes."),
  professional: tone(1, -0.6, 0.9, 0.5, 1, "Be professional: precise, polite and brief."),
  confident: tone(1.03, -1, 1.15, 2, 0.9, "Be confident and direct; no hedging."),
  sad: tone(0.82, -1.8, 0.6, -3, 1.6, "Sound sad and subdued; be gentle."),
  soft: tone(0.92, -0.5, 0.8, -5, 1.2, "Speak softly and gently."),
  storytelling: tone(0.92, 0.3, 1.5, 0, 1.5, "Tell it like a story, with images and suspense."),
  urgent: tone(1.22, 1.2, 1.2, 3, 0.5, "Be urgent: say the most important thing first, in few words."),
};

/** Throws a 400 with the list for a tone that is not in it. */
export function checkTone(name: string | null | undefined): void {
  if (name === undefined || name === null || Object.hasOwn(TONES, name)) return;
  throw new Problem(
    "invalid_request",
    `There is no tone "${name.slice(0, 80)}". "tone_preset" must be one of: ${list(Object.keys(TONES))}.`,
  );
}

/** How a tone and a style sound together. */
export function mannerOf(tone: string | null | undefined, style: string | null | undefined): Manner {
  checkTone(tone);
  return combineManners([tone ? TONES[tone]!.manner : PLAIN, style ? readStyle(style) : PLAIN]);
}

/** How a tone and a style change what is said, for the instructions of a chat model; empty when they do not. */
export function wordingOf(tone: string | null | undefined, style: string | null | undefined): string {
  checkTone(tone);
  return [tone ? TONES[tone]!.wording : "", style?.trim() ?? ""].filter((part) => part !== "").join("\n");
}

function tone(
  rate: number,
  pitchSemitones: number,
  range: number,
  energyDecibels: number,
  pauses: number,
  wording: string,
): Tone {
  return { manner: { rate, pitchSemitones, range, energyDecibels, pauses }, wording };
}
