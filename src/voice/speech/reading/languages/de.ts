import { inMillions, type LargeNumbers } from "../large-numbers.ts";
import { emojiNames, type Gender, noun, type ReadingRules } from "../rules.ts";

const ONES =
  "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split(
    " ",
  );
const TENS = "  zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split(" ");
const LARGE: LargeNumbers = [
  [1e9, "eine Milliarde", "Milliarden"],
  [1e6, "eine Million", "Millionen"],
];
const MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(" ");
const IRREGULAR: Readonly<Record<number, string>> = { 1: "erste", 3: "dritte", 7: "siebte", 8: "achte" };

/** Inside a longer number "eins" is "ein". */
function inside(value: number): string {
  return value === 1 ? "ein" : underThousand(value);
}

function underThousand(value: number): string {
  if (value < 20) return ONES[value]!;
  if (value < 100) return `${value % 10 ? `${inside(value % 10)}und` : ""}${TENS[Math.floor(value / 10)]}`;
  return `${inside(Math.floor(value / 100))}hundert${value % 100 ? underThousand(value % 100) : ""}`;
}

function cardinal(value: number): string {
  if (value < 1000) return underThousand(value);
  if (value >= 1e6) return inMillions(value, LARGE, cardinal);
  return `${inside(Math.floor(value / 1000))}tausend${value % 1000 ? underThousand(value % 1000) : ""}`;
}

function count(value: number, gender: Gender): string {
  if (value === 1) return gender === "f" ? "eine" : "ein";
  return cardinal(value);
}

function ordinal(value: number): string {
  const rest = value % 100;
  const known = IRREGULAR[rest];
  if (known !== undefined) return value === rest ? known : cardinal(value - rest) + known;
  return `${cardinal(value)}${rest > 0 && rest < 20 ? "te" : "ste"}`;
}

function year(value: number): string {
  if (value < 1100 || value >= 2000) return cardinal(value);
  return `${underThousand(Math.floor(value / 100))}hundert${value % 100 ? underThousand(value % 100) : ""}`;
}

const cent = noun("Cent");
/** In a date and after "am", "vom", "dem" the ordinal takes an n. */
const inflect = (words: string, before: string) =>
  /\b(?:am|vom|zum|dem|den|der|des|beim|im|bis|ab|seit|nach)\s*$/iu.test(before) ? `${words}n` : `${words}r`;

