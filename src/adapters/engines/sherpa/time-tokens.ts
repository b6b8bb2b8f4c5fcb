import type { HeardWord } from "../../../ports/transcription-engine.ts";

export interface TimedTokens {
  readonly tokens: readonly string[];
  /** When each begins, in seconds; empty for models that do not tell. */
  readonly timestamps: readonly number[];
  readonly durations: readonly number[];
}

/** How long a word lasts whose end nobody tells and that nothing follows (a guess). */
const lastWordMs = 400;

/** The words of a text with their times, from the tokens that they are made of: a blank or its mark begins a word. Undefined where
 *  the times are missing or the words are not those of the text. */
export function timeTokens(
  { tokens, timestamps, durations }: TimedTokens,
  text: string,
  lengthMs: number,
): HeardWord[] | undefined {
  if (tokens.length === 0 || timestamps.length !== tokens.length) return undefined;
  const areEndsTold = durations.length === tokens.length;
  const words: { word: string; startMs: number; endMs: number }[] = [];
  for (const [index, token] of tokens.entries()) {
    const startMs = Math.round(timestamps[index]! * 1000);
    const endMs = areEndsTold ? startMs + Math.round(durations[index]! * 1000) : startMs;
    const letters = token.replace(/^[\s▁]+/u, "");
    const begins = /^[\s▁]/u.test(token) || words.length === 0;
    if (letters === "") {
      if (begins) words.push({ word: "", startMs, endMs });
      continue;
    }
    const last = words.at(-1);
    if (begins && last?.word !== "") words.push({ word: letters, startMs, endMs });
    else if (last) {
      if (last.word === "") last.startMs = startMs;
      last.word += letters;
      last.endMs = Math.max(last.endMs, endMs);
    }
  }
  const whole = words.filter(({ word }) => word !== "");
  const spoken = text.split(/\s+/).filter(Boolean);
  if (whole.length !== spoken.length) return undefined;
  return whole.map(({ startMs, endMs }, index) => {
    const next = whole[index + 1]?.startMs ?? Math.min(lengthMs, startMs + lastWordMs);
    return { word: spoken[index]!, startMs, endMs: areEndsTold ? Math.min(endMs, Math.max(next, startMs)) : next };
  });
}
