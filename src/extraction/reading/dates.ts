import { fold, remembering } from "./normalize.ts";
import { monthNumbers } from "./words.ts";

export type DateOrder = "dmy" | "mdy";

export interface FoundDate {
  /** ISO 8601 day, e.g. 2024-03-01. */
  readonly iso: string;
  readonly from: number;
  readonly to: number;
  /** The order of day and month decided how it was read. */
  readonly isAmbiguous: boolean;
}

interface RawDate {
  readonly from: number;
  readonly to: number;
  readonly year: number;
  /** Known day and month, or two numbers whose order is open. */
  readonly day?: number;
  readonly month?: number;
  readonly first?: number;
  readonly second?: number;
}

const month = "\\p{L}{3,12}\\.?";
const year = "(?:19|20)\\d{2}|['’]?\\d{2}";
/** Year, month and day by their letters; `a` and `b` are day and month in an order that is open. */
const patterns: readonly RegExp[] = [
  // The year of "06/01/2024 - 06/30/2024" belongs to the date before it.
  /(?<!\d|\d[-/.])(?<y>(?:19|20)\d{2})\s?[-/.年]\s?(?<m>\d{1,2})\s?[-/.月]\s?(?<d>\d{1,2})(?!\d)/gu,
  /(?<![\d.,/]|(?<!(?:19|20)\d{2})-)(?<a>\d{1,2})\s?[/.\-–]\s?(?<b>\d{1,2})\s?[/.\-–]\s?(?<y>(?:19|20)\d{2}|\d{2})(?!\d|[.,]\d|\/\d(?!\d?:\d))/gu,
  // A time glued to the year, as recognition often leaves it.
  /(?<![\d.,/-])(?<a>\d{1,2})[/.-](?<b>\d{1,2})[/.-](?<y>(?:19|20)\d{2})(?=\d{1,2}:\d{2})/gu,
  new RegExp(
    `(?<![\\d.,/])(?<d>\\d{1,2})\\s?(?:(?:st|nd|rd|th|er)(?!\\p{L})|[º°ª.])?[\\s,./-]*(?:of |de |di |den )?(?<m>${month})[\\s,./-]*(?:de |del |of )?(?<y>${year})(?!\\d)`,
    "giu",
  ),
  new RegExp(
    `(?<!\\p{L})(?<m>${month})[\\s.-]*(?<d>\\d{1,2})\\s?(?:st|nd|rd|th)?\\s?(?:[\\s,.]+|-|(?='))\\s?(?<y>(?:19|20)\\d{2}|'\\s?\\d{2})(?!\\d)`,
    "giu",
  ),
  new RegExp(`(?<!\\d)(?<y>(?:19|20)\\d{2})[.,]?\\s(?:m\\.\\s)?(?<m>${month})\\s(?<d>\\d{1,2})(?!\\d)`, "giu"),
  // "dn.26r10.03" of Polish tills.
  /(?<!\d)(?<y>\d{2})r\.?(?<m>\d{2})\.(?<d>\d{2})(?!\d)/gu,
  /(?<!\d)(?<d>\d{1,2}) tháng (?<m>\d{1,2}) năm (?<y>(?:19|20)\d{2})/giu,
  // "2026. gada 9. februāris"
  new RegExp(`(?<!\\d)(?<y>(?:19|20)\\d{2})\\.?\\sgada\\s(?<d>\\d{1,2})\\.?\\s(?<m>${month})`, "giu"),
  /(?<!\d)(?<y>20\d{2})(?<m>0[1-9]|1[0-2])(?<d>0[1-9]|[12]\d|3[01])(?!\d)/gu,
];

/** All dates of a text that exist in the calendar. */
export function findDates(text: string, order: DateOrder): FoundDate[] {
  return findRawDates(text).flatMap((raw) => {
    const iso = settle(raw, order);
    const other = settle(raw, order === "dmy" ? "mdy" : "dmy");
    if (!iso && !other) return [];
    return [{ iso: (iso ?? other)!, from: raw.from, to: raw.to, isAmbiguous: Boolean(iso && other && iso !== other) }];
  });
}

/**
 * Decides once per document whether the day or the month comes first: dates that fit only one order decide,
 * then the order that does not throw the document's dates months apart, then what the place suggests.
 */
