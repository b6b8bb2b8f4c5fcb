import { countries } from "./countries.ts";
import { readTable } from "./read-table.ts";

const rows = readTable("reading/currencies.tsv").map(([code, part, sign, home]) => ({
  code: code!,
  decimals: Number.parseInt(part!, 10),
  isWord: part!.endsWith("word"),
  sign: patternOf(sign!, "g"),
  home: patternOf(home!),
}));

/** "(?i)" before a pattern: in any case. */
function patternOf(text: string, flags = ""): RegExp | undefined {
  return text === ""
    ? undefined
    : new RegExp(text.replace("(?i)", ""), `${text.startsWith("(?i)") ? "iu" : "u"}${flags}`);
}

/** Codes that are no words of any language when they stand in capitals. */
export const currencyCodes = rows.filter(({ isWord }) => !isWord).map(({ code }) => code);

/** How many decimals its amounts have: a yen has no cents, a dinar a thousand parts. */
export function decimalsOf(currency: string | undefined): number {
  return rows.find(({ code }) => code === currency)?.decimals ?? 2;
}

const written: [RegExp, string][] = [
  ...currencyCodes.map((code): [RegExp, string] => [new RegExp(`(?<![A-Z])${code}(?![A-Z])`, "g"), code]),
  ...rows.flatMap(({ sign, code }): [RegExp, string][] => (sign ? [[sign, code]] : [])),
];
/** Over a column of ringgits; "(RM)" behind a town is Rome. */
const headedRinggit = /\(RM\)|(?<=^| {2}|:\s?)RM(?![\p{L}\d])/mu;
const crowns = ["NOK", "DKK", "SEK"];

/** The currency a document is in: the one whose sign or code stands in it most. */
export function findCurrency(text: string): { code: string } | undefined {
  let rest = text;
  const counts = new Map<string, number>();
  for (const [all, own] of written) {
    const count = rest.match(all)?.length ?? 0;
    if (count === 0) continue;
    rest = rest.replace(all, " ");
    counts.set(own, (counts.get(own) ?? 0) + count);
  }
  const [code] = [...counts].sort((left, right) => right[1] - left[1])[0] ?? [
    headedRinggit.test(text) ? "MYR" : undefined,
  ];
  if (code === undefined) return undefined;
  const isBareDollar = code === "USD" && !/USD|US\$|US dollar/i.test(text) && !/\b[A-Z]{2} \d{5}\b/.test(text);
  return { code: (isBareDollar ? countryOf(text, false) : undefined) ?? code };
}

/** "884,74 kr" is as much Swedish as Danish or Norwegian; the words beside it are not. */
export function findCrowns(text: string): string | undefined {
  return /\d\s?kr\b|\bkr\.?\s?\d/i.test(text) ? countryOf(text, true) : undefined;
}

/** Whose crowns, or dollars and pesos, they are, by what only that country writes on its documents. */
function countryOf(text: string, isCrown: boolean): string | undefined {
  return rows.find(({ code, home }) => home?.test(text) && crowns.includes(code) === isCrown)?.code;
}

/** What a document without any sign is most likely in: the money of the country whose bank or tax numbers it carries. */
export function currencyOfCodes(codes: readonly string[]): string | undefined {
  const found = codes.map((code) => countries.get(code.slice(0, 2))?.currency).filter(Boolean);
  return found.includes("EUR") ? "EUR" : found[0];
}
