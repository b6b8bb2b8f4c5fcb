import { countries } from "./countries.ts";

/** Codes that are no words of any language when they stand in capitals. */
export const currencyCodes =
  "EUR GBP CHF SGD AUD CAD HKD NZD MYR SEK NOK DKK PLN CZK HUF RON INR JPY MXN ZAR TRY BRL CNY AED SAR QAR KWD EGP MAD TND DZD XOF XAF NGN KES GHS UGX TZS RWF PKR LKR BDT NPR THB IDR PHP VND KRW TWD ILS UAH BGN RSD ISK COP CLP ARS UYU".split(
    " ",
  );

/** How a currency is written other than by its code. */
const signs: [RegExp, string][] = [
  [/R\$\s?\d/, "BRL"],
  [/S\$\s?\d/, "SGD"],
  [/A\$\s?\d/, "AUD"],
  [/C(AD)?\$\s?\d/, "CAD"],
  [/HK\$\s?\d/, "HKD"],
  [/\bNZ\$\s?\d/, "NZD"],
  [/\bRM\s?\d/, "MYR"],
  [/€|\bEuros?\b/, "EUR"],
  [/£/, "GBP"],
  [/\bSFr\.|\bFr\.\s?\d/, "CHF"],
  [/zł|\d\s?z[lt](?!\p{L})/u, "PLN"],
  [/Kč/, "CZK"],
  [/\d\s?Ft\b/, "HUF"],
  [/\d\s?lei\b/i, "RON"],
  [/₹|\bRs\.?\s?\d/, "INR"],
  [/¥/, "JPY"],
  [/(?<![\p{L}\d])R ?\d[\d ,]*\.\d{2}(?!\d)/u, "ZAR"],
  [/₺|\d\s?TL(?!\p{L})/u, "TRY"],
  [/\bF ?CFA\b|\d\s?CFA\b/, "XOF"],
  [/₦/, "NGN"],
  [/\bK[Ss]hs?\.?\s?\d|\d\s?K[Ss]hs?\b/, "KES"],
  [/\bTShs?\.?\s?\d|\d\s?TShs?\b/i, "TZS"],
  [/\bUShs?\.?\s?\d|\d\s?UShs?\b/i, "UGX"],
  [/₵|GH¢\s?\d/, "GHS"],
  [/₱|\bPhp\.?\s?\d/, "PHP"],
  [/\bRp\.?\s?\d/, "IDR"],
  [/₫/, "VND"],
  [/₩/, "KRW"],
  [/฿/, "THB"],
  [/\d\s?DHS?(?!\p{L})/u, "MAD"],
  [/\d\s?Kz(?!\p{L})/u, "AOA"],
  [/₪/, "ILS"],
  [/₴/, "UAH"],
  [/\d\s?лв/, "BGN"],
  [/(?<![A-Z])USD(?![A-Z])|US\$|US dollars?|\$/i, "USD"],
];
const written: [RegExp, string][] = [
  ...currencyCodes.map((code): [RegExp, string] => [new RegExp(`(?<![A-Z])${code}(?![A-Z])`), code]),
  ...signs,
];
/** Over a column of ringgits; "(RM)" behind a town is Rome. */
const headedRinggit = /\(RM\)|(?<=^| {2}|:\s?)RM(?![\p{L}\d])/mu;

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
  const counts = new Map<string, number>();
  for (const [pattern, own] of written) {
    const all = new RegExp(pattern.source, `g${pattern.flags}`);
    const count = rest.match(all)?.length ?? 0;
    rest = rest.replace(all, " ");
    if (count > 0) counts.set(own, (counts.get(own) ?? 0) + count);
  }
  const [code] = [...counts].sort((left, right) => right[1] - left[1])[0] ?? [
    headedRinggit.test(text) ? "MYR" : undefined,
  ];
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
