import { inMillions, type LargeNumbers } from "../large-numbers.ts";
import { emojiNames, type Gender, noun, type ReadingRules } from "../rules.ts";

const ONES =
  "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove".split(
    " ",
  );
const TENS = "  venti trenta quaranta cinquanta sessanta settanta ottanta novanta".split(" ");
const LARGE: LargeNumbers = [
  [1e9, "un miliardo", "miliardi"],
  [1e6, "un milione", "milioni"],
];
const MONTHS = "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split(
  " ",
);
const ORDINALS = " primo secondo terzo quarto quinto sesto settimo ottavo nono decimo".split(" ");

function underThousand(value: number): string {
  if (value >= 100) {
    const head = `${value >= 200 ? ONES[Math.floor(value / 100)] : ""}cento`;
    return value % 100 ? head + underThousand(value % 100) : head;
  }
  if (value < 20) return ONES[value]!;
  const rest = value % 10;
  const ten = TENS[Math.floor(value / 10)]!;
  if (rest === 0) return ten;
  // A vowel gives way to a vowel, and a final three is stressed.
  return (rest === 1 || rest === 8 ? ten.slice(0, -1) : ten) + (rest === 3 ? "tré" : ONES[rest]);
}

function cardinal(value: number): string {
  if (value < 1000) return underThousand(value);
  if (value >= 1e6) return inMillions(value, LARGE, cardinal);
  const thousands = Math.floor(value / 1000);
  const head = thousands === 1 ? "mille" : `${underThousand(thousands).replace("tré", "tre")}mila`;
  return value % 1000 ? head + underThousand(value % 1000) : head;
}

function count(value: number, gender: Gender): string {
  if (value === 1) return gender === "f" ? "una" : "un";
  return cardinal(value);
}

function ordinal(value: number, gender: Gender): string {
  const words =
    ORDINALS[value] ??
    `${cardinal(value)
      .replace("tré", "tree")
      .replace(/sei$/u, "seii")
      .replace(/[aeio]$/u, "")}esimo`;
  return gender === "f" ? words.replace(/o$/u, "a") : words;
}

const cent = noun("centesimo", "centesimi");

export const italianRules: ReadingRules = {
  first: (text) => text.replace(/['’](?=\d0\b)/gu, ""),
  decimalSign: ",",
  cardinal,
  count,
  ordinal,
  ordinalForms: [
    { pattern: /\b(\d{1,3})(?:º|°|o)(?![\p{L}\dCF])/gu, gender: "m" },
    { pattern: /\b(\d{1,3})(?:ª|a)(?![\p{L}\d])/gu, gender: "f" },
  ],
  year: cardinal,
  date: (day, month, whichYear) =>
    `${day === 1 ? "primo" : cardinal(day)} ${MONTHS[month - 1]}${whichYear === undefined ? "" : ` ${cardinal(whichYear)}`}`,
  isMonthFirst: false,
  time: (hour, minute) =>
    `${hour === 1 ? "una" : cardinal(hour)}${minute === 0 ? "" : minute === 30 && hour <= 12 ? " e mezza" : ` e ${cardinal(minute)}`}`,
  minus: "meno",
  point: "virgola",
  readsDecimalsAsNumber: true,
  percent: "per cento",
  to: "a",
  plus: "più",
  and: "e",
  currencies: {
    "€": { unit: noun("euro"), part: cent },
    EUR: { unit: noun("euro"), part: cent },
    $: { unit: noun("dollaro", "dollari"), part: cent },
    USD: { unit: noun("dollaro", "dollari"), part: cent },
    "£": { unit: noun("sterlina", "sterline", "f"), part: noun("penny", "pence") },
    "¥": { unit: noun("yen") },
    "₹": { unit: noun("rupia", "rupie", "f") },
    CHF: { unit: noun("franco svizzero", "franchi svizzeri"), part: cent },
  },
  magnitudes: {
    mila: "mila",
    milione: "milione",
    milioni: "milioni",
    miliardo: "miliardo",
    miliardi: "miliardi",
    mln: "milioni",
    mld: "miliardi",
  },
  ofMillions: (unit) => `di ${unit}`,
  per: "al",
  units: {
    km: noun("chilometro", "chilometri"),
    m: noun("metro", "metri"),
    cm: noun("centimetro", "centimetri"),
    mm: noun("millimetro", "millimetri"),
    "m²": noun("metro quadrato", "metri quadrati"),
    "km²": noun("chilometro quadrato", "chilometri quadrati"),
    kg: noun("chilogrammo", "chilogrammi"),
    g: noun("grammo", "grammi"),
    mg: noun("milligrammo", "milligrammi"),
    l: noun("litro", "litri"),
    ml: noun("millilitro", "millilitri"),
    "km/h": noun("chilometro all'ora", "chilometri all'ora"),
    "m/s": noun("metro al secondo", "metri al secondo"),
    "°C": noun("grado Celsius", "gradi Celsius"),
    "°": noun("grado", "gradi"),
    MB: noun("megabyte"),
    GB: noun("gigabyte"),
    kW: noun("chilowatt"),
    Hz: noun("hertz"),
    s: noun("secondo", "secondi"),
    min: noun("minuto", "minuti"),
    h: noun("ora", "ore", "f"),
  },
  signs: {
    at: "chiocciola",
    dot: "punto",
    slash: "barra",
    dash: "trattino",
    underscore: "trattino basso",
    ampersand: "e",
    hash: "cancelletto",
    equals: "uguale",
  },
  abbreviations: [
    [/\buna ora\b/gu, "un'ora"],
    [/\bSig\.ra\b/gu, "signora"],
    [/\bSig\.na\b/gu, "signorina"],
    [/\bSig\./gu, "signor"],
    [/\bDott\.ssa\b/gu, "dottoressa"],
    [/\bDott\./gu, "dottor"],
    [/\bDr\./gu, "dottor"],
    [/\bProf\.ssa\b/gu, "professoressa"],
    [/\bProf\./gu, "professor"],
    [/\bIng\./gu, "ingegner"],
    [/\bAvv\./gu, "avvocato"],
    [/\becc\./gu, "eccetera"],
    [/\bad es\./giu, "ad esempio"],
    [/\bp\.\s?es\./giu, "per esempio"],
    [/\bn[.°º]\s?(?=\d)/gu, "numero "],
    [/\bpag\.\s?(?=\d)/gu, "pagina "],
    [/\bS\.(?=\s\p{Lu})/gu, "San"],
  ],
  shortWords: new Set(
    "no sì si che non per con una uno gli dei del di da in su tra la lo il le mi ti ci vi ma se è io tu".split(" "),
  ),
  emoji: emojiNames(
    "cuore|pollice in su|pollice in giù|risata|sorriso|occhi a cuore|pianto|rabbia|festa|fuoco|applauso|grazie|spunta|croce|stella|sole",
  ),
};
