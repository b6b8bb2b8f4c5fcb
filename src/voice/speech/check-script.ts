import { Problem } from "../../platform/errors.ts";
import { table } from "../../platform/table.ts";

/** The script that each language of engine_b is written in, as Unicode names it. */
const SCRIPTS: Readonly<Record<string, string>> = table({
  ar: "Arabic",
  as: "Bengali",
  bn: "Bengali",
  gu: "Gujarati",
  hi: "Devanagari",
  kn: "Kannada",
  kok: "Devanagari",
  ml: "Malayalam",
  mr: "Devanagari",
  ne: "Devanagari",
  or: "Oriya",
  pa: "Gurmukhi",
  sd: "Arabic",
  ta: "Tamil",
  te: "Telugu",
  ur: "Arabic",
});

const letters = new Map<string, RegExp>(
  [...new Set(Object.values(SCRIPTS))].map((script) => [script, new RegExp(`\\p{Script=${script}}`, "u")]),
);

/** Languages of engine_b are spoken only from their own script: throws when the text has letters, and none of it. Numbers are
 *  read in every language. */
export function checkScript(text: string, language: string): void {
  const script = SCRIPTS[language];
  if (script === undefined || letters.get(script)!.test(text)) return;
  if (!/\p{L}/u.test(text)) return;
  throw new Problem(
    "invalid_request",
    `"text" must be written in the ${script} script for "${language}". Text in other scripts is not transliterated.`,
  );
}

/** The text without words of other scripts, which such a voice could only stumble over. */
export function dropForeignWords(text: string, language: string): string {
  const script = SCRIPTS[language];
  if (script === undefined) return text;
  const own = letters.get(script)!;
  return text
    .replace(/\[[^[\]\n]{1,80}\]\(\/[^/()\n]{1,120}\/\)|[^\s]+/gu, (word) => {
      if (word.startsWith("[")) return word;
      const isForeign = /\p{L}/u.test(word) && !own.test(word);
      // Its punctuation still ends the clause.
      return isForeign ? (/[,;:.!?।؟،]+$/u.exec(word)?.[0] ?? "") : word.replace(/\p{Script=Latin}+/gu, "");
    })
    .replace(/ {2,}/gu, " ");
}
