import { numberPattern, parseNumber, speakNumber } from "./numbers.ts";
import { type Currency, perLanguage, type ReadingRules } from "./rules.ts";

const patternsOf = perLanguage((rules) => {
  const symbols = Object.keys(rules.currencies).map(escapeForPattern).join("|");
  const magnitudes = Object.keys(rules.magnitudes).map(escapeForPattern).join("|");
  const number = numberPattern(rules);
  const many = String.raw`(?:\s?(${magnitudes})(?![\p{L}\d]))?`;
  const units = Object.keys(rules.units).map(escapeForPattern).join("|");
  const per = String.raw`(?:\s?\/\s?(${units})(?![\p{L}\d²³]))?`;
  return {
    before: new RegExp(String.raw`(?<![\p{L}\d])([-−]?)(${symbols})\s?(${number})${many}${per}`, "gu"),
    after: new RegExp(String.raw`(?<![\p{L}\d.,])([-−]?)(${number})${many}\s?(${symbols})(?![\p{L}\d])${per}`, "gu"),
  };
});

/** "$12.50", "12,50 €", "USD 20", "£3 million". */
export function readMoney(text: string, rules: ReadingRules): string {
  const { before, after } = patternsOf(rules);
  const speak = (sign: string, amount: string, magnitude: string | undefined, symbol: string, unit?: string) =>
    [
      sign === "" ? "" : `${rules.minus} `,
      speakPrice(amount, rules.currencies[symbol]!, magnitude, rules),
      unit === undefined ? "" : ` ${rules.per} ${rules.units[unit]!.one}`,
    ].join("");
  return text
    .replace(before, (_, sign: string, symbol: string, amount: string, magnitude?: string, unit?: string) =>
      speak(sign, amount, magnitude, symbol, unit),
    )
    .replace(after, (_, sign: string, amount: string, magnitude: string | undefined, symbol: string, unit?: string) =>
      speak(sign, amount, magnitude, symbol, unit),
    );
}

function speakPrice(amount: string, currency: Currency, magnitude: string | undefined, rules: ReadingRules): string {
  const { unit, part } = currency;
  if (magnitude !== undefined) {
    const name = rules.magnitudes[magnitude]!;
    return `${speakNumber(amount, rules, "m")} ${name} ${rules.ofMillions(unit.many)}`;
  }
  const { whole, decimals } = parseNumber(amount, rules);
  const gender = unit.gender ?? "m";
  if (whole !== undefined && whole >= 1e6 && whole % 1e6 === 0 && decimals === "") {
    return `${rules.count(whole, gender)} ${rules.ofMillions(unit.many)}`;
  }
  const spokenUnits = `${speakNumber(amount.replace(/[.,]\d{2}$/u, ""), rules, gender)} ${whole === 1 ? unit.one : unit.many}`;
  if (decimals === "" || /^0+$/u.test(decimals)) return spokenUnits;
  if (part === undefined || decimals.length !== 2) return `${speakNumber(amount, rules)} ${unit.many}`;
  const cents = Number(decimals);
  const spokenCents = `${rules.count(cents, part.gender ?? "m")} ${cents === 1 ? part.one : part.many}`;
  return whole === 0 ? spokenCents : [spokenUnits, rules.and, spokenCents].filter(Boolean).join(" ");
}

function escapeForPattern(text: string): string {
  return text.replace(/[$.*+?^{}()|[\]\\]/gu, "\\$&");
}
