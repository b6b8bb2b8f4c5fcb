const signs: [RegExp, string][] = [
  [/R\$\s?\d/, "BRL"],
  [/S\$\s?\d|\bSGD\b/, "SGD"],
  [/A\$\s?\d|\bAUD\b/, "AUD"],
  [/C(AD)?\$\s?\d|\bCAD\b/, "CAD"],
  [/HK\$\s?\d|\bHKD\b/, "HKD"],
  [/\bNZ\$\s?\d|\bNZD\b/, "NZD"],
  [/\bRM\s?\d|\bMYR\b|\(RM\)|\bRM\b/, "MYR"],
  [/€|\bEUR\b|\bEuros?\b/, "EUR"],
  [/£|\bGBP\b/, "GBP"],
  [/\bCHF\b|\bSFr\.|\bFr\.\s?\d/, "CHF"],
  [/\bSEK\b/, "SEK"],
  [/\bNOK\b/, "NOK"],
  [/\bDKK\b/, "DKK"],
  [/zł|\bPLN\b/, "PLN"],
  [/\bCZK\b|Kč/, "CZK"],
  [/₹|\bINR\b|\bRs\.?\s?\d/, "INR"],
  [/\bJPY\b|¥/, "JPY"],
  [/\bMXN\b/, "MXN"],
  [/\bZAR\b/, "ZAR"],
  [/\bUSD\b|US\$|US dollars?/i, "USD"],
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
