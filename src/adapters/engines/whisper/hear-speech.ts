import { deflateSync } from "node:zlib";
import { isSaidTwice } from "../recogniser-graph/repetition.ts";
import { dropCredits } from "./drop-credits.ts";
import type { WhisperAnswer, WhisperJob } from "./job.ts";
import { isOtherLanguage, isUnoffered, offeredOf } from "./judge-language.ts";
import type { Room, Speech } from "./listener.ts";
import type { Identified, WhisperModel, WriteOptions, Written } from "./model.ts";
import { timeWords } from "./time-words.ts";
import {
  LIKELY_LANGUAGE,
  LIKELY_WORDS,
  MOST_COMPRESSION,
  MOST_TOKENS,
  NO_SPEECH_FROM,
  SPARE_TOKENS,
  SURE_LANGUAGE,
  TEMPERATURES,
  TOKENS_PER_SECOND,
  WORTHLESS_BELOW,
} from "./tuning.ts";

/** One stretch of speech as text, with guards against the ways in which the model invents some. */
export async function hearSpeech(model: WhisperModel, job: WhisperJob, signal: AbortSignal): Promise<WhisperAnswer> {
  const room = model.takeRoom();
  try {
    return await hearIn(room, model, job, signal);
  } finally {
    model.giveBack(room);
  }
}

async function hearIn(room: Room, model: WhisperModel, job: WhisperJob, signal: AbortSignal): Promise<WhisperAnswer> {
  const speech = await model.listen(job.samples, job.isInterim || job.isUrgent ? "quick" : "spoken", room, signal);
  const identified = await model.identify(speech);
  if (identified.silence >= NO_SPEECH_FROM) return nothing(job.language, 1 - identified.silence);
  const pinned = job.language;
  if (pinned !== undefined && isOtherLanguage(identified, pinned, job.leftToOthers.includes(pinned))) {
    return { ...nothing(pinned, identified.probabilities.get(pinned) ?? 0), isOther: true };
  }
  const found = pinned === undefined ? offeredOf(identified, job.offered) : undefined;
  const language = pinned ?? found?.language;
  if (language === undefined || (found && found.likelihood < LIKELY_LANGUAGE)) {
    return { ...nothing(undefined, found?.likelihood ?? 0), isOther: isUnoffered(identified, job.offered) };
  }
  if (job.leftToOthers.includes(language)) return nothing(language, found?.likelihood ?? 1);
  const options = { language, task: job.task, identified, mostTokens: mostTokensFor(job), signal };
  const { written, heard } = await writeCarefully(room, model, speech, job, options);
  const { logProbability } = written;
  const isDoubtful = found && found.likelihood < SURE_LANGUAGE && logProbability < LIKELY_WORDS;
  const text = isWorthless(written) || isDoubtful ? "" : dropCredits(written.text, job.speechSeconds);
  // Where nothing was said there is no language either, unless the caller named it.
  if (text === "") return nothing(pinned, Math.exp(logProbability));
  const isTimed = !job.isInterim && job.task === "transcribe";
  const words = isTimed ? timeWords(written, heard, model.vocabulary, text) : [];
  return { text, language, isOther: false, logProbability, words };
}

function nothing(language: string | undefined, probability: number): WhisperAnswer {
  return { text: "", language, isOther: false, logProbability: Math.log(Math.max(1e-4, probability)), words: [] };
}

/** What repeats itself is heard again in the whole window, and what stays doubtful with a little chance. */
async function writeCarefully(
  room: Room,
  model: WhisperModel,
  speech: Speech,
  job: WhisperJob,
  options: WriteOptions,
): Promise<{ written: Written; heard: Speech }> {
  let [heard, identified]: [Speech, Identified] = [speech, options.identified];
  let best = await model.write(speech, options);
  const isTwice = isSaidTwice(best.text);
  if (job.isInterim || (isGood(best) && !isTwice)) return { written: best, heard };
  if (best.isLoop || best.isCutOff || isTwice) {
    heard = await model.listen(job.samples, "whole", room, options.signal);
    identified = await model.identify(heard);
    const again = await model.write(heard, { ...options, identified });
    if (isGood(again)) return { written: again, heard };
    // The looks of the first are over other rows.
    best = better(again, { ...best, looks: [] });
  }
  for (const temperature of TEMPERATURES) {
    const again = await model.write(heard, { ...options, identified, temperature });
    if (isGood(again)) return { written: again, heard };
    best = better(again, best);
  }
  return { written: best, heard };
}

function isGood(written: Written): boolean {
  const { isLoop, isCutOff, logProbability } = written;
  return !isLoop && !isCutOff && logProbability >= WORTHLESS_BELOW && !isRepetitive(written.text);
}

function isRepetitive(text: string): boolean {
  const bytes = Buffer.byteLength(text);
  return bytes > 0 && bytes / deflateSync(text).length > MOST_COMPRESSION;
}

function better(one: Written, other: Written): Written {
  const isLost = (written: Written) => written.isLoop || written.isCutOff || isRepetitive(written.text);
  if (isLost(one) !== isLost(other)) return isLost(one) ? other : one;
  return one.logProbability > other.logProbability ? one : other;
}

function isWorthless(written: Written): boolean {
  return written.logProbability < WORTHLESS_BELOW || isRepetitive(written.text);
}

function mostTokensFor({ samples, speechSeconds }: WhisperJob): number {
  const seconds = Math.max(speechSeconds, samples.length / 16_000 / 2);
  return Math.min(MOST_TOKENS, Math.ceil(seconds * TOKENS_PER_SECOND) + SPARE_TOKENS);
}
