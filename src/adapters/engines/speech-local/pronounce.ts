import { readInlinePronunciations } from "../../../ports/inline-pronunciation.ts";
import type { PhonemizeJob, Phonemizer } from "../../../ports/phonemizer.ts";

/** How one model writes sounds down. */
export interface Spelling {
  /** A word's phonemes, as espeak-ng names them, in the model's own symbols. */
  spellWord(phonemes: readonly string[], language: string): string;
  /** The marks the model knows, the strongest first: of a run such as "?!" only the first of these is kept. */
  readonly marks: string;
}

/** Punctuation that carries melody. Between two digits a point or comma belongs to the number. */
const PUNCTUATION = /((?:[;!?…—–"«»“”()।॥؟،؛¡¿]|[,.:](?!\d)|(?<!\d)[,.:])+)/u;
const IS_PUNCTUATION = /^[;:,.!?…—–"«»“”()।॥؟،؛¡¿]+$/u;

/** A model's symbols for a text: its words' sounds with the punctuation kept, since the model takes its melody from it. */
export async function pronounce(
  text: string,
  language: string,
  spelling: Spelling,
  phonemizer: Phonemizer,
  job: PhonemizeJob,
): Promise<string> {
  const parts = readParts(text, language, spelling);
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
      symbols += ` ${own.map((word) => spelling.spellWord(word, language)).join(" ")} `;
    }
  }
  // A text of marks alone has nothing to pronounce.
  return /[\p{L}]/u.test(symbols) ? symbols.replace(/\s+/gu, " ").trim() : "";
}

/** Words are pronounced in the company of the given word that follows them (its shadow), or "a" would be read as a letter. */
type Part = { words: string; shadow: string } | { mark: string } | { symbols: string };

function readParts(text: string, language: string, spelling: Spelling): Part[] {
  const parts: Part[] = [];
  for (const part of readInlinePronunciations(text)) {
    if ("text" in part) {
      parts.push(...splitAtPunctuation(part.text, spelling.marks));
      continue;
    }
    const before = parts.at(-1);
    if (before && "words" in before) {
      parts[parts.length - 1] = { words: `${before.words} ${part.word}`, shadow: part.word };
    }
    parts.push({ symbols: spellIpa(part.ipa, language, spelling) });
  }
  return parts;
}

function splitAtPunctuation(text: string, marks: string): Part[] {
  return text.split(PUNCTUATION).flatMap((piece): Part[] => {
    if (IS_PUNCTUATION.test(piece)) return [{ mark: `${spellMark(piece, marks)} ` }];
    return piece.trim() === "" ? [] : [{ words: piece.trim(), shadow: "" }];
  });
}

function spellMark(run: string, marks: string): string {
  const western = run
    .replace(/[।॥]/gu, ".")
    .replace(/؟/gu, "?")
    .replace(/،/gu, ",")
    .replace(/؛/gu, ";")
    .replace(/–/gu, "—")
    .replace(/\.{2,}/gu, "…");
  const found = [...marks].find((mark) => western.includes(mark));
  // A dash or an ellipsis that the model does not know is still a pause.
  return found ?? (/[—…]/u.test(western) ? "," : "");
}

/** IPA as a person writes it: single letters, with ties or without. */
function spellIpa(ipa: string, language: string, spelling: Spelling): string {
  const phonemes = ipa.normalize("NFC").match(/[ˈˌ]?(?:aɪ|aʊ|eɪ|oʊ|əʊ|ɔɪ|[dt]\u0361?[ʒʃzs]|.)/gsu) ?? [];
  return spelling.spellWord(
    phonemes.map((phoneme) => phoneme.replace("\u0361", "")),
    language,
  );
}
