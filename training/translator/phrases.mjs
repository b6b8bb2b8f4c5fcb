// Writes models/translator/phrases.tsv.gz: short everyday sentences whose translation is agreed, from the pairs of people.
// Usage: node --import tsx training/translator/phrases.mjs FOLDER   (FOLDER has XX.tsv.xz and dev/XX.tsv, as for the training)
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { markOf } from "../../bench/translation/everyday-set.ts";

const folder = process.argv[2];
/** Longer sentences are seldom met again word for word; shorter ones are what the net gets wrong. */
const mostWords = 4;
const mostLetters = 32;
/** Everyday sentences by which translation is measured (bench/translation/hold-out.ts). */
const heldOut = new Set(readFileSync(new URL("held-out.txt", import.meta.url), "utf8").split("\n"));
const lines = [];
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith(".tsv.xz"))
  .sort()) {
  const language = file.slice(0, 2);
  const kept = keptOut(language);
  const candidates = new Map();
  const text = execFileSync("xzcat", [join(folder, file)], { maxBuffer: 1 << 30, encoding: "utf8" });
  for (const line of text.split("\n")) {
    const [english, foreign, source] = line.split("\t");
    if (!source?.startsWith("tatoeba") || kept.has(english) || kept.has(foreign) || !isShort(english)) continue;
    if (isHeldOut(english, "en") || isHeldOut(foreign, language)) continue;
    if (foreign.length > 2 * mostLetters || /\d|"/.test(foreign)) continue;
    const key = keyOf(english);
    const found = candidates.get(key) ?? new Map();
    // Pairs that meet through a third language are looser: they vote, and are never chosen by themselves.
    const weight = source === "tatoeba" ? 2 : 1;
    const known = found.get(foreign) ?? { english, votes: 0, isDirect: false };
    found.set(foreign, { english, votes: known.votes + weight, isDirect: known.isDirect || weight === 2 });
    candidates.set(key, found);
  }
  let count = 0;
  for (const found of candidates.values()) {
    const best = agreed([...found]);
    if (!best) continue;
    lines.push([language, found.get(best).english, best].join("\t"));
    count += 1;
  }
  console.log(language, count);
}
const packed = gzipSync(`${lines.join("\n")}\n`, { level: 9 });
writeFileSync("models/translator/phrases.tsv.gz", packed);
console.log(`${lines.length} phrases, ${packed.length} bytes`);

function keptOut(language) {
  const path = join(folder, "dev", `${language}.tsv`);
  return new Set(
    existsSync(path)
      ? readFileSync(path, "utf8")
          .split("\n")
          .flatMap((line) => line.split("\t").slice(0, 2))
      : [],
  );
}

function isHeldOut(sentence, language) {
  return heldOut.has(markOf(sentence, language));
}

function isShort(english) {
  return (
    english.length <= mostLetters &&
    english.split(" ").length <= mostWords &&
    !/\d|"|\b(Tom|Mary|Marys?|John|Ken|Jim|Bob|Jack|Alice)\b/.test(english)
  );
}

function keyOf(sentence) {
  return sentence
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[.!]+$/, "");
}

/** The candidate that is most like the others, by the pairs of letters they share; what only a few say in a way of their own loses. */
function agreed(found) {
  const direct = found.filter(([, { isDirect }]) => isDirect);
  if (direct.length === 0) return undefined;
  const score = ([foreign, { votes }]) =>
    votes +
    found.reduce((sum, [other, one]) => sum + (other === foreign ? 0 : one.votes * likeness(foreign, other)), 0);
  return direct.map((one) => [one[0], score(one)]).sort((a, b) => b[1] - a[1] || a[0].length - b[0].length)[0][0];
}

function likeness(one, other) {
  const pairs = (text) =>
    new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.toLowerCase().slice(i, i + 2)));
  const [a, b] = [pairs(one), pairs(other)];
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / Math.max(1, a.size + b.size);
}
