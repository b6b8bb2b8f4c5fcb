import { rulesFor } from "./reading/read-aloud.ts";

export const SAY_AS: readonly string[] = [
  "characters",
  "spell-out",
  "digits",
  "telephone",
  "cardinal",
  "number",
  "ordinal",
  "date",
  "time",
  "verbatim",
];

/** Writes what <say-as> holds so that it is read as asked. */
export function sayAs(
  words: string,
  { "interpret-as": kind, format }: Record<string, string>,
  language: string,
): string {
  const rules = rulesFor(language);
  const digits = words.replace(/[^\p{Nd}]/gu, "");
  if (kind === "characters" || kind === "spell-out" || kind === "verbatim") {
    return ` ${Array.from(words.replace(/\s+/gu, ""), (letter) => letter.toUpperCase()).join(" ")} `;
  }
  if (kind === "digits" || kind === "telephone") return ` ${[...digits].join(" ")} `;
  const value = Number(digits);
  if (digits === "" || digits.length > 12 || !Number.isSafeInteger(value)) return words;
  if (kind === "ordinal") return rules ? ` ${rules.ordinal(value, "m")} ` : words;
  if (kind === "cardinal" || kind === "number") {
    return rules && /^\p{Nd}+$/u.test(words) ? ` ${rules.cardinal(value)} ` : words;
  }
  return kind === "date" ? asIsoDate(words, format ?? "") : words;
}

/** The order of its parts is what a date cannot tell by itself. */
function asIsoDate(words: string, format: string): string {
  const parts = words.split(/[^\d]+/u).filter(Boolean);
  const order = /^[dmy]{3}$/u.test(format) ? format : undefined;
  if (!order || parts.length !== 3) return words;
  const part = (name: string) => parts[order.indexOf(name)]!;
  return `${part("y").padStart(4, "0")}-${part("m").padStart(2, "0")}-${part("d").padStart(2, "0")}`;
}
