import { inMillions, type LargeNumbers } from "../large-numbers.ts";
import { emojiNames, type Gender, noun, type ReadingRules } from "../rules.ts";

const ONES =
  "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien".split(
    " ",
  );
const TENS = "  twintig dertig veertig vijftig zestig zeventig tachtig negentig".split(" ");
const LARGE: LargeNumbers = [
  [1e9, "een miljard", "miljard"],
  [1e6, "een miljoen", "miljoen"],
];
const MONTHS = "januari februari maart april mei juni juli augustus september oktober november december".split(" ");
const IRREGULAR: Readonly<Record<string, string>> = { een: "eerste", drie: "derde", acht: "achtste" };

function underHundred(value: number): string {
  if (value < 20) return ONES[value]!;
  const ten = TENS[Math.floor(value / 10)]!;
  const one = ONES[value % 10]!;
  // Two and three end in a vowel, which needs the dots: tweeëntwintig.
  return value % 10 === 0 ? ten : `${one}${/e$/u.test(one) ? "ën" : "en"}${ten}`;
}

function underThousand(value: number): string {
  if (value < 100) return underHundred(value);
  const hundreds = Math.floor(value / 100);
  return `${hundreds === 1 ? "" : ONES[hundreds]}honderd${value % 100 ? underHundred(value % 100) : ""}`;
}

function cardinal(value: number): string {
  if (value < 1000) return underThousand(value);
  if (value >= 1e6) return inMillions(value, LARGE, cardinal);
  const thousands = Math.floor(value / 1000);
  const head = `${thousands === 1 ? "" : underThousand(thousands)}duizend`;
  return value % 1000 ? `${head} ${underThousand(value % 1000)}` : head;
}

function ordinal(value: number): string {
  const words = cardinal(value);
  const rest = value % 100;
  if (rest === 0 || rest >= 20) return `${words}ste`;
  const last = ONES[rest]!;
  return words.slice(0, words.length - last.length) + (IRREGULAR[last] ?? `${last}de`);
}

function year(value: number): string {
  if (value < 1100 || value >= 2000) return cardinal(value);
  return `${underHundred(Math.floor(value / 100))}honderd${value % 100 ? underHundred(value % 100) : ""}`;
}

function clock(hour: number, minute: number): string {
  const head = `${cardinal(hour)} uur`;
  return minute === 0 ? head : `${head} ${cardinal(minute)}`;
}

const count = (value: number, _gender: Gender) => cardinal(value);
const cent = noun("cent");

export const dutchRules: ReadingRules = {
  first: (text) =>
    text
      .replace(
        /(?<![\w:.,])([01]?\d|2[0-4])(?::([0-5]\d))? ?(?:uur|u)(?![\p{L}\d])/gu,
        (_, hour: string, minute?: string) => clock(Number(hour), Number(minute ?? 0)),
      )
      .replace(/['’](?=\d0\b)/gu, ""),
  decimalSign: ",",
  cardinal,
  count,
  ordinal,
  ordinalForms: [{ pattern: /\b(\d+)(?:e|de|ste)(?![\p{L}\d])/gu, gender: "m" }],
  year,
  date: (day, month, whichYear) =>
    `${cardinal(day)} ${MONTHS[month - 1]}${whichYear === undefined ? "" : ` ${year(whichYear)}`}`,
  isMonthFirst: false,
  time: clock,
  timeSuffix: /uur\b/u,
  minus: "min",
  point: "komma",
  readsDecimalsAsNumber: true,
  percent: "procent",
  to: "tot",
  plus: "plus",
  and: "en",
  currencies: {
    "€": { unit: noun("euro"), part: cent },
    EUR: { unit: noun("euro"), part: cent },
    $: { unit: noun("dollar"), part: cent },
    USD: { unit: noun("dollar"), part: cent },
    "£": { unit: noun("pond"), part: noun("penny", "pence") },
    "¥": { unit: noun("yen") },
    "₹": { unit: noun("roepie", "roepies") },
    CHF: { unit: noun("Zwitserse frank", "Zwitserse franken") },
  },
  magnitudes: {
    duizend: "duizend",
    miljoen: "miljoen",
    miljard: "miljard",
    mln: "miljoen",
    "mln.": "miljoen",
    mld: "miljard",
    "mld.": "miljard",
    M: "miljoen",
  },
  ofMillions: (unit) => unit,
  per: "per",
  units: {
    km: noun("kilometer"),
    m: noun("meter"),
    cm: noun("centimeter"),
    mm: noun("millimeter"),
    "m²": noun("vierkante meter"),
    "km²": noun("vierkante kilometer"),
    "m³": noun("kubieke meter"),
    kg: noun("kilogram"),
    g: noun("gram"),
    mg: noun("milligram"),
    l: noun("liter"),
    ml: noun("milliliter"),
    "km/h": noun("kilometer per uur"),
    "km/u": noun("kilometer per uur"),
    "m/s": noun("meter per seconde"),
    "°C": noun("graad Celsius", "graden Celsius"),
    "°": noun("graad", "graden"),
    MB: noun("megabyte"),
    GB: noun("gigabyte"),
    kW: noun("kilowatt"),
    kWh: noun("kilowattuur"),
    Hz: noun("hertz"),
    s: noun("seconde", "seconden"),
    min: noun("minuut", "minuten"),
    h: noun("uur"),
  },
  signs: {
    at: "apenstaartje",
    dot: "punt",
    slash: "schuine streep",
    dash: "streepje",
    underscore: "laag streepje",
    ampersand: "en",
    hash: "hashtag",
    equals: "is",
  },
  abbreviations: [
    [/\bdhr\./giu, "de heer"],
    [/\bmevr?\./giu, "mevrouw"],
    [/\bdr\./giu, "doctor"],
    [/\bprof\./giu, "professor"],
    [/\bbijv\.|\bbv\./giu, "bijvoorbeeld"],
    [/\benz\./gu, "enzovoort"],
    [/\bo\.a\./gu, "onder andere"],
    [/\bd\.w\.z\./gu, "dat wil zeggen"],
    [/\bt\/m\b/gu, "tot en met"],
    [/\bca\./gu, "circa"],
    [/\bnr\.\s?|\bnº\s?/giu, "nummer "],
    [/\bblz\.\s?/gu, "bladzijde "],
    [/(?<=\p{Ll})str\./gu, "straat"],
    [/\bSt\.(?=\s\p{Lu})/gu, "Sint"],
  ],
  shortWords: new Set(
    "ja nee en niet de het een is in op te van er ik je we wij ze zij dat die dit nu zeer".split(" "),
  ),
  emoji: emojiNames(
    "hart|duim omhoog|duim omlaag|lachen|glimlach|hartjesogen|huilen|boos|feest|vuur|applaus|dank je|vinkje|kruis|ster|zon",
  ),
};
