import { countries } from "./countries.ts";

/** Codes that may be words or parts of names as well: with a number beside them they are money. */
const codes =
  "AED ARS BDT CLP COP EGP GHS IDR ILS KES KRW KWD LKR MAD NGN NPR PHP PKR QAR SAR THB TND TWD TZS UAH UGX VND XAF XOF";

const signs: [RegExp, string][] = [
  [/R\$\s?\d/, "BRL"],
  [/S\$\s?\d|(?<![A-Z])SGD\b/, "SGD"],
  [/A\$\s?\d|(?<![A-Z])AUD(?![A-Z])/, "AUD"],
  [/C(AD)?\$\s?\d|(?<![A-Z])CAD(?![A-Z])/, "CAD"],
  [/HK\$\s?\d|(?<![A-Z])HKD(?![A-Z])/, "HKD"],
  [/\bNZ\$\s?\d|(?<![A-Z])NZD(?![A-Z])/, "NZD"],
  [/\bRM\s?\d|(?<![A-Z])MYR(?![A-Z])|\(RM\)|(?<=^| {2}|:\s?)RM(?![\p{L}\d])/mu, "MYR"],
  [/€|(?<![A-Z])EUR(?![A-Z])|\bEuros?\b/, "EUR"],
  [/£|(?<![A-Z])GBP(?![A-Z])/, "GBP"],
  [/(?<![A-Z])CHF(?![A-Z])|\bSFr\.|\bFr\.\s?\d/, "CHF"],
  [/(?<![A-Z])SEK(?![A-Z])/, "SEK"],
  [/(?<![A-Z])NOK(?![A-Z])/, "NOK"],
  [/(?<![A-Z])DKK(?![A-Z])/, "DKK"],
  [/zł|(?<![A-Z])PLN(?![A-Z])/, "PLN"],
  [/(?<![A-Z])CZK(?![A-Z])|Kč/, "CZK"],
  [/\d\s?Ft\b|(?<![A-Z])HUF(?![A-Z])/, "HUF"],
  [/\d\s?lei\b|(?<![A-Z])RON(?![A-Z])/i, "RON"],
  [/₹|(?<![A-Z])INR(?![A-Z])|\bRs\.?\s?\d/, "INR"],
  [/(?<![A-Z])JPY(?![A-Z])|¥/, "JPY"],
  [/(?<![A-Z])MXN(?![A-Z])/, "MXN"],
  [/(?<![A-Z])ZAR(?![A-Z])|(?<![\p{L}\d])R ?\d[\d ,]*\.\d{2}(?!\d)/u, "ZAR"],
  [/₺|(?<![A-Z])TRY(?![A-Z])|\d\s?TL(?!\p{L})/u, "TRY"],
  [/\bRp\.?\s?\d/, "IDR"],
  [/₦/, "NGN"],
  [/₱|\bPhp\.?\s?\d/, "PHP"],
  [/₫/, "VND"],
  [/₩/, "KRW"],
  [/₪/, "ILS"],
  [/฿/, "THB"],
  [/₵/, "GHS"],
  [/₴/, "UAH"],
  [/\bK[Ss]hs?\.?\s?\d/, "KES"],
  [/\d\s?F\s?CFA\b|\d\s?CFA\b/, "XOF"],
  ...codes
    .split(" ")
    .map((code): [RegExp, string] => [new RegExp(`(?<![A-Z])${code}\\s?\\d|\\d\\s?${code}(?![A-Z])`), code]),
  [/(?<![A-Z])USD(?![A-Z])|US\$|US dollars?|\$/i, "USD"],
];

/** Whose dollars and crowns they are, by what only that country writes on its documents. */
const dollarsOf: [RegExp, string][] = [
  [/\bABN\b|\b(?:NSW|VIC|QLD|TAS|ACT) \d{4}\b|\bAustralia\b/, "AUD"],
  [/\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b|\b[HQ]ST\b|\bCanada\b/, "CAD"],
  [/\bNZBN\b|\bNew Zealand\b/, "NZD"],
  [/\bUEN\b|\bSingapore\b/i, "SGD"],
  [/\bHong Kong\b/i, "HKD"],
];
const crownsOf: [RegExp, string][] = [
  [/\bmva\b/i, "NOK"],
  [/\bCVR\b|\b(?:beløb|at betale|i alt)\b/i, "DKK"],
  [/\bmoms|\b(?:belopp|att betala|summa)\b/i, "SEK"],
];

/** The currency a document is in: the one whose sign or code stands in it most. */
export function findCurrency(text: string): { code: string } | undefined {
  let rest = text;
  let most = 0;
  let code: string | undefined;
  for (const [pattern, own] of signs) {
    const all = new RegExp(pattern.source, `g${pattern.flags}`);
    const count = rest.match(all)?.length ?? 0;
    rest = rest.replace(all, " ");
    if (count > most) [most, code] = [count, own];
  }
  if (code === undefined) return undefined;
  const isBareDollar = code === "USD" && !/USD|US\$|US dollar/i.test(text) && !/\b[A-Z]{2} \d{5}\b/.test(text);
  return { code: (isBareDollar ? countryOf(text, dollarsOf) : undefined) ?? code };
}

/** "884,74 kr" is as much Swedish as Danish or Norwegian; the words beside it are not. */
export function findCrowns(text: string): string | undefined {
  return /\d\s?kr\b|\bkr\.?\s?\d/i.test(text) ? countryOf(text, crownsOf) : undefined;
}

function countryOf(text: string, signs: readonly [RegExp, string][]): string | undefined {
  return signs.find(([pattern]) => pattern.test(text))?.[1];
}

/** What a document without any sign is most likely in: the money of the country whose bank or tax numbers it carries. */
export function currencyOfCodes(codes: readonly string[]): string | undefined {
  const found = codes.map((code) => countries.get(code.slice(0, 2))?.currency).filter(Boolean);
  return found.includes("EUR") ? "EUR" : found[0];
}
