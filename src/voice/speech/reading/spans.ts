import { numberPattern, parseNumber, speakNumber } from "./numbers.ts";
import { perLanguage, type ReadingRules } from "./rules.ts";

/** "2h 15m", "1 h 30 min", "45m 10s": how long something takes. */
export function readDurations(text: string, rules: ReadingRules): string {
  const { h, min, s } = rules.units;
  if (!h || !min || !s) return text;
  const say = (amount: string, unit: NonNullable<typeof h>) =>
    `${rules.count(Number(amount), unit.gender ?? "m")} ${Number(amount) === 1 ? unit.one : unit.many}`;
  return text
    .replace(
      /(?<![\p{L}\d.,:])(\d{1,3}) ?h(?:rs?)? ?(\d{1,2}) ?(?:m|mins?)(?: ?(\d{1,2}) ?s(?:ec)?)?(?![\p{L}\d])/gu,
      (_, hours: string, minutes: string, seconds?: string) =>
        [say(hours, h), say(minutes, min), ...(seconds ? [say(seconds, s)] : [])].join(" "),
    )
    .replace(
      /(?<![\p{L}\d.,:])(\d{1,3}) ?(?:m|mins?) (\d{1,2}) ?s(?:ec)?(?![\p{L}\d])/gu,
      (_, minutes: string, seconds: string) => `${say(minutes, min)} ${say(seconds, s)}`,
    );
}

/** "9:00-17:00", "9-17 Uhr", "9h-17h": from one time to another. */
export function readTimeRanges(text: string, rules: ReadingRules): string {
  return text
    .replace(/(?<=(?<![\d:])\d{1,2}:\d{2}) ?[-–] ?(?=\d{1,2}:\d{2}(?![\d:]))/gu, ` ${rules.to} `)
    .replace(
      /(?<=(?<![\d:])\d{1,2}(?:[h:]\d{2}|h)?) ?[-–] ?(?=\d{1,2}(?:h(?:\d{2})?(?!\p{L})|(?::\d{2})? (?:Uhr|uur|heures)\b))/gu,
      ` ${rules.to} `,
    );
}

const magnitudesOf = perLanguage((rules) => {
  // Words are read as they are; small letters are units ("5 m").
  const short = Object.keys(rules.magnitudes).filter(
    (key) => !/^\p{Ll}$/u.test(key) && key !== rules.magnitudes[key] && !/[íãõ]|il(?:l|li)/u.test(key),
  );
  const words = short
    .sort((a, b) => b.length - a.length)
    .map((key) => key.replace(/\./gu, "\\."))
    .join("|");
  return new RegExp(String.raw`(?<![\p{L}\d.,$€£])(${numberPattern(rules)}) ?(${words})(?![\p{L}\d])`, "gu");
});

/** "2.5M users", "3 Mio. Menschen": a number with the short name of a larger one. */
export function readMagnitudes(text: string, rules: ReadingRules): string {
  if (Object.keys(rules.magnitudes).length === 0) return text;
  return text.replace(magnitudesOf(rules), (match, amount: string, key: string, at: number, whole: string) => {
    const { whole: units, decimals } = parseNumber(amount, rules);
    // "apartment 5B" is no billion: only what is counted, or has decimals, is.
    const isCounted = decimals !== "" || /^ (?:people|\p{Ll}+s)(?!\p{L})/u.test(whole.slice(at + match.length));
    if (/^[BT]$/u.test(key) && !isCounted) return match;
    if (units === 1 && decimals === "" && /^mi|^Mi/u.test(rules.magnitudes[key]!)) return rules.cardinal(1e6);
    return `${speakNumber(amount, rules, "m")} ${rules.magnitudes[key]}`;
  });
}
