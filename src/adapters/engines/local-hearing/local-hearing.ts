import { isPassing } from "../../../platform/errors.ts";
import {
  type Heard,
  type HearingRequest,
  type TranscriptionEngine,
  UNKNOWN_LANGUAGE,
} from "../../../ports/transcription-engine.ts";
import type { Whisper } from "../whisper/whisper.ts";

/** A recogniser for a few languages, at a tenth of the cost of the one for many. */
export type Specialist = TranscriptionEngine;
/** The part of Whisper that is needed here. */
export type Generalist = Pick<Whisper, "hear" | "languages" | "isHere"> & Pick<TranscriptionEngine, "rate" | "warm">;

/** From this confidence on nobody else is asked: no stretch in another language reached it (docs/hearing.md). */
const CERTAIN: Readonly<Record<string, number>> = { en: 0.8, es: 0.9 };
/** Half a sentence is less certain, and a guess is soon corrected. */
const CERTAIN_GUESS: Readonly<Record<string, number>> = { en: 0.72, es: 0.86 };
/** Below this a pinned answer may be to another language: words that sound like something else. */
const DOUBTFUL: Readonly<Record<string, number>> = { en: 0.67, es: 0.84 };

/** An answer in the language that only the other recogniser took it for. English that was heard right had 0.53 and more. */
const BELIEVED = 0.5;

/** Both recognisers of this machine as one. English and Spanish go to the one that hears nothing else, everything else to the one
 *  that hears many languages; which language it is, both decide. */
export function createLocalHearing(specialist: Specialist, generalist: Generalist): TranscriptionEngine {
  async function hear(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    const { language, isTranslated } = request;
    if (!generalist.isHere()) return specialist.hear(request, signal);
    if (isTranslated) return translate(request, signal);
    if (language === undefined) return hearAny(request, signal);
    return hears(specialist, language) ? hearPinned(request, language, signal) : generalist.hear(request, signal);
  }

  /** English is only written down; for anything else the language must be known first. */
  async function translate(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    const plain = { ...request, isTranslated: false };
    const heard = request.language === undefined ? await hearAny(plain, signal) : undefined;
    const language = request.language ?? heard?.language;
    if (language === undefined || language === UNKNOWN_LANGUAGE) return heard!;
    if (baseOf(language) === "en") return heard ?? hear(plain, signal);
    return generalist.hear({ ...request, language }, signal);
  }

  /** Which language it is, and the words where the specialist does not know it. */
  function tell(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    return generalist.hear(request, signal, specialist.languages());
  }

  async function hearPinned(request: HearingRequest, language: string, signal: AbortSignal): Promise<Heard> {
    const heard = await specialist.hear(request, signal);
    const isDoubtful = heard.text !== "" && heard.confidence < (DOUBTFUL[baseOf(language)] ?? 0);
    if (request.isInterim || !isDoubtful) return heard;
    const told = await tell(request, signal).catch(ifPassing(signal));
    if (!told) return heard;
    return told.isOtherLanguage ? { ...told, language } : { ...heard, isOtherLanguage: false };
  }

  async function hearAny(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    const isAsked = specialist.languages().length > 0;
    const heard = isAsked ? await specialist.hear(request, signal) : undefined;
    if (heard && isCertain(heard, request.isInterim)) return heard;
    const telling = tell(request, signal);
    const isKnown = heard !== undefined && heard.language !== UNKNOWN_LANGUAGE;
    const told = await (isKnown ? telling.catch(ifPassing(signal)) : telling);
    if (!told) return heard!;
    if (told.language === UNKNOWN_LANGUAGE) {
      // Guesses wait for one who is sure; otherwise what was heard stands, unless it is certainly something else.
      return heard && !request.isInterim && !told.isOtherLanguage ? heard : told;
    }
    if (!hears(specialist, told.language)) return told;
    if (heard && baseOf(heard.language) === baseOf(told.language)) return heard;
    const pinned = await specialist.hear({ ...request, language: told.language }, signal);
    return pinned.confidence >= BELIEVED ? pinned : { ...pinned, text: "", language: UNKNOWN_LANGUAGE };
  }

  return {
    languages: () => [...new Set([...specialist.languages(), ...generalist.languages()])],
    rate: (language) => (hears(specialist, language) ? specialist : generalist).rate?.(language),
    get translates() {
      return generalist.isHere();
    },
    hear,
    warm(language) {
      const isOwn = language !== undefined && hears(specialist, language);
      if (language === undefined || isOwn) specialist.warm?.(language);
      if (!isOwn) generalist.warm?.(language);
    },
  };
}

/** A second opinion that cannot be had must not cost the first. */
function ifPassing(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (signal.aborted || !isPassing(error)) throw error;
    return undefined;
  };
}

function isCertain({ language, confidence, text }: Heard, isInterim: boolean): boolean {
  const least = (isInterim ? CERTAIN_GUESS : CERTAIN)[baseOf(language)] ?? 2;
  return text !== "" && confidence >= least;
}

function hears(engine: TranscriptionEngine, language: string): boolean {
  return engine.languages().some((one) => baseOf(one) === baseOf(language));
}

function baseOf(language: string): string {
  return language.split("-")[0]!;
}
