import { table } from "../../../platform/table.ts";
import type { DetectedLanguage } from "../../../ports/language-detector.ts";

/** The languages that the platform deals with; others would only be mistakes made on short texts. */
const KNOWN = new Set(
  (
    "af an ar as ast be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu id is it ja kn ko kok lt " +
    "lv mk ml mr ms mt nb ne nl nn oc or pa pl pt ro ru sc sd sk sl sr sv ta te th tr uk ur vi zh"
  ).split(" "),
);
const OTHER_NAMES: Readonly<Record<string, string>> = table({ no: "nb", sh: "sr", tl: "fil" });

/** Two opinions become one: the first is better on sentences, the second on single words. */
export function judge(
  text: string,
  first: { language: string; isReliable: boolean },
  second: { language: string; probability: number },
): DetectedLanguage | undefined {
  if (!/\p{L}{2}/u.test(text)) return undefined;
  const [one, two] = [known(first.language), known(second.language)];
  if (one && first.isReliable) return { language: one, isSure: countWords(text) >= 3 || one === two };
  if (two && second.probability >= 0.2) return { language: two, isSure: one === two || second.probability >= 0.85 };
  const either = one ?? two;
  return either ? { language: either, isSure: false } : undefined;
}

function known(code: string): string | undefined {
  const name = OTHER_NAMES[code] ?? code;
  return KNOWN.has(name) ? name : undefined;
}

function countWords(text: string): number {
  return text.match(/\p{L}+/gu)?.length ?? 0;
}
