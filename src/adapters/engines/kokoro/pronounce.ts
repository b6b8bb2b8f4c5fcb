import { readInlinePronunciations } from "../../../ports/inline-pronunciation.ts";
import type { PhonemizeJob, Phonemizer } from "../../../ports/phonemizer.ts";
import { toKokoroSymbols } from "./to-kokoro-symbols.ts";

/** Punctuation that carries melody. Between two digits a point or comma belongs to the number. */
const PUNCTUATION = /((?:[;!?…—–"«»“”()।॥؟،؛¡¿]|[,.:](?!\d)|(?<!\d)[,.:])+)/u;
const IS_PUNCTUATION = /^[;:,.!?…—–"«»“”()।॥؟،؛¡¿]+$/u;

/** Kokoro's symbols for a text: its words' sounds with the punctuation kept, since the model takes its melody from it. */
export async function pronounce(
  text: string,
  language: string,
  phonemizer: Phonemizer,
  job: PhonemizeJob,
): Promise<string> {
  const parts = readParts(text, language);
  const spoken = parts.flatMap((part) => ("words" in part ? [part.words, part.shadow] : []));
  const sounds = await phonemizer.phonemize(spoken, language, job);
  let symbols = "";
  let next = 0;
  for (const part of parts) {
    if ("mark" in part) symbols = symbols.trimEnd() + part.mark;
    else if ("symbols" in part) symbols += part.symbols;
    else {
      const [heard, shadow] = [sounds[next++]!, sounds[next++]!];
      const own = heard.slice(0, heard.length - shadow.length);
      symbols += ` ${own.map((word) => toKokoroSymbols(word, language)).join(" ")} `;
    }
  }
  // A text of marks alone has nothing to pronounce.
  return /[\p{L}]/u.test(symbols) ? symbols.replace(/\s+/gu, " ").trim() : "";
}

/** Words are pronounced in the company of the given word that follows them (its shadow), or "a" would be read as a letter. */
type Part = { words: string; shadow: string } | { mark: string } | { symbols: string };

function readParts(text: string, language: string): Part[] {
  const parts: Part[] = [];
  for (const part of readInlinePronunciations(text)) {
    if ("text" in part) {
      parts.push(...splitAtPunctuation(part.text));
      continue;
    }
    const before = parts.at(-1);
    if (before && "words" in before) {
      parts[parts.length - 1] = { words: `${before.words} ${part.word}`, shadow: part.word };
    }
    parts.push({ symbols: spellIpa(part.ipa, language) });
  }
  return parts;
}

function splitAtPunctuation(text: string): Part[] {
  return text.split(PUNCTUATION).flatMap((piece): Part[] => {
    if (IS_PUNCTUATION.test(piece)) return [{ mark: `${spellMark(piece)} ` }];
    return piece.trim() === "" ? [] : [{ words: piece.trim(), shadow: "" }];
  });
}

/** One mark of the model's own for each run of marks, the strongest: "?!" asks, "..." trails off. */
function spellMark(marks: string): string {
  const western = marks
    .replace(/[।॥]/gu, ".")
    .replace(/؟/gu, "?")
    .replace(/،/gu, ",")
    .replace(/؛/gu, ";")
    .replace(/–/gu, "—")
    .replace(/\.{2,}/gu, "…")
    .replace(/[¡¿«»"“”()]/gu, "");
  return [..."?!….:;—,"].find((mark) => western.includes(mark)) ?? "";
}

/** IPA as a person writes it: single letters, with ties or without. */
function spellIpa(ipa: string, language: string): string {
  const phonemes = ipa.normalize("NFC").match(/[ˈˌ]?(?:aɪ|aʊ|eɪ|oʊ|əʊ|ɔɪ|[dt]\u0361?[ʒʃzs]|.)/gsu) ?? [];
  return toKokoroSymbols(
    phonemes.map((phoneme) => phoneme.replace("\u0361", "")),
    language,
  );
}
