import { numberPattern, parseNumber, speakNumber } from "./numbers.ts";
import type { ReadingRules } from "./rules.ts";

/** "5 km", "90 km/h", "21 °C", "45%". */
export function readUnits(text: string, rules: ReadingRules): string {
  const names = Object.keys(rules.units)
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[/.*+?^$]/gu, "\\$&"))
    .join("|");
  const number = numberPattern(rules);
  const measured = new RegExp(
    String.raw`(?<![\p{L}\d.,])([-−]?)(${number})[\s\u00a0\u202f]?(${names})(?![\p{L}\d²³])`,
    "gu",
  );
  const percent = new RegExp(String.raw`(?<![\p{L}\d.,])([-−]?)(${number})[\s\u00a0\u202f]?%`, "gu");
  const minus = (sign: string) => (sign === "" ? "" : `${rules.minus} `);
  return text
    .replace(
      percent,
      (_, sign: string, amount: string) => `${minus(sign)}${speakNumber(amount, rules)} ${rules.percent}`,
    )
    .replace(measured, (_, sign: string, amount: string, name: string) => {
      const unit = rules.units[name]!;
      const { whole, decimals } = parseNumber(amount, rules);
      const isOne = whole === 1 && decimals === "";
      return `${minus(sign)}${speakNumber(amount, rules, unit.gender ?? "m")} ${isOne ? unit.one : unit.many}`;
    });
}
