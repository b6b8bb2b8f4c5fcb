import type { ReadingRules } from "./rules.ts";

export function readAbbreviations(text: string, rules: ReadingRules): string {
  return rules.abbreviations.reduce((read, [pattern, words]) => read.replace(pattern, words), text);
}

/** Signs between words. */
export function readSigns(text: string, rules: ReadingRules): string {
  return text
    .replace(/(?<=\s|^)&(?=\s|$)|(?<=\p{L})&(?=\p{L})/gu, ` ${rules.signs.ampersand} `)
    .replace(/(?<=\s|^)@(?=\s|$)/gu, rules.signs.at)
    .replace(/(?<=\s)=(?=\s)/gu, rules.signs.equals)
    .replace(/(?<=\s)\+(?=\s)/gu, rules.plus)
    .replace(/(?<![\w&])#(?=\p{L})/gu, `${rules.signs.hash} `)
    .replace(/[*_~`^|<>]+/gu, " ");
}

const CAPITALS = /(?<![\p{L}\p{M}'’])(\p{Lu}{2,})(['’]?s)?(?![\p{L}\p{M}])/gu;

/** Capitals are spelled when they are initials (FBI, HTML) and read as words when they are (NASA, STOP). */
export function readCapitals(text: string, rules: ReadingRules): string {
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  const loud = words.filter((word) => word === word.toUpperCase() && word !== word.toLowerCase());
  const isShouting = loud.length >= 3 && loud.length > words.length * 0.6 && loud.some((word) => word.length > 4);
  return text.replace(CAPITALS, (match, capitals: string, ending = "") => {
    const word = capitals.toLowerCase();
    if (isShouting || rules.shortWords.has(word) || isSayable(capitals)) return match.toLowerCase();
    return Array.from(capitals).join(" ") + (ending ? `${/s/u.test(ending) ? "'s" : ""}` : "");
  });
}

/** Spelled letters that would be taken for words, next to other spelled letters. */
export function nameLetters(text: string, rules: ReadingRules): string {
  const { letterNames } = rules;
  if (letterNames === undefined) return text;
  return text.replace(/(?<![\p{L}\p{M}'’])\p{Lu}(?: \p{Lu})+(?![\p{L}\p{M}])/gu, (letters) =>
    letters.replace(/\p{Lu}/gu, (letter) => letterNames[letter] ?? letter),
  );
}

/** Initials have up to five letters; longer ones, and those that alternate like a word, are words. */
function isSayable(capitals: string): boolean {
  if (capitals.length > 5) return true;
  if (capitals.length < 4) return false;
  const plain = capitals.normalize("NFD").replace(/\p{M}/gu, "");
  const vowels = plain.replace(/[^AEIOU]/gu, "").length;
  return (
    vowels >= 2 &&
    !/[^AEIOU]{3}/u.test(plain) &&
    !/^[^AEIOU]{2}(?<!BL|BR|CH|CL|CR|DR|FL|FR|GL|GR|PL|PR|SC|SH|SK|SL|SM|SN|SP|ST|SW|TH|TR|TW|WH)/u.test(plain)
  );
}
