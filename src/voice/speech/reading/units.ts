import { numberPattern, parseNumber, speakNumber } from "./numbers.ts";
import { perLanguage, type ReadingRules } from "./rules.ts";

const patternsOf = perLanguage((rules) => {
  const names = Object.keys(rules.units)
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[/.*+?^$]/gu, "\\$&"))
    .join("|");
  const amount = String.raw`(?<![\p{L}\d.,])([-−]?)(${numberPattern(rules)})[\s\u00a0\u202f]?`;
  return {
    measured: new RegExp(String.raw`${amount}(${names})(?![\p{L}\d²³])`, "gu"),
    percent: new RegExp(`${amount}%`, "gu"),
  };
});

/** "5 km", "90 km/h", "21 °C", "45%". */
export function readUnits(text: string, rules: ReadingRules): string {
  const { measured, percent } = patternsOf(rules);
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
