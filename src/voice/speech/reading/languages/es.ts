import { emojiNames, type Gender, noun, type ReadingRules } from "../rules.ts";

const ONES =
  "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve".split(
    " ",
  );
const TENS = "   treinta cuarenta cincuenta sesenta setenta ochenta noventa".split(" ");
const HUNDREDS =
  " ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split(" ");
const MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(" ");
const ORDINALS = " primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo".split(" ");

function underThousand(value: number): string {
  if (value === 100) return "cien";
  if (value >= 100) return `${HUNDREDS[Math.floor(value / 100)]}${value % 100 ? ` ${underThousand(value % 100)}` : ""}`;
  if (value < 30) return ONES[value]!;
  return `${TENS[Math.floor(value / 10)]}${value % 10 ? ` y ${ONES[value % 10]}` : ""}`;
}

function cardinal(value: number): string {
  if (value < 1000) return underThousand(value);
  if (value < 1e6) {
    const thousands = Math.floor(value / 1000);
    const head = thousands === 1 ? "mil" : `${shorten(underThousand(thousands))} mil`;
    return value % 1000 ? `${head} ${underThousand(value % 1000)}` : head;
  }
  const millions = Math.floor(value / 1e6);
  const head = millions === 1 ? "un millón" : `${shorten(cardinal(millions))} millones`;
  return value % 1e6 ? `${head} ${cardinal(value % 1e6)}` : head;
}

/** "uno" loses its end in front of a masculine noun. */
function shorten(words: string): string {
  return words.replace(/veintiuno$/u, "veintiún").replace(/uno$/u, "un");
}

function count(value: number, gender: Gender): string {
  const words = cardinal(value);
  return gender === "f" ? words.replace(/uno$/u, "una").replace(/cientos/gu, "cientas") : shorten(words);
}

function ordinal(value: number, gender: Gender): string {
  const words = ORDINALS[value] ?? cardinal(value);
  return gender === "f" ? words.replace(/o$/u, "a") : words;
}

const cent = noun("céntimo", "céntimos");
const day = (value: number) => (value === 1 ? "uno" : cardinal(value));

export const spanishRules: ReadingRules = {
  first: (text) => text.replace(/\b1º de (?=\p{L})/gu, "primero de ").replace(/['’](?=\d0\b)/gu, ""),
  decimalSign: ",",
  cardinal,
  count,
  ordinal,
  ordinalForms: [
    { pattern: /\b(\d{1,2})(?:\.?º|er|o)(?![\p{L}\d])/gu, gender: "m" },
    { pattern: /\b(\d{1,2})(?:\.?ª|a)(?![\p{L}\d])/gu, gender: "f" },
  ],
  year: cardinal,
  date: (d, month, whichYear) =>
    `${day(d)} de ${MONTHS[month - 1]}${whichYear === undefined ? "" : ` de ${cardinal(whichYear)}`}`,
  isMonthFirst: false,
  time: (hour, minute) =>
    `${count(hour, "f")}${minute === 0 ? " en punto" : minute === 30 && hour <= 12 ? " y media" : ` y ${cardinal(minute)}`}`,
  timeSuffix: /h(?:oras|rs)?\b\.?/u,
  minus: "menos",
  point: "coma",
  readsDecimalsAsNumber: true,
  percent: "por ciento",
  to: "a",
  plus: "más",
  and: "con",
  currencies: {
    "€": { unit: noun("euro", "euros"), part: cent },
    EUR: { unit: noun("euro", "euros"), part: cent },
    $: { unit: noun("dólar", "dólares"), part: noun("centavo", "centavos") },
    USD: { unit: noun("dólar", "dólares"), part: noun("centavo", "centavos") },
    "£": { unit: noun("libra", "libras", "f"), part: noun("penique", "peniques") },
    "¥": { unit: noun("yen", "yenes") },
    "₹": { unit: noun("rupia", "rupias", "f") },
    MXN: { unit: noun("peso mexicano", "pesos mexicanos"), part: noun("centavo", "centavos") },
  },
  magnitudes: { mil: "mil", millón: "millón", millones: "millones", M: "millones" },
  ofMillions: (unit) => `de ${unit}`,
  per: "por",
  units: {
    km: noun("kilómetro", "kilómetros"),
    m: noun("metro", "metros"),
    cm: noun("centímetro", "centímetros"),
    mm: noun("milímetro", "milímetros"),
    "m²": noun("metro cuadrado", "metros cuadrados"),
    "km²": noun("kilómetro cuadrado", "kilómetros cuadrados"),
    kg: noun("kilogramo", "kilogramos"),
    g: noun("gramo", "gramos"),
    mg: noun("miligramo", "miligramos"),
    l: noun("litro", "litros"),
    ml: noun("mililitro", "mililitros"),
    "km/h": noun("kilómetro por hora", "kilómetros por hora"),
    "m/s": noun("metro por segundo", "metros por segundo"),
    "°C": noun("grado Celsius", "grados Celsius"),
    ºC: noun("grado Celsius", "grados Celsius"),
    "°": noun("grado", "grados"),
    MB: noun("megabyte", "megabytes"),
    GB: noun("gigabyte", "gigabytes"),
    kW: noun("kilovatio", "kilovatios"),
    Hz: noun("hercio", "hercios"),
    s: noun("segundo", "segundos"),
    min: noun("minuto", "minutos"),
    h: noun("hora", "horas", "f"),
  },
  signs: {
    at: "arroba",
    dot: "punto",
    slash: "barra",
    dash: "guion",
    underscore: "guion bajo",
    ampersand: "y",
    hash: "almohadilla",
    equals: "igual a",
  },
  abbreviations: [
    [/\bSr\./gu, "señor"],
    [/\bSra\./gu, "señora"],
    [/\bSrta\./gu, "señorita"],
    [/\bDr\./gu, "doctor"],
    [/\bDra\./gu, "doctora"],
    [/\bD\.(?=\s\p{Lu})/gu, "don"],
    [/\bD\.ª|\bDña\./gu, "doña"],
    [/\bEE\.?\s?UU\.?/gu, "Estados Unidos"],
    [/\bUds\./gu, "ustedes"],
    [/\bUd\./gu, "usted"],
    [/\betc\./gu, "etcétera"],
    [/\bp\.\s?ej\./giu, "por ejemplo"],
    [/\bn\.?[º°]|\bnúm\./giu, "número"],
    [/\bpág\./giu, "página"],
    [/\bAvda\.|\bAv\./gu, "avenida"],
  ],
  shortWords: new Set(
    "no sí si que los las del por con una uno muy más ya tu yo mi me te lo la el en de es".split(" "),
  ),
  emoji: emojiNames(
    "corazón|pulgar arriba|pulgar abajo|risa|sonrisa|ojos de corazón|llanto|enfado|fiesta|fuego|aplauso|gracias|correcto|incorrecto|estrella|sol",
  ),
};
