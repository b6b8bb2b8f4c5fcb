import type { ReadingRules } from "./rules.ts";

/** "2024-03-05", "3/5/2024", "5.3.2024". Two-digit years only where they cannot be anything else. */
export function readDates(text: string, rules: ReadingRules): string {
  return text
    .replace(
      /(?<![\w-])(\d{4})-(\d{2})-(\d{2})(?:T(?=\d{2}:))?(?![\w-])/gu,
      (match, year: string, month: string, day: string) =>
        speakDate(match, Number(day), Number(month), Number(year), rules),
    )
    .replace(
      /(?<![\w/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?![\w/-])/gu,
      (match, first: string, _, second: string, year: string) => {
        const [a, b] = [Number(first), Number(second)];
        // A number over 12 can only be the day, whatever the custom is.
        const isMonthFirst = rules.isMonthFirst ? b > 12 || a <= 12 : b > 12;
        return isMonthFirst ? speakDate(match, b, a, Number(year), rules) : speakDate(match, a, b, Number(year), rules);
      },
    );
}

/** "14:30", "9:05 pm". */
export function readTimes(text: string, rules: ReadingRules): string {
  const suffix = rules.timeSuffix ? String.raw`(?:\s?(?:${rules.timeSuffix.source}))?` : "";
  const clock = new RegExp(String.raw`(?<![\w:.,])([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?![\d:])${suffix}`, "giu");
  return text.replace(clock, (_, hour: string, minute: string) => rules.time(Number(hour), Number(minute)));
}

function speakDate(match: string, day: number, month: number, year: number, rules: ReadingRules): string {
  if (month < 1 || month > 12 || day < 1 || day > 31) return match;
  return rules.date(day, month, year);
}
