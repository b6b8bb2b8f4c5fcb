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

/** From this confidence on nobody else is asked: no stretch in another language reached it (docs/figures/speech-to-text.md). */
const CERTAIN: Readonly<Record<string, number>> = { en: 0.74, es: 0.9 };
/** Half a sentence is less certain, and a guess is soon corrected. */
const CERTAIN_GUESS: Readonly<Record<string, number>> = { en: 0.72, es: 0.86 };
/** Below this a pinned answer may be to another language: words that sound like something else. */
const DOUBTFUL: Readonly<Record<string, number>> = { en: 0.67, es: 0.84 };

/** An answer in the language that only the other recogniser took it for. English that was heard right had 0.53 and more. */
const BELIEVED = 0.5;

/** Where it only has to confirm or to deny: 33 of 36 clips were told right by five seconds, 30 by three, 35 by the whole clip. */
const ENOUGH_TO_TELL = 5 * 16_000;
/** Where nothing is known, of a stretch that is much longer: a guess. */
const MUCH_TO_TELL = 8 * 16_000;

/** More streams than one machine hears at once. */
const MOST_REMEMBERED = 1000;

/** Both recognisers of this machine as one. English and Spanish go to the one that hears nothing else, everything else to the one
 *  that hears many languages; which language it is, both decide. */
export function createLocalHearing(specialist: Specialist, generalist: Generalist): TranscriptionEngine {
  /** The language that each request or stream was last heard in: most speakers go on in theirs, so its recogniser is asked first. */
  const spoken = new Map<string, string>();

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

  function remember(flow: string, language: string): void {
    spoken.delete(flow);
    spoken.set(flow, language);
    if (spoken.size > MOST_REMEMBERED) spoken.delete(spoken.keys().next().value!);
  }

  /** Which language it is, and the words where the specialist does not know it. */
  function tell(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    return generalist.hear(request, signal, specialist.languages());
  }

  /** The same by the beginning, which tells nearly as well, for a part of the work. */
  function tellBeginning(request: HearingRequest, signal: AbortSignal, most = ENOUGH_TO_TELL): Promise<Heard> {
    const samples = request.samples.subarray(0, most);
    return tell({ ...request, samples, isUrgent: true }, signal);
  }

  async function hearPinned(request: HearingRequest, language: string, signal: AbortSignal): Promise<Heard> {
    const heard = await specialist.hear(request, signal);
    const isDoubtful = heard.text !== "" && heard.confidence < (DOUBTFUL[baseOf(language)] ?? 0);
    if (request.isInterim || !isDoubtful) return heard;
    const told = await tellBeginning(request, signal).catch(ifPassing(signal));
    if (!told) return heard;
    return told.isOtherLanguage ? { ...told, language } : { ...heard, isOtherLanguage: false };
  }

  async function hearAny(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    const heard = await decide(request, signal);
    if (heard.language !== UNKNOWN_LANGUAGE) remember(request.flow, heard.language);
    return heard;
  }

  async function decide(request: HearingRequest, signal: AbortSignal): Promise<Heard> {
    const before = spoken.get(request.flow);
    const isForeign = before !== undefined && !hears(specialist, before);
    const early = isForeign ? await tell(request, signal).catch(ifPassing(signal)) : undefined;
    if (early && early.language !== UNKNOWN_LANGUAGE && !hears(specialist, early.language)) return early;
    const isAsked = specialist.languages().length > 0;
    const isLong = request.samples.length > 1.5 * MUCH_TO_TELL;
    const heard = isAsked ? await specialist.hear(request, signal) : undefined;
    if (!heard || heard.language === UNKNOWN_LANGUAGE) {
      const told = early ?? (await (isLong ? tellBeginning(request, signal, MUCH_TO_TELL) : tell(request, signal)));
      return hearTold(request, told, signal, early !== undefined || !isLong);
    }
    if (isCertain(heard, request.isInterim)) return heard;
    const told = early ?? (await tellBeginning(request, signal).catch(ifPassing(signal)));
    if (!told || baseOf(told.language) === baseOf(heard.language)) return heard;
    if (told.language === UNKNOWN_LANGUAGE) {
      // Guesses wait for one who is sure; otherwise what was heard stands, unless it is certainly something else.
      return request.isInterim || told.isOtherLanguage ? told : heard;
    }
    return hearTold(request, told, signal, early !== undefined || request.samples.length <= ENOUGH_TO_TELL);
  }

  /** What to make of a language that the generalist told, by all that was said or only by its beginning. */
  async function hearTold(request: HearingRequest, told: Heard, signal: AbortSignal, isWhole: boolean): Promise<Heard> {
    const { language } = told;
    if (language === UNKNOWN_LANGUAGE) return told;
    if (!hears(specialist, language)) return isWhole ? told : generalist.hear({ ...request, language }, signal);
    const heard = await specialist.hear({ ...request, language }, signal);
    return heard.confidence >= BELIEVED ? heard : { ...heard, text: "", language: UNKNOWN_LANGUAGE };
  }

  return {
    guessesQuickly: true,
    takesLong: (language) => generalist.isHere() && !hears(specialist, language),
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
