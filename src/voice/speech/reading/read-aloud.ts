import { table } from "../../../platform/table.ts";
import { readInlinePronunciations, writeInlinePronunciation } from "../../../ports/inline-pronunciation.ts";
import { readAddresses } from "./addresses.ts";
import { arithmeticWords, readArithmetic } from "./arithmetic.ts";
import { readDates, readTimes } from "./dates.ts";
import { readEmoji } from "./emoji.ts";
import { germanRules } from "./languages/de.ts";
import { americanRules, britishRules } from "./languages/en.ts";
import { spanishRules } from "./languages/es.ts";
import { frenchRules } from "./languages/fr.ts";
import { hindiRules } from "./languages/hi.ts";
import { italianRules } from "./languages/it.ts";
import { dutchRules } from "./languages/nl.ts";
import { portugueseRules } from "./languages/pt.ts";
import {
  dutchRoman,
  englishRoman,
  frenchRoman,
  germanRoman,
  italianRoman,
  portugueseRoman,
  spanishRoman,
} from "./languages/roman.ts";
import { readMoney } from "./money.ts";
import { readNumbers, readPhoneNumbers } from "./numbers.ts";
import { type RomanRules, readRomanNumerals } from "./roman.ts";
import type { ReadingRules } from "./rules.ts";
import { readDurations, readMagnitudes, readTimeRanges } from "./spans.ts";
import { readUnits } from "./units.ts";
import { nameLetters, readAbbreviations, readCapitals, readSigns } from "./words.ts";

const englishArithmetic =
  "is less than|is greater than|is at most|is at least|is not equal to|is about|times|divided by|plus or minus";
const portugueseArithmetic =
  "é menor que|é maior que|é menor ou igual a|é maior ou igual a|é diferente de|é aproximadamente|vezes|dividido por|mais ou menos";

const RULES: Readonly<Record<string, ReadingRules>> = table({
  "en-us": withSigns(americanRules, englishRoman, englishArithmetic),
  "en-gb": withSigns(britishRules, englishRoman, englishArithmetic),
  es: withSigns(
    spanishRules,
    spanishRoman,
    "es menor que|es mayor que|es menor o igual que|es mayor o igual que|es distinto de|es aproximadamente|por|dividido entre|más menos",
  ),
  fr: withSigns(
    frenchRules,
    frenchRoman,
    "est inférieur à|est supérieur à|est inférieur ou égal à|est supérieur ou égal à|est différent de|est environ|fois|divisé par|plus ou moins",
  ),
  de: withSigns(
    germanRules,
    germanRoman,
    "ist kleiner als|ist größer als|ist kleiner oder gleich|ist größer oder gleich|ist ungleich|ist ungefähr|mal|geteilt durch|plus minus",
  ),
  it: withSigns(
    italianRules,
    italianRoman,
    "è minore di|è maggiore di|è minore o uguale a|è maggiore o uguale a|è diverso da|è circa|per|diviso|più o meno",
  ),
  "pt-br": withSigns(portugueseRules, portugueseRoman, portugueseArithmetic),
  "pt-pt": withSigns(portugueseRules, portugueseRoman, portugueseArithmetic),
  nl: withSigns(
    dutchRules,
    dutchRoman,
    "is kleiner dan|is groter dan|is kleiner dan of gelijk aan|is groter dan of gelijk aan|is niet gelijk aan|is ongeveer|keer|gedeeld door|plus of min",
  ),
  hi: hindiRules,
});

function withSigns(rules: ReadingRules, roman: RomanRules, words: string): ReadingRules {
  return { ...rules, roman, arithmetic: arithmeticWords(words) };
}

type Step = (text: string, rules: ReadingRules) => string;

/** Each claims what it knows, so that the later ones see only what is left: a price is not a number any more. */
const STEPS: readonly Step[] = [
  readRomanNumerals,
  ifDigits(readDurations),
  ifDigits(readTimeRanges),
  ifDigits((text, rules) => rules.first?.(text) ?? text),
  readAddresses,
  ifDigits(readPhoneNumbers),
  ifDigits(readDates),
  ifDigits(readTimes),
  ifDigits(readMoney),
  ifDigits(readMagnitudes),
  ifDigits(readUnits),
  readAbbreviations,
  readArithmetic,
  ifDigits(readNumbers),
  readSigns,
  readCapitals,
  nameLetters,
];

/** Most texts have no number in them. */
function ifDigits(step: Step): Step {
  return (text, rules) => (/[\p{Nd}½¼¾]/u.test(text) ? step(text, rules) : text);
}

/** How this language is read; undefined where the phonemizer does it. */
export function rulesFor(language: string): ReadingRules | undefined {
  return RULES[language];
}

/** Writes numbers, dates, sums and signs the way they are read in this language. Languages without rules of their own are
 *  left to the phonemizer, which reads plain numbers in all of them. */
export function readAloud(text: string, language: string): string {
  const rules = RULES[language];
  return readInlinePronunciations(readEmoji(text, rules))
    .map((part) => ("ipa" in part ? writeInlinePronunciation(part.word, part.ipa) : readPart(part.text, rules)))
    .join("");
}

function readPart(text: string, rules: ReadingRules | undefined): string {
  if (rules === undefined) return text;
  const read = STEPS.reduce((current, step) => step(current, rules), text);
  return read.replace(/[^\S\n]+/gu, " ").replace(/ (?=[,.;!?](?:\s|$))/gu, "");
}
