import { perLanguage, type ReadingRules } from "./rules.ts";

/** What signs of comparison and arithmetic are called between two things. Comparisons begin with their verb, which is left out
 *  where nothing is compared: "< 5" is "less than five". */
export type ArithmeticWords = Readonly<Record<"<" | ">" | "≤" | "≥" | "≠" | "≈" | "×" | "÷" | "±", string>>;

/** In this order, for one language. */
export function arithmeticWords(words: string): ArithmeticWords {
  const signs = ["<", ">", "≤", "≥", "≠", "≈", "×", "÷", "±"];
  const names = words.split("|");
  return Object.fromEntries(signs.map((sign, index) => [sign, names[index]!])) as ArithmeticWords;
}

const operand = String.raw`[\p{L}\d)%°]`;
const next = String.raw`[\p{L}\d(√−-]`;

const patternsOf = perLanguage(() => ({
  compared: new RegExp(String.raw`(?<=${operand}) ?([≤≥≠≈]) ?(?=${next})`, "gu"),
  // Angle brackets are also used for other things: only with blanks around them, or between numbers.
  angled: new RegExp(String.raw`(?<=${operand}) ([<>]) (?=${next})|(?<=\d)([<>])(?=\d)`, "gu"),
  alone: /(?<![\p{L}\d<>=-])([<>≤≥≈]) ?(?=[\d$€£])/gu,
}));

/** "3 < 5", "2 + 2 = 4", "6 × 7", "10 ÷ 2", "±5", "5 - 3 = 2". */
export function readArithmetic(text: string, rules: ReadingRules): string {
  const words = rules.arithmetic;
  if (words === undefined || !/[<>≤≥≠≈×÷±=+*−]/u.test(text)) return text;
  const { compared, angled, alone } = patternsOf(rules);
  const name = (sign: string) => words[sign as keyof ArithmeticWords];
  const withoutVerb = (sign: string) => name(sign).replace(/^\S+ /u, "");
  return (
    text
      // Whether a dash is a minus or a range, the equals sign behind it tells.
      .replace(/(?<=\d) ?[-–] ?(?=\d[\d.,]*\s?=)|(?<=\d) ?− ?(?=\d)/gu, ` ${rules.minus} `)
      .replace(/(?<=\d) ?\/ ?(?=\d[\d.,]*\s?=)|(?<=\d) ?÷ ?(?=\d)/gu, ` ${name("÷")} `)
      .replace(/(?<=\d) ?[×*] ?(?=\d)|(?<=\d) x (?=\d)/gu, ` ${name("×")} `)
      .replace(/(\p{L}|\d)? ?± ?(?=\d)/gu, (_, before?: string) => `${before ? `${before} ` : ""}${name("±")} `)
      .replace(/(?<=[\d)]) ?\+ ?(?=[\d(])/gu, ` ${rules.plus} `)
      .replace(/(?<=[\p{L}\d)%]) ?= ?(?=[\d(−-])/gu, ` ${rules.signs.equals} `)
      .replace(compared, (_, sign: string) => ` ${name(sign)} `)
      .replace(angled, (_, spaced?: string, close?: string) => ` ${name(spaced ?? close!)} `)
      .replace(alone, (_, sign: string) => `${withoutVerb(sign)} `)
  );
}
