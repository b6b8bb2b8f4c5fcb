import { table } from "../../../../platform/table.ts";
import { writeInlinePronunciation } from "../../../../ports/inline-pronunciation.ts";
import { emojiNames, noun, type ReadingRules } from "../rules.ts";

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "  twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SCALES = ["", "thousand", "million", "billion"];
const MONTHS = "January February March April May June July August September October November December".split(" ");
const IRREGULAR: Readonly<Record<string, string>> = table({
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
});

function underThousand(value: number): string {
  if (value < 20) return ONES[value]!;
  if (value < 100) return TENS[Math.floor(value / 10)]! + (value % 10 ? `-${ONES[value % 10]}` : "");
  const rest = value % 100;
  return `${ONES[Math.floor(value / 100)]} hundred${rest ? ` ${underThousand(rest)}` : ""}`;
}

function cardinal(value: number): string {
  if (value < 1000) return underThousand(value);
  const groups: string[] = [];
  for (let scale = 0, rest = value; rest > 0; scale++, rest = Math.floor(rest / 1000)) {
    if (rest % 1000) groups.unshift(`${underThousand(rest % 1000)} ${SCALES[scale]}`.trim());
  }
  return groups.join(" ");
}

function ordinal(value: number): string {
  const words = cardinal(value);
  const last = /[a-z]+$/u.exec(words)![0];
  const stem = words.slice(0, words.length - last.length);
  return stem + (IRREGULAR[last] ?? (last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`));
}

function year(value: number): string {
  const [century, rest] = [Math.floor(value / 100), value % 100];
  if (value >= 2000 && value < 2010) return cardinal(value);
  if (rest === 0) return century % 10 === 0 ? cardinal(value) : `${underThousand(century)} hundred`;
  return `${underThousand(century)} ${rest < 10 ? `oh ${ONES[rest]}` : underThousand(rest)}`;
}

function clock(hour: number, minute: number): string {
  if (minute === 0) return hour === 0 || hour > 12 ? `${cardinal(hour)} hundred` : `${cardinal(hour)} o'clock`;
  return `${cardinal(hour)} ${speakMinute(minute)}`;
}

function speakMinute(minute: number): string {
  return minute < 10 ? `oh ${ONES[minute]}` : underThousand(minute);
}

/** "3 pm", "9:05 a.m.", "the 1990s", "June 5", "5 June 2024": before anything else takes their numbers away. */
function readEnglishForms(text: string): string {
  const months = MONTHS.join("|");
  return text
    .replace(/(?<=\d ?[ap]\.?m\.?|(?<![\d:])\d{1,2}(?::\d{2})?) ?[-–] ?(?=\d{1,2}(?::\d{2})? ?[ap]\.?m)/giu, " to ")
    .replace(
      /(?<![\w:.])(1[0-2]|0?[1-9])(?::([0-5]\d))?\s?([ap])(?:\.m\.?|m)(?![\p{L}\d])/giu,
      (match, hour: string, minute: string | undefined, half: string, at: number, whole: string) => {
        const rest = whole.slice(at + match.length);
        // The point of "p.m." ends the sentence too when nothing or a capital follows.
        const isEnd = match.endsWith(".") && (rest.trim() === "" || /^\s+\p{Lu}/u.test(rest));
        const minutes = minute === undefined || minute === "00" ? "" : ` ${speakMinute(Number(minute))}`;
        return `${cardinal(Number(hour))}${minutes} ${half.toUpperCase()} M${isEnd ? "." : ""}`;
      },
    )
    .replace(/(?<![\w'’])(?=[2-9]0s\b)/gu, "'")
    .replace(/(?<!\w)(?:(1[1-9]|20)|['’])(\d)0s\b/gu, (_, century: string | undefined, decade: string) => {
      const tens = decade === "0" ? "hundreds" : decade === "1" ? "tens" : `${TENS[Number(decade)]!.slice(0, -1)}ies`;
      return century === undefined
        ? tens
        : `${century === "20" && decade === "0" ? "two thousands" : `${underThousand(Number(century))} ${tens}`}`;
    })
    .replace(
      new RegExp(
        String.raw`\b(${months}|Jan\.|Feb\.|Mar\.|Apr\.|Jun\.|Jul\.|Aug\.|Sept?\.|Oct\.|Nov\.|Dec\.) (\d{1,2})(?:st|nd|rd|th)?(?!\d|:|\.\d)(?:,? ((?:1\d|20)\d\d)\b)?`,
        "gu",
      ),
      (_, month: string, day: string, whichYear?: string) =>
        `${fullMonth(month)} ${ordinal(Number(day))}${whichYear ? `, ${year(Number(whichYear))}` : ""}`,
    )
    .replace(
      new RegExp(String.raw`\b(\d{1,2})(?:st|nd|rd|th)? (?:of )?(${months})\b(?:,? ((?:1\d|20)\d\d)\b)?`, "gu"),
      (_, day: string, month: string, whichYear?: string) =>
        `the ${ordinal(Number(day))} of ${month}${whichYear ? `, ${year(Number(whichYear))}` : ""}`,
    )
    .replace(/\bthe the\b/gu, "the")
    .replace(/(?<![\w/])([1-9])\/([2-9])(?![\w/])/gu, (_, top: string, bottom: string) => {
      const part = bottom === "2" ? "half" : bottom === "4" ? "quarter" : ordinal(Number(bottom));
      const plural = part === "half" ? "halves" : `${part}s`;
      return `${ONES[Number(top)]} ${top === "1" ? part : plural}`;
    })
    .replace(/(?<![\w.])([3-8])['’′](\d{1,2})["”″]?(?!\w)/gu, "$1 foot $2")
    .replace(/(?<![\p{L}$€£])(\d+(?:\.\d+)?)x\b/gu, "$1 times")
    .replace(/(?<![\p{L}$€£])(\d+(?:\.\d+)?)k\b/gu, "$1 thousand")
    .replace(/(\d) ?½/gu, "$1 and a half")
    .replace(/½/gu, "one half")
    .replace(/¼/gu, "one quarter")
    .replace(/¾/gu, "three quarters");
}

function fullMonth(name: string): string {
  return MONTHS.find((month) => month.startsWith(name.slice(0, 3)))!;
}

const cent = noun("cent", "cents");

export const americanRules: ReadingRules = {
  first: readEnglishForms,
  decimalSign: ".",
  cardinal,
  count: cardinal,
  ordinal,
  ordinalForms: [{ pattern: /\b(\d+)(?:st|nd|rd|th)\b/gu, gender: "m" }],
  year,
  date: (day, month, whichYear) =>
    `${MONTHS[month - 1]} ${ordinal(day)}${whichYear === undefined ? "" : `, ${year(whichYear)}`}`,
  isMonthFirst: true,
  time: clock,
  minus: "minus",
  point: "point",
  readsDecimalsAsNumber: false,
  percent: "percent",
  to: "to",
  plus: "plus",
  and: "and",
  currencies: {
    $: { unit: noun("dollar", "dollars"), part: cent },
    US$: { unit: noun("U.S. dollar", "U.S. dollars"), part: cent },
    USD: { unit: noun("U.S. dollar", "U.S. dollars"), part: cent },
    "€": { unit: noun("euro", "euros"), part: cent },
    EUR: { unit: noun("euro", "euros"), part: cent },
    "£": { unit: noun("pound", "pounds"), part: noun("penny", "pence") },
    GBP: { unit: noun("pound", "pounds"), part: noun("penny", "pence") },
    "¥": { unit: noun("yen") },
    JPY: { unit: noun("yen") },
    "₹": { unit: noun("rupee", "rupees"), part: noun("paisa", "paise") },
    INR: { unit: noun("rupee", "rupees"), part: noun("paisa", "paise") },
    CHF: { unit: noun("Swiss franc", "Swiss francs") },
  },
  magnitudes: {
    thousand: "thousand",
    million: "million",
    billion: "billion",
    trillion: "trillion",
    k: "thousand",
    K: "thousand",
    M: "million",
    m: "million",
    bn: "billion",
    B: "billion",
    T: "trillion",
  },
  ofMillions: (unit) => unit,
  per: "per",
  units: {
    km: noun("kilometer", "kilometers"),
    m: noun("meter", "meters"),
    cm: noun("centimeter", "centimeters"),
    mm: noun("millimeter", "millimeters"),
    "m²": noun("square meter", "square meters"),
    "km²": noun("square kilometer", "square kilometers"),
    "m³": noun("cubic meter", "cubic meters"),
    mi: noun("mile", "miles"),
    ft: noun("foot", "feet"),
    yd: noun("yard", "yards"),
    kg: noun("kilogram", "kilograms"),
    g: noun("gram", "grams"),
    mg: noun("milligram", "milligrams"),
    lb: noun("pound", "pounds"),
    lbs: noun("pound", "pounds"),
    oz: noun("ounce", "ounces"),
    l: noun("liter", "liters"),
    L: noun("liter", "liters"),
    ml: noun("milliliter", "milliliters"),
    "km/h": noun("kilometer per hour", "kilometers per hour"),
    mph: noun("mile per hour", "miles per hour"),
    "m/s": noun("meter per second", "meters per second"),
    "°C": noun("degree Celsius", "degrees Celsius"),
    "°F": noun("degree Fahrenheit", "degrees Fahrenheit"),
    "°": noun("degree", "degrees"),
    kB: noun("kilobyte", "kilobytes"),
    KB: noun("kilobyte", "kilobytes"),
    MB: noun("megabyte", "megabytes"),
    GB: noun("gigabyte", "gigabytes"),
    TB: noun("terabyte", "terabytes"),
    Hz: noun("hertz"),
    kHz: noun("kilohertz"),
    MHz: noun("megahertz"),
    GHz: noun("gigahertz"),
    W: noun("watt", "watts"),
    kW: noun("kilowatt", "kilowatts"),
    kWh: noun("kilowatt hour", "kilowatt hours"),
    V: noun("volt", "volts"),
    ms: noun("millisecond", "milliseconds"),
    s: noun("second", "seconds"),
    min: noun("minute", "minutes"),
    h: noun("hour", "hours"),
    hrs: noun("hour", "hours"),
  },
  signs: {
    at: "at",
    dot: "dot",
    slash: "slash",
    dash: "dash",
    underscore: "underscore",
    ampersand: "and",
    hash: "hashtag",
    equals: "equals",
  },
  abbreviations: [
    [/\bDr\.(?=\s+\p{Lu})/gu, "Doctor"],
    [/\bMon\.(?=,|\s)/gu, "Monday"],
    [/\bTues?\.(?=,|\s)/gu, "Tuesday"],
    [/\bWed\.(?=,|\s)/gu, "Wednesday"],
    [/\bThurs?\.(?=,|\s)/gu, "Thursday"],
    [/\bFri\.(?=,|\s)/gu, "Friday"],
    [/\bMt\.(?=\s+\p{Lu})/gu, "Mount"],
    [/\bpp\.\s?(?=\d)/gu, "pages "],
    [/\bMr\./gu, "Mister"],
    [/\bMrs\./gu, "Missus"],
    [/\bMs\./gu, "Miz"],
    [/\bProf\./gu, "Professor"],
    [/\bSt\.(?=\s+\p{Lu})/gu, "Saint"],
    [/(?<=\p{Lu}\p{L}+ )St\./gu, "Street"],
    [/(?<=\p{Lu}\p{L}+ )Ave\./gu, "Avenue"],
    [/(?<=\p{Lu}\p{L}+ )Rd\./gu, "Road"],
    [/\bNo\.(?=\s?\d)/gu, "number"],
    [/(?:№|\bN[º°])\s?(?=\d)/gu, "number "],
    [/#(?=\d)/gu, "number "],
    [/\be\.g\.,?/giu, "for example,"],
    [/\bi\.e\.,?/giu, "that is,"],
    [/\betc\./gu, "et cetera"],
    [/\bvs\./gu, "versus"],
    [/\bapprox\./giu, "approximately"],
    [/\bJr\./gu, "Junior"],
    [/\bSr\./gu, "Senior"],
    [/\bInc\./gu, "Incorporated"],
    [/\bLtd\./gu, "Limited"],
    [/\bCo\.(?=\s|$)/gu, "Company"],
    [/\bdept\./giu, "department"],
    [/\bp\.\s?(?=\d)/gu, "page "],
  ],
  shortWords: new Set(
    "ok no yes all not and but the for you me we he she it is are was do don go stop new now one two my our why how so to in on at of or if as be by up us am an a i can may will must very only never always".split(
      " ",
    ),
  ),
  letterNames: { A: writeInlinePronunciation("A", "ˈeɪ") },
  emoji: emojiNames(
    "love|thumbs up|thumbs down|tears of joy|smile|heart eyes|crying|angry|party|fire|applause|thank you|check|cross|star|sun",
  ),
};
(americanRules.shortWords as Set<string>).delete("us");

export const britishRules: ReadingRules = {
  ...americanRules,
  isMonthFirst: false,
  date: (day, month, whichYear) =>
    `the ${ordinal(day)} of ${MONTHS[month - 1]}${whichYear === undefined ? "" : `, ${year(whichYear)}`}`,
  cardinal: withAnd,
  count: withAnd,
};

/** The British say "a hundred AND one". */
function withAnd(value: number): string {
  return cardinal(value)
    .replace(/hundred (?=\S+$|\S+ (?:thousand|million|billion))/gu, "hundred and ")
    .replace(/^(.*(?:thousand|million|billion)) ((?!.*hundred)\S+)$/u, "$1 and $2");
}
