import { Problem } from "../../platform/errors.ts";

/** The script that each language of engine_b is written in, as Unicode names it. */
const SCRIPTS: Readonly<Record<string, string>> = {
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
};

const letters = new Map<string, RegExp>(
  [...new Set(Object.values(SCRIPTS))].map((script) => [script, new RegExp(`\\p{Script=${script}}`, "u")]),
);

/** For a language that is spoken only from its own script: the text without words of other scripts.
 *  Throws when nothing of its own is left. Other languages pass as they are. */
export function keepOwnScript(text: string, language: string): string {
  const script = SCRIPTS[language];
  if (script === undefined) return text;
  const own = letters.get(script)!;
  if (!own.test(text)) {
    throw new Problem(
      "invalid_request",
      `"text" must be written in the ${script} script for "${language}". Text in other scripts is not transliterated.`,
    );
  }
  return text
    .replace(/\[[^[\]\n]{1,80}\]\(\/[^/()\n]{1,120}\/\)|[^\s]+/gu, (word) => {
      if (word.startsWith("[")) return word;
      const isForeign = /\p{L}/u.test(word) && !own.test(word);
      // Its punctuation still ends the clause.
      return isForeign ? (/[,;:.!?।؟،]+$/u.exec(word)?.[0] ?? "") : word.replace(/\p{Script=Latin}+/gu, "");
    })
    .replace(/ {2,}/gu, " ");
}
