// Writes training/translator/held-out.txt: the everyday sentences that training and memory leave out, as the crc32 of their words, and
// those of English for all languages at once. Usage: npm run bench -- translation/hold-out
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/platform/package-root.ts";
import { translatorLanguages } from "./engines.ts";
import { markOf, readEveryday } from "./everyday-set.ts";

const marks = new Set<string>();
for (const language of translatorLanguages.filter((code) => code !== "en")) {
  const { fromEnglish, intoEnglish, seen } = readEveryday(language);
  for (const { text } of fromEnglish) marks.add(markOf(text, "en"));
  for (const { text } of intoEnglish) marks.add(markOf(text, language));
  console.log(
    `${language}: ${fromEnglish.length} sentences, ${seen} of them known to the first two rounds of training`,
  );
}
const file = join(packageRoot(), "training", "translator", "held-out.txt");
writeFileSync(file, `${[...marks].sort().join("\n")}\n`);
console.log(`${marks.size} sides of pairs are held out`);
