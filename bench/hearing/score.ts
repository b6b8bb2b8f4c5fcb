const units =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = ["", "", ..."twenty thirty forty fifty sixty seventy eighty ninety".split(" ")];
const unidades =
  "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve".split(
    " ",
  );
const decenas = ["", "", "", ..."treinta cuarenta cincuenta sesenta setenta ochenta noventa".split(" ")];
const centenas = [
  "",
  ..."ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split(
    " ",
  ),
];

function english(n: number): string {
  const rest = (size: number) => (n % size ? ` ${english(n % size)}` : "");
  if (n < 20) return units[n]!;
  if (n < 100) return tens[Math.floor(n / 10)]! + (n % 10 ? ` ${units[n % 10]}` : "");
  if (n < 1000) return `${units[Math.floor(n / 100)]} hundred${rest(100)}`;
  if (n < 1e6) return `${english(Math.floor(n / 1000))} thousand${rest(1000)}`;
  return `${english(Math.floor(n / 1e6))} million${rest(1e6)}`;
}

function spanish(n: number): string {
  const rest = (size: number) => (n % size ? ` ${spanish(n % size)}` : "");
  if (n < 30) return unidades[n]!;
  if (n < 100) return decenas[Math.floor(n / 10)]! + (n % 10 ? ` y ${unidades[n % 10]}` : "");
  if (n === 100) return "cien";
  if (n < 1000) return centenas[Math.floor(n / 100)]! + rest(100);
  if (n < 1e6) return (n < 2000 ? "mil" : `${spanish(Math.floor(n / 1000))} mil`) + rest(1000);
  return `${spanish(Math.floor(n / 1e6))} millones${rest(1e6)}`;
}

const irregular: Record<string, string> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};
function ordinal(n: number): string {
  const words = english(n).split(" ");
  const last = words.pop()!;
  return [...words, irregular[last] ?? (last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`)].join(" ");
}

function englishDigits(digits: string): string {
  const n = Number(digits);
  if (digits.length > 4 || /^0./.test(digits)) return [...digits].map((digit) => units[Number(digit)]).join(" ");
  const isYear = digits.length === 4 && n >= 1100 && n < 2000 && n % 100;
  return isYear ? `${english(Math.floor(n / 100))} ${n % 100 < 10 ? "oh " : ""}${english(n % 100)}` : english(n);
}

const expansions: [RegExp, string][] = [
  [/\bwon't\b/g, "will not"],
  [/\bcan't\b|\bcannot\b/g, "can not"],
  [/n't\b/g, " not"],
  [/'re\b/g, " are"],
  [/'ve\b/g, " have"],
  [/'ll\b/g, " will"],
  [/'m\b/g, " am"],
  [/\b(it|that|there|here|he|she|what|where|who|let|how|all)'s\b/g, "$1 is"],
  [/'d\b/g, "d"],
  [/\bgonna\b/g, "going to"],
  [/\bwanna\b/g, "want to"],
  [/\balright\b/g, "all right"],
  [/\by'?know\b/g, "you know"],
  [/\bmr\b\.?/g, "mister"],
  [/\bmrs\b\.?/g, "missus"],
  [/\bdr\b\.?/g, "doctor"],
  [/\bokay\b/g, "ok"],
  [/\b(uh|um|uhm|hmm|mm|mhm|erm)\b/g, " "],
  [/\boh\b/g, "zero"],
  [/'/g, ""],
  [/[^a-z0-9 ]+/g, " "],
  [/\bcolour/g, "color"],
  [/\bgrey\b/g, "gray"],
];

/** Words as both sides would say them: numbers and contractions written out, no punctuation. */
export function normalizeWords(text: string, language: string): string[] {
  let plain = text
    .toLowerCase()
    .normalize("NFC")
    .replace(/<[^>]*>|\[[^\]]*\]/g, " ")
    .replace(/[’`´ʼ]/g, "'");
  if (language === "en") {
    plain = plain
      .replace(/(\d),(?=\d{3})/g, "$1")
      .replace(/(\d+)(st|nd|rd|th)\b/g, (_, digits) => ` ${ordinal(Number(digits))} `)
      .replace(/%/g, " percent")
      .replace(/\$\s*(\d+)/g, "$1 dollars")
      .replace(/\b\d+\b/g, englishDigits);
    for (const [pattern, words] of expansions) plain = plain.replace(pattern, words);
  } else if (language === "es") {
    plain = plain
      .replace(/(\d)[.](?=\d{3})/g, "$1")
      .replace(/\b\d+\b/g, (digits) => spanish(Number(digits)))
      .replace(/[^\p{L}\p{N} ]+/gu, " ");
  } else {
    plain = (language === "ar" ? plainArabic(plain) : plain).replace(/[^\p{L}\p{M}\p{N} ]+/gu, " ");
  }
  return plain.split(/\s+/).filter(Boolean);
}

/** Without marks of vowels, which are hardly ever written, and with one form of alef, ya and ta marbuta. */
function plainArabic(text: string): string {
  return text
    .replace(/[\u064b-\u065f\u0670\u0640]/g, "")
    .replace(/[آأإٱ]/g, "ا")
    .replace(/ى/g, "ي")
    .replace(/ة/g, "ه");
}

/** The platform's code for what the manifest calls a language. */
export function codeOfClip(language: string): string {
  const base = language.split("-")[0]!;
  return { en: "en-us", pt: "pt-br", no: "nb" }[base] ?? base;
}

/** Substitutions, insertions and deletions that turn one text into the other. */
export function countErrors(reference: string, heard: string, language: string): { errors: number; words: number } {
  const words = normalizeWords(reference, language);
  return { errors: distance(words, normalizeWords(heard, language)), words: words.length };
}

/** The same for letters, without the spaces between words: for languages that join or part words as the writer likes. */
export function countCharacterErrors(reference: string, heard: string, language: string) {
  const lettersOf = (text: string) => [...normalizeWords(text, language).join("")];
  const letters = lettersOf(reference);
  return { errors: distance(letters, lettersOf(heard)), characters: letters.length };
}

function distance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
