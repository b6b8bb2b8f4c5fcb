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
  [/₹|(?<![A-Z])INR(?![A-Z])|\bRs\.?\s?\d/, "INR"],
  [/(?<![A-Z])JPY(?![A-Z])|¥/, "JPY"],
  [/(?<![A-Z])MXN(?![A-Z])/, "MXN"],
  [/(?<![A-Z])ZAR(?![A-Z])/, "ZAR"],
  [/(?<![A-Z])USD(?![A-Z])|US\$|US dollars?/i, "USD"],
  [/\$/, "USD"],
];

/** The currency a document is in, from how often each sign or code stands in it. */
export function findCurrency(text: string): { code: string; count: number; share: number } | undefined {
  const counts = new Map<string, number>();
  let rest = text;
  for (const [pattern, code] of signs) {
    const all = new RegExp(pattern.source, `g${pattern.flags}`);
    const matches = rest.match(all)?.length ?? 0;
    if (matches > 0) {
      counts.set(code, (counts.get(code) ?? 0) + matches);
      rest = rest.replace(all, " ");
    }
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [best] = [...counts].sort((left, right) => right[1] - left[1]);
  return best && { code: best[0], count: best[1], share: best[1] / total };
}

const euroCountries = /^(AT|BE|CY|DE|EE|EL|ES|FI|FR|HR|IE|IT|LT|LU|LV|MC|MT|NL|PT|SI|SK|SM)/;

const ownMoney: Record<string, string> = {
  GB: "GBP",
  CH: "CHF",
  PL: "PLN",
  CZ: "CZK",
  SE: "SEK",
  DK: "DKK",
  NO: "NOK",
  HU: "HUF",
  RO: "RON",
};

/** What a document without any sign is most likely in: the money of the country whose bank or tax numbers it carries. */
export function currencyOfCodes(codes: readonly string[]): string | undefined {
  if (codes.some((code) => euroCountries.test(code))) return "EUR";
  const [country] = codes.map((code) => code.slice(0, 2)).filter((start) => start in ownMoney);
  return country && ownMoney[country];
}
