import type { DecodedLine } from "./decode-line.ts";
import { plainForm } from "./plain-form.ts";

/** Undoes the mix-ups of digits and letters that look alike, and forms that only print has, such as "№". */
export function repairLetters(line: DecodedLine): DecodedLine {
  const words = line.words
    .map((word) => ({ ...word, text: repairWord(plainForm(word.text)) }))
    .filter((word) => word.text.length > 0);
  return { ...line, words, text: words.map((word) => word.text).join(" ") };
}

/** A number in which a zero was read as a letter: "4560O", "4D170". */
const numberWithLetters = /^(?=(?:\D*\d){3})(?:[\dOo.,:/+()-]|(?<=\d)D(?=\d))+$/;

function repairWord(word: string): string {
  if (numberWithLetters.test(word)) return word.replace(/[OoD]/g, "0");
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  const digits = word.match(/\d/g)?.length ?? 0;
  if (digits === 0 || letters < 2) return word;
  const isUpper = word === word.toUpperCase();
  const zeros = word.match(/0/g)?.length ?? 0;
  // A word of capitals whose only digits are zeros was printed with the letter O.
  if (
    zeros === digits &&
    /^[\p{Lu}0.,&'/()-]+$/u.test(word) &&
    letters >= zeros &&
    /\p{L}0|0\p{L}/u.test(word) &&
    !/^\p{L}{1,2}0+$/u.test(word)
  ) {
    return word.replace(/0/g, "O");
  }
  if (letters < 3 || letters < digits * 3) return word;
  return word
    .replace(/(?<=\p{L})0(?=\p{L})/gu, isUpper ? "O" : "o")
    .replace(/(?<=\p{L})1(?=\p{L})/gu, isUpper ? "I" : "l");
}
