import type { Identified } from "./model.ts";
import { DOUBTED_LANGUAGE, OTHER_LANGUAGE, RELATED_LANGUAGE } from "./tuning.ts";

/** Languages that are close enough to be taken for one another, so that one is no proof against the other. */
const relatives: readonly (readonly string[])[] = [
  ["no", "nn", "da", "sv"],
  // With an accent, any of these is taken for any other.
  ["ru", "uk", "be", "bg", "mk", "sr", "hr", "bs", "sl", "cs", "sk", "pl"],
  ["pt", "gl", "es", "ca", "oc"],
  ["nl", "af", "de", "lb", "yi"],
  ["hi", "ur", "pa", "ne", "mr"],
  ["id", "ms", "jw", "su"],
  ["tr", "az"],
  ["fr", "oc", "ht", "br"],
  ["it", "la"],
];

/** Relatives that were never taken for one another with much certainty, on 24 German, 12 Dutch, 24 Spanish and 9 Portuguese recordings. */
const toldApart = new Set(["de", "nl", "es", "pt"]);

/** The language that a stretch sounds most like, when it is one of those that are offered. */
export function offeredOf(
  identified: Identified,
  offered: readonly string[],
): { language: string; likelihood: number } | undefined {
  const { likeliest, likelihood } = likeliestOf(identified);
  return offered.includes(likeliest) ? { language: likeliest, likelihood } : undefined;
}

/** Certainly none of those that are offered. */
export function isUnoffered(identified: Identified, offered: readonly string[]): boolean {
  const { likeliest, likelihood } = likeliestOf(identified);
  return !offered.includes(likeliest) && likelihood >= OTHER_LANGUAGE.other;
}

/** Certainly not the language that was asked for, which its own recogniser may doubt already. */
export function isOtherLanguage(identified: Identified, pinned: string, isDoubted: boolean): boolean {
  const { likeliest, likelihood } = likeliestOf(identified);
  const areRelated = relatives.some((group) => group.includes(likeliest) && group.includes(pinned));
  const own = identified.probabilities.get(pinned) ?? 0;
  if (areRelated && !(toldApart.has(likeliest) && toldApart.has(pinned))) return false;
  const bounds = areRelated ? RELATED_LANGUAGE : isDoubted ? DOUBTED_LANGUAGE : OTHER_LANGUAGE;
  return likelihood >= bounds.other && own < bounds.pinned;
}

function likeliestOf({ probabilities }: Identified): { likeliest: string; likelihood: number } {
  let [likeliest, likelihood] = ["", 0];
  for (const [language, value] of probabilities) if (value > likelihood) [likeliest, likelihood] = [language, value];
  return { likeliest, likelihood };
}
