import { emojiNames, type Gender, noun, type ReadingRules } from "../rules.ts";

const ONES =
  "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove".split(
    " ",
  );
const TENS = "  vinte trinta quarenta cinquenta sessenta setenta oitenta noventa".split(" ");
const HUNDREDS = " cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos".split(
  " ",
);
const MONTHS = "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(" ");
const ORDINALS = " primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo".split(" ");
const ORDINAL_TENS =
  "  vigésimo trigésimo quadragésimo quinquagésimo sexagésimo septuagésimo octogésimo nonagésimo".split(" ");

function underThousand(value: number): string {
  if (value === 100) return "cem";
  if (value >= 100)
    return `${HUNDREDS[Math.floor(value / 100)]}${value % 100 ? ` e ${underThousand(value % 100)}` : ""}`;
  if (value < 20) return ONES[value]!;
  return `${TENS[Math.floor(value / 10)]}${value % 10 ? ` e ${ONES[value % 10]}` : ""}`;
}

/** The last group is joined by "e" when it is small or round. */
function join(head: string, rest: number, words: string): string {
  if (rest === 0) return head;
  return `${head} ${rest < 100 || (rest < 1000 && rest % 100 === 0) ? "e " : ""}${words}`;
}

function cardinal(value: number): string {
  if (value < 1000) return underThousand(value);
  if (value < 1e6) {
    const thousands = Math.floor(value / 1000);
    return join(thousands === 1 ? "mil" : `${underThousand(thousands)} mil`, value % 1000, underThousand(value % 1000));
  }
  const isBillions = value >= 1e9;
  const size = isBillions ? 1e9 : 1e6;
  const head = Math.floor(value / size);
  const name = isBillions ? (head === 1 ? "bilhão" : "bilhões") : head === 1 ? "milhão" : "milhões";
  return join(`${cardinal(head)} ${name}`, value % size, cardinal(value % size));
}

function count(value: number, gender: Gender): string {
  const words = cardinal(value);
  if (gender === "m") return words;
  return words
    .replace(/\bum$/u, "uma")
    .replace(/\bdois$/u, "duas")
    .replace(/entos\b/gu, "entas");
}

function ordinal(value: number, gender: Gender): string {
  const words =
    value <= 10
      ? ORDINALS[value]!
      : value < 20
        ? `décimo ${ORDINALS[value - 10]}`
        : value < 100
          ? `${ORDINAL_TENS[Math.floor(value / 10)]}${value % 10 ? ` ${ORDINALS[value % 10]}` : ""}`
          : cardinal(value);
  return gender === "f" && value < 100 ? words.replace(/o\b/gu, "a") : words;
}

const cent = noun("centavo", "centavos");

export const portugueseRules: ReadingRules = {
  first: (text) =>
    text.replace(/(?<![\w:])([01]?\d|2[0-3])h([0-5]\d)?(?![\p{L}\d])/gu, (_, hour: string, minute?: string) =>
      clock(Number(hour), Number(minute ?? 0)),
    ),
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
    `${day === 1 ? "primeiro" : cardinal(day)} de ${MONTHS[month - 1]}${whichYear === undefined ? "" : ` de ${cardinal(whichYear)}`}`,
  isMonthFirst: false,
  time: clock,
  minus: "menos",
  point: "vírgula",
  readsDecimalsAsNumber: true,
  percent: "por cento",
  to: "a",
  plus: "mais",
  and: "e",
  currencies: {
    R$: { unit: noun("real", "reais"), part: cent },
    BRL: { unit: noun("real", "reais"), part: cent },
    "€": { unit: noun("euro", "euros"), part: noun("cêntimo", "cêntimos") },
    EUR: { unit: noun("euro", "euros"), part: noun("cêntimo", "cêntimos") },
    US$: { unit: noun("dólar", "dólares"), part: cent },
    USD: { unit: noun("dólar", "dólares"), part: cent },
    $: { unit: noun("dólar", "dólares"), part: cent },
    "£": { unit: noun("libra", "libras", "f") },
    "¥": { unit: noun("iene", "ienes") },
    "₹": { unit: noun("rupia", "rupias", "f") },
  },
  magnitudes: {
    mil: "mil",
    milhão: "milhão",
    milhões: "milhões",
    bilhão: "bilhão",
    bilhões: "bilhões",
    mi: "milhões",
    bi: "bilhões",
  },
  ofMillions: (unit) => `de ${unit}`,
  per: "por",
  units: {
    km: noun("quilômetro", "quilômetros"),
    m: noun("metro", "metros"),
    cm: noun("centímetro", "centímetros"),
    mm: noun("milímetro", "milímetros"),
    "m²": noun("metro quadrado", "metros quadrados"),
    "km²": noun("quilômetro quadrado", "quilômetros quadrados"),
    kg: noun("quilograma", "quilogramas"),
    g: noun("grama", "gramas"),
    mg: noun("miligrama", "miligramas"),
    l: noun("litro", "litros"),
    ml: noun("mililitro", "mililitros"),
    "km/h": noun("quilômetro por hora", "quilômetros por hora"),
    "m/s": noun("metro por segundo", "metros por segundo"),
    "°C": noun("grau Celsius", "graus Celsius"),
    "°": noun("grau", "graus"),
    MB: noun("megabyte", "megabytes"),
    GB: noun("gigabyte", "gigabytes"),
    kW: noun("quilowatt", "quilowatts"),
    Hz: noun("hertz"),
    s: noun("segundo", "segundos"),
    min: noun("minuto", "minutos"),
    h: noun("hora", "horas", "f"),
  },
  signs: {
    at: "arroba",
    dot: "ponto",
    slash: "barra",
    dash: "traço",
    underscore: "sublinhado",
    ampersand: "e",
    hash: "hashtag",
    equals: "igual a",
  },
  abbreviations: [
    [/\bSr\.ª|\bSra\./gu, "senhora"],
    [/\bSr\./gu, "senhor"],
    [/\bDra\./gu, "doutora"],
    [/\bDr\./gu, "doutor"],
    [/\bProfa\./gu, "professora"],
    [/\bProf\./gu, "professor"],
    [/\bD\.(?=\s\p{Lu})/gu, "dom"],
    [/\betc\./gu, "etcétera"],
    [/\bp\.\s?ex\./giu, "por exemplo"],
    [/\bn[.º]º?\s?(?=\d)/giu, "número "],
    [/\bpág\.\s?/giu, "página "],
    [/\bAv\./gu, "avenida"],
    [/\bR\.(?=\s\p{Lu})/gu, "rua"],
  ],
  shortWords: new Set("não sim que os as do da de em um uma por com mas se eu tu ele ela nós só já é no na".split(" ")),
  letterNames: { A: "á", E: "é", O: "ó" },
  emoji: emojiNames(
    "coração|polegar para cima|polegar para baixo|risada|sorriso|olhos de coração|choro|raiva|festa|fogo|palmas|obrigado|certo|errado|estrela|sol",
  ),
};

function clock(hour: number, minute: number): string {
  const head = `${count(hour, "f")} hora${hour === 1 ? "" : "s"}`;
  return minute === 0 ? head : `${count(hour, "f")} e ${cardinal(minute)}`;
}
