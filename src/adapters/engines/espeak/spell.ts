import { table } from "../../../platform/table.ts";

/** Letters with a dot below, whose composed forms Unicode's normal form takes apart: espeak-ng's rules read some languages only in
 *  one of the two ways, and otherwise name the sign or spell out the whole word. */
const spellings: Record<string, readonly (readonly [string, string])[]> = table({
  // Apart, the vowel sign after the letter is lost.
  bn: [
    ["\u09a1\u09bc", "\u09dc"],
    ["\u09a2\u09bc", "\u09dd"],
  ],
  // No rules for two of the letters; in Assamese both sound like its r.
  as: [
    ["\u09a1\u09bc", "\u09f0"],
    ["\u09a2\u09bc", "\u09f0"],
    ["\u09af\u09bc", "\u09df"],
  ],
});

/** A text in Unicode's normal form, spelled as espeak-ng's rules for the language expect it. */
export function spellForEspeak(text: string, language: string): string {
  return (spellings[language] ?? []).reduce((spelled, [apart, composed]) => spelled.replaceAll(apart, composed), text);
}