export function voteDateOrder(text: string): { order: DateOrder; isOpen: boolean } {
  let dayFirst = 0;
  let monthFirst = 0;
  const open: RawDate[] = [];
  const fixed: number[] = [];
  for (const raw of findRawDates(text)) {
    if (raw.first === undefined || raw.second === undefined) {
      const iso = settle(raw, "dmy");
      if (iso) fixed.push(Date.parse(iso));
    } else if (raw.first > 12 && raw.second <= 12) dayFirst++;
    else if (raw.second > 12 && raw.first <= 12) monthFirst++;
    else if (raw.first !== raw.second) open.push(raw);
  }
  if (dayFirst !== monthFirst) return sure(dayFirst > monthFirst ? "dmy" : "mdy");
  if (/(?<!\d)\d{1,2}\.\d{1,2}\.(?:19|20)?\d{2}(?!\d)/.test(text)) return sure("dmy");
  if (open.length > 0 && open.length + fixed.length > 1) {
    const spread = (order: DateOrder): number => {
      const days = [...fixed, ...open.map((raw) => Date.parse(settle(raw, order) ?? "1900-01-01"))];
      return Math.max(...days) - Math.min(...days);
    };
    const difference = spread("dmy") - spread("mdy");
    // Terms of payment spread dates over weeks, so only a spread over many months says that the order is wrong.
    if (Math.abs(difference) > 120 * 86_400_000) return sure(difference < 0 ? "dmy" : "mdy");
  }
  // Canadians write their dates in either order.
  if (looksCanadian(text)) return { order: "mdy", isOpen: open.length > 0 };
  if (looksAmerican(text)) return sure("mdy");
  return { order: "dmy", isOpen: open.length > 0 && !looksElsewhere(text) };
}

function sure(order: DateOrder): { order: DateOrder; isOpen: boolean } {
  return { order, isOpen: false };
}

/** A province behind a town, a postcode, or a tax that Canada alone has. */
function looksCanadian(text: string): boolean {
  return /\p{L}, ?(?:AB|BC|MB|NB|NL|NS|ON|PE|QC|SK|YT)\b(?!\s+\d{5})|\b[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d\b|\b(?:HST|TPS|TVQ)\b/u.test(
    text,
  );
}

/** Money, taxes, postcodes or words of a place where the day comes first. */
function looksElsewhere(text: string): boolean {
  return (
    /[£€]|\b(ABN|RM|SGD|AUD|CAD|NZD|HKD|CHF|SEK|DKK|NOK|PLN|CZK|HUF|RON|EUR|GBP|TVA|MwSt|IVA|BTW|moms)\b/.test(text) ||
    /\b(facture|rechnung|factura|fattura|factuur|fatura|datum|fecha|montant|betrag|faktura|lasku|sz[áa]mla|factur[ăa])\b/iu.test(
      text,
    ) ||
    (/\b(GST|VAT)\b/.test(text) && !/\b[A-Z]{2}\.?,?\s+\d{5}\b/.test(text)) ||
    // A British postcode.
    /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b/.test(text)
  );
}

/** A state and ZIP code, or dollars without anything that says Australia, Singapore, Canada and so on. */
export function looksAmerican(text: string): boolean {
  if (looksElsewhere(text)) return false;
  if (
    /\b(A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])\.?(,?\s+\d{5}(-\d{4})?\b|(?<=\p{L}, ?..)$)/mu.test(
      text,
    )
  ) {
    return true;
  }
  if (
    /,\s*(?:Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New \p{Lu}\p{Ll}+|North \p{Lu}\p{Ll}+|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South \p{Lu}\p{Ll}+|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming)\s+\d{5}\b/u.test(
      text,
    )
  )
    return true;
  return /\bsales tax\b|\bUSD\b|US dollars?/i.test(text) || (/\$\s?\d/.test(text) && !/[A-Z]{1,3}\$/.test(text));
}

const findRawDates = remembering((text: string): readonly RawDate[] => {
  const found: RawDate[] = [];
  // A day, a month and a year: three digits at least.
  if (!/\d\D*\d\D*\d/.test(text)) return found;
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      const { y, m, d, a, b } = match.groups as { y: string } & Partial<Record<"m" | "d" | "a" | "b", string>>;
      const parts = m ? { day: Number(d), month: monthOf(m) } : { first: Number(a), second: Number(b) };
      const raw = { ...parts, year: fullYear(y), from: match.index, to: match.index + match[0].length };
      const isTaken = found.some((other) => raw.from < other.to && other.from < raw.to);
      if (!isTaken && (settle(raw, "dmy") || settle(raw, "mdy"))) found.push(raw);
    }
  }
  return found.sort((left, right) => left.from - right.from);
});

function settle(raw: RawDate, order: DateOrder): string | undefined {
  const day = raw.day ?? (order === "dmy" ? raw.first : raw.second) ?? 0;
  const monthNumber = raw.month ?? (order === "dmy" ? raw.second : raw.first) ?? 0;
  if (raw.year < 1900 || raw.year > 2099 || monthNumber < 1 || monthNumber > 12 || day < 1) return undefined;
  if (day > new Date(Date.UTC(raw.year, monthNumber, 0)).getUTCDate()) return undefined;
  return `${raw.year}-${String(monthNumber).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

function monthOf(text: string): number {
  return Number(text) || (monthNumbers.get(fold(text).replace(/\.$/, "")) ?? 0);
}

function fullYear(text: string): number {
  const digits = Number(text.replace(/\D/g, ""));
  if (digits > 99) return digits;
  return digits < 60 ? 2000 + digits : 1900 + digits;
}
