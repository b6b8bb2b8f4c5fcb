import { inMillions, type LargeNumbers } from "../large-numbers.ts";
import { emojiNames, type Gender, noun, type ReadingRules } from "../rules.ts";

const ONES =
  "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf".split(
    " ",
  );
const TENS = "  vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt".split(" ");
const LARGE: LargeNumbers = [
  [1e9, "un milliard", "milliards"],
  [1e6, "un million", "millions"],
];
const MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(" ");

function underHundred(value: number): string {
  if (value < 20) return ONES[value]!;
  const ten = Math.floor(value / 10);
  // Seventy and ninety count on from sixty and eighty.
  const rest = ten === 7 || ten === 9 ? value - (ten - 1) * 10 : value % 10;
  if (rest === 0) return ten === 8 ? "quatre-vingts" : TENS[ten]!;
  const joint = (rest === 1 || rest === 11) && ten < 8 ? " et " : "-";
  return `${TENS[ten]}${joint}${ONES[rest]}`;
}

function underThousand(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  if (hundreds === 0) return underHundred(rest);
  const head = hundreds === 1 ? "cent" : `${ONES[hundreds]} cent${rest === 0 ? "s" : ""}`;
  return rest ? `${head} ${underHundred(rest)}` : head;
}

function cardinal(value: number): string {
  if (value < 1000) return underThousand(value);
  if (value >= 1e6) return inMillions(value, LARGE, cardinal);
  const thousands = Math.floor(value / 1000);
  const head = thousands === 1 ? "mille" : `${underThousand(thousands).replace(/(cent|vingt)s$/u, "$1")} mille`;
  return value % 1000 ? `${head} ${underThousand(value % 1000)}` : head;
}

function count(value: number, gender: Gender): string {
  return gender === "f" ? cardinal(value).replace(/\bun$/u, "une") : cardinal(value);
}

function ordinal(value: number, gender: Gender): string {
  if (value === 1) return gender === "f" ? "première" : "premier";
  const words = cardinal(value);
  if (words.endsWith("cinq")) return `${words}uième`;
  if (words.endsWith("neuf")) return `${words.slice(0, -1)}vième`;
  return `${words.replace(/(?:e|s)$/u, "")}ième`.replace("troiième", "troisième").replace("siième", "sixième");
}

const cent = noun("centime", "centimes");

export const frenchRules: ReadingRules = {
  first: (text) =>
    text.replace(/(?<![\w:])([01]?\d|2[0-3])\s?h\s?([0-5]\d)?(?![\p{L}\d])/gu, (_, hour: string, minute?: string) =>
      clock(Number(hour), Number(minute ?? 0)),
    ),
  decimalSign: ",",
  cardinal,
  count,
  ordinal,
  ordinalForms: [
    { pattern: /\b(\d+)(?:er|e|ème|nd)(?![\p{L}\d])/gu, gender: "m" },
    { pattern: /\b(\d+)(?:re|ère|nde)(?![\p{L}\d])/gu, gender: "f" },
  ],
  year: cardinal,
  date: (day, month, whichYear) =>
    `${day === 1 ? "premier" : cardinal(day)} ${MONTHS[month - 1]}${whichYear === undefined ? "" : ` ${cardinal(whichYear)}`}`,
  isMonthFirst: false,
  time: clock,
  timeSuffix: /h(?:eures)?\b/u,
  minus: "moins",
  point: "virgule",
  readsDecimalsAsNumber: true,
  percent: "pour cent",
  to: "à",
  plus: "plus",
  and: "et",
  currencies: {
    "€": { unit: noun("euro", "euros"), part: cent },
    EUR: { unit: noun("euro", "euros"), part: cent },
    $: { unit: noun("dollar", "dollars"), part: noun("cent", "cents") },
    USD: { unit: noun("dollar", "dollars"), part: noun("cent", "cents") },
    "£": { unit: noun("livre", "livres", "f"), part: noun("penny", "pence") },
    "¥": { unit: noun("yen", "yens") },
    "₹": { unit: noun("roupie", "roupies", "f") },
    CHF: { unit: noun("franc suisse", "francs suisses"), part: cent },
  },
  magnitudes: {
    mille: "mille",
    million: "million",
    millions: "millions",
    milliard: "milliard",
    milliards: "milliards",
    M: "millions",
  },
  ofMillions: (unit) => (/^[aeiou]/u.test(unit) ? `d'${unit}` : `de ${unit}`),
  per: "par",
  units: {
    km: noun("kilomètre", "kilomètres"),
    m: noun("mètre", "mètres"),
    cm: noun("centimètre", "centimètres"),
    mm: noun("millimètre", "millimètres"),
    "m²": noun("mètre carré", "mètres carrés"),
    "km²": noun("kilomètre carré", "kilomètres carrés"),
    kg: noun("kilogramme", "kilogrammes"),
    g: noun("gramme", "grammes"),
    mg: noun("milligramme", "milligrammes"),
    l: noun("litre", "litres"),
    L: noun("litre", "litres"),
    ml: noun("millilitre", "millilitres"),
    "km/h": noun("kilomètre à l'heure", "kilomètres à l'heure"),
    "m/s": noun("mètre par seconde", "mètres par seconde"),
    "°C": noun("degré Celsius", "degrés Celsius"),
    "°": noun("degré", "degrés"),
    Mo: noun("mégaoctet", "mégaoctets"),
    Go: noun("gigaoctet", "gigaoctets"),
    kW: noun("kilowatt", "kilowatts"),
    Hz: noun("hertz"),
    s: noun("seconde", "secondes", "f"),
    min: noun("minute", "minutes", "f"),
    h: noun("heure", "heures", "f"),
  },
  signs: {
    at: "arobase",
    dot: "point",
    slash: "barre oblique",
    dash: "tiret",
    underscore: "tiret bas",
    ampersand: "et",
    hash: "dièse",
    equals: "égale",
  },
  abbreviations: [
    [/\bM\.(?=\s\p{Lu})/gu, "monsieur"],
    [/\bMM\.(?=\s\p{Lu})/gu, "messieurs"],
    [/\bMme\b\.?/gu, "madame"],
    [/\bMmes\b\.?/gu, "mesdames"],
    [/\bMlle\b\.?/gu, "mademoiselle"],
    [/\bDr\b\.?(?=\s\p{Lu})/gu, "docteur"],
    [/\bPr\b\.?(?=\s\p{Lu})/gu, "professeur"],
    [/\bSt(?=-\p{Lu})/gu, "Saint"],
    [/\bSte(?=-\p{Lu})/gu, "Sainte"],
    [/\betc\./gu, "et cetera"],
    [/\bp\.\s?ex\./giu, "par exemple"],
    [/\bn[°º]\s?/giu, "numéro "],
    [/\bav\.(?=\s\p{Lu})/gu, "avenue"],
    [/\bbd\.?(?=\s\p{Lu})/gu, "boulevard"],
  ],
  shortWords: new Set("non oui les des une est pas que qui tu je il on et ou de la le un en au du si ne ça".split(" ")),
  emoji: emojiNames(
    "cœur|pouce en l'air|pouce en bas|rire|sourire|yeux en cœur|pleurs|colère|fête|feu|bravo|merci|coché|croix|étoile|soleil",
  ),
};

function clock(hour: number, minute: number): string {
  const head = `${count(hour, "f")} heure${hour > 1 ? "s" : ""}`;
  return minute === 0 ? head : `${head} ${count(minute, "f")}`;
}