export const germanRules: ReadingRules = {
  first(text) {
    const months = MONTHS.join("|");
    return text
      .replace(/(?<![\w.,])((?:19|20)?\d0)er\b/gu, (_, decade: string) => `${year(Number(decade))}er`)
      .replace(
        /(?<![\w.,/])(\d{1,2})\.(\d{1,2})\.(\d{4})?(?![\d.,])/gu,
        (match, day: string, month: string, whichYear: string | undefined, at: number, whole: string) => {
          const name = MONTHS[Number(month) - 1];
          if (name === undefined || Number(day) < 1 || Number(day) > 31) return match;
          const spoken = inflect(ordinal(Number(day)), whole.slice(0, at));
          return `${spoken} ${name}${whichYear ? ` ${year(Number(whichYear))}` : ""}`;
        },
      )
      .replace(
        new RegExp(String.raw`(?<![\w.,])(\d{1,2})\. (${months})(?:\s((?:1\d|20)\d\d)\b)?`, "gu"),
        (match, day: string, month: string, whichYear: string | undefined, at: number, whole: string) =>
          Number(day) > 31
            ? match
            : `${inflect(ordinal(Number(day)), whole.slice(0, at))} ${month}${whichYear ? ` ${year(Number(whichYear))}` : ""}`,
      )
      .replace(/(?<![\w:.,])([01]?\d|2[0-4]) Uhr(?: ([0-5]\d)(?!\d))?/gu, (_, hour: string, minute?: string) =>
        clock(Number(hour), Number(minute ?? 0)),
      )
      .replace(
        /\b(am|vom|zum|dem|den|der|beim|im|die|das) (\d{1,3})\. (?=\p{L})/giu,
        (_, article: string, digits: string) =>
          `${article} ${ordinal(Number(digits))}${/^(?:die|das|der)$/iu.test(article) ? "" : "n"} `,
      )
      .replace(
        /\b(\d{1,3})\. (?=(?:Platz|Mal|Stock|Etage|Jahrhundert|Geburtstag|Kapitel|Klasse|Weltkrieg)\b)/gu,
        (_, digits: string) => `${ordinal(Number(digits))} `,
      );
  },
  decimalSign: ",",
  cardinal,
  count,
  ordinal,
  ordinalForms: [],
  year,
  date: (day, month, whichYear) =>
    `${ordinal(day)}r ${MONTHS[month - 1]}${whichYear === undefined ? "" : ` ${year(whichYear)}`}`,
  isMonthFirst: false,
  time: clock,
  timeSuffix: /Uhr\b/u,
  minus: "minus",
  point: "Komma",
  readsDecimalsAsNumber: false,
  percent: "Prozent",
  to: "bis",
  plus: "plus",
  and: "",
  currencies: {
    "€": { unit: noun("Euro"), part: cent },
    EUR: { unit: noun("Euro"), part: cent },
    $: { unit: noun("Dollar"), part: cent },
    USD: { unit: noun("US-Dollar"), part: cent },
    "£": { unit: noun("Pfund"), part: noun("Penny", "Pence") },
    "¥": { unit: noun("Yen") },
    "₹": { unit: noun("Rupie", "Rupien", "f") },
    CHF: { unit: noun("Schweizer Franken"), part: noun("Rappen") },
  },
  magnitudes: {
    Tsd: "tausend",
    Million: "Million",
    Millionen: "Millionen",
    "Mio.": "Millionen",
    Mio: "Millionen",
    Milliarden: "Milliarden",
    "Mrd.": "Milliarden",
    Mrd: "Milliarden",
  },
  ofMillions: (unit) => unit,
  per: "pro",
  units: {
    km: noun("Kilometer"),
    m: noun("Meter"),
    cm: noun("Zentimeter"),
    mm: noun("Millimeter"),
    "m²": noun("Quadratmeter"),
    "km²": noun("Quadratkilometer"),
    "m³": noun("Kubikmeter"),
    kg: noun("Kilogramm"),
    g: noun("Gramm"),
    mg: noun("Milligramm"),
    l: noun("Liter"),
    ml: noun("Milliliter"),
    "km/h": noun("Stundenkilometer"),
    "m/s": noun("Meter pro Sekunde"),
    "°C": noun("Grad Celsius"),
    "°": noun("Grad"),
    MB: noun("Megabyte"),
    GB: noun("Gigabyte"),
    kW: noun("Kilowatt"),
    kWh: noun("Kilowattstunde", "Kilowattstunden", "f"),
    Hz: noun("Hertz"),
    s: noun("Sekunde", "Sekunden", "f"),
    min: noun("Minute", "Minuten", "f"),
    h: noun("Stunde", "Stunden", "f"),
  },
  signs: {
    at: "ät",
    dot: "Punkt",
    slash: "Schrägstrich",
    dash: "minus",
    underscore: "Unterstrich",
    ampersand: "und",
    hash: "Hashtag",
    equals: "gleich",
  },
  abbreviations: [
    [/\bz\.\s?B\./gu, "zum Beispiel"],
    [/\bd\.\s?h\./gu, "das heißt"],
    [/\bu\.\s?a\./gu, "unter anderem"],
    [/\bu\.\s?s\.\s?w\.|\busw\./gu, "und so weiter"],
    [/\betc\./gu, "et cetera"],
    [/\bbzw\./gu, "beziehungsweise"],
    [/\bca\./gu, "circa"],
    [/\bDr\./gu, "Doktor"],
    [/\bProf\./gu, "Professor"],
    [/\bHr\./gu, "Herr"],
    [/\bFr\.(?=\s\p{Lu})/gu, "Frau"],
    [/\bNr\./gu, "Nummer"],
    [/(?:№|\bN[º°])\s?(?=\d)/gu, "Nummer "],
    [/\bStr\./gu, "Straße"],
    [/(?<=\p{Ll})str\./gu, "straße"],
    [/\bvgl\./gu, "vergleiche"],
    [/\bSt\.(?=\s\p{Lu})/gu, "Sankt"],
    [/§\s?/gu, "Paragraph "],
  ],
  shortWords: new Set("ja nein und nur der die das ist ein so zu im am es er du ich wir nicht sehr alle".split(" ")),
  emoji: emojiNames(
    "Herz|Daumen hoch|Daumen runter|Lachen|Lächeln|Herzaugen|Weinen|Ärger|Party|Feuer|Applaus|danke|Haken|Kreuz|Stern|Sonne",
  ),
};

function clock(hour: number, minute: number): string {
  const head = `${hour === 1 ? "ein" : cardinal(hour)} Uhr`;
  return minute === 0 ? head : `${head} ${cardinal(minute)}`;
}
