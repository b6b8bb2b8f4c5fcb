import { table } from "../../../platform/table.ts";
import { readInlinePronunciations, writeInlinePronunciation } from "../../../ports/inline-pronunciation.ts";
import { readAddresses } from "./addresses.ts";
import { readDates, readTimes } from "./dates.ts";
import { readEmoji } from "./emoji.ts";
import { germanRules } from "./languages/de.ts";
import { americanRules, britishRules } from "./languages/en.ts";
import { spanishRules } from "./languages/es.ts";
import { frenchRules } from "./languages/fr.ts";
import { hindiRules } from "./languages/hi.ts";
import { italianRules } from "./languages/it.ts";
import { portugueseRules } from "./languages/pt.ts";
import { readMoney } from "./money.ts";
import { readNumbers, readPhoneNumbers } from "./numbers.ts";
import type { ReadingRules } from "./rules.ts";
import { readUnits } from "./units.ts";
import { nameLetters, readAbbreviations, readCapitals, readSigns } from "./words.ts";

const RULES: Readonly<Record<string, ReadingRules>> = table({
  "en-us": americanRules,
  "en-gb": britishRules,
  es: spanishRules,
  fr: frenchRules,
  de: germanRules,
  it: italianRules,
  "pt-br": portugueseRules,
  "pt-pt": portugueseRules,
  hi: hindiRules,
});

type Step = (text: string, rules: ReadingRules) => string;

/** Each claims what it knows, so that the later ones see only what is left: a price is not a number any more. */
const STEPS: readonly Step[] = [
  ifDigits((text, rules) => rules.first?.(text) ?? text),
  readAddresses,
  ifDigits(readPhoneNumbers),
  ifDigits(readDates),
  ifDigits(readTimes),
  ifDigits(readMoney),
  ifDigits(readUnits),
  readAbbreviations,
  ifDigits(readNumbers),
  readSigns,
  readCapitals,
  nameLetters,
];

/** Most texts have no number in them. */
function ifDigits(step: Step): Step {
  return (text, rules) => (/[\p{Nd}½¼¾]/u.test(text) ? step(text, rules) : text);
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
