import { type Country, countries } from "./countries.ts";
import { waysToSay } from "./vocabulary.ts";

/** Numbers that are the same on every run. */
export function seeded(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Party {
  readonly name: string;
  readonly street: string;
  readonly town: string;
  readonly vatId: string;
}

export interface Line {
  readonly description: string;
  readonly quantity: number;
  readonly price: number;
  readonly total: number;
  readonly rate: number;
}

/** A piece of business with everything a document about it may say. */
export interface Scenario {
  readonly country: Country;
  readonly random: () => number;
  /** The same words for the same thing throughout one document. */
  say(concept: string): string;
  money(value: number, withSign?: boolean): string;
  day(iso: string): string;
  readonly seller: Party;
  readonly buyer: Party;
  readonly number: string;
  readonly order: string;
  readonly customer: string;
  readonly issue: string;
  readonly due: string;
  readonly lines: readonly Line[];
  readonly discount: number;
  readonly shipping: number;
  readonly paid: number;
  readonly net: number;
  readonly taxes: readonly { readonly rate: number; readonly base: number; readonly tax: number }[];
  readonly tax: number;
  readonly gross: number;
  readonly iban: string;
}

export interface Wishes {
  readonly rates?: 1 | 2;
  readonly discount?: boolean;
  readonly shipping?: boolean;
  readonly paid?: boolean;
  readonly lines?: number;
}

export function makeScenario(countryCode: string, seed: number, wishes: Wishes = {}): Scenario {
  const country = countries.find(({ code }) => code === countryCode)!;
  const random = seeded(seed);
  const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(random() * from.length)]!;
  const words = new Map<string, string>();
  const say = (concept: string): string => {
    const known = words.get(concept) ?? pick(waysToSay(country.language, concept));
    words.set(concept, known);
    return known;
  };
  const round = (value: number): number => Math.round(value * 10 ** country.decimals) / 10 ** country.decimals;
  const dateFormat = pick(country.dates);
  const party = (name: string): Party => ({
    name,
    street: pick(country.streets),
    town: pick(country.towns),
    vatId: pick(country.vatIds),
  });
  const sellerName = pick(country.companies);
  const buyerName = pick([...country.companies, ...country.people].filter((name) => name !== sellerName));
  const seller = party(sellerName);
  let buyer = party(buyerName);
  while (buyer.street === seller.street) buyer = party(buyerName);
  const items = [...waysToSay(country.language, "items")];
  const scale = country.currency === "HUF" ? 400 : ["SEK", "DKK", "CZK"].includes(country.currency) ? 9 : 1;
  const lines = Array.from({ length: wishes.lines ?? 2 + Math.floor(random() * 4) }, (_, index): Line => {
    const description = items[index % items.length]!;
    const quantity = random() < 0.2 ? 1 + Math.floor(random() * 10) + 0.5 : 1 + Math.floor(random() * 12);
    const price = round((2 + random() ** 2 * 240) * scale);
    return {
      description: index < items.length ? description : `${description} ${index}`,
      quantity,
      price,
      total: round(quantity * price),
      rate: wishes.rates === 2 && index % 2 === 1 ? country.rates[1] : country.rates[0],
    };
  });
  const sum = round(lines.reduce((total, line) => total + line.total, 0));
  const discount = wishes.discount ? round(sum * 0.05) : 0;
  const shipping = wishes.shipping ? round(7.9 * scale) : 0;
  const rates = [...new Set(lines.map((line) => line.rate))];
  const taxes = rates.map((rate, index) => {
    const own = lines.filter((line) => line.rate === rate).reduce((total, line) => total + line.total, 0);
    const base = round(own + (index === 0 ? shipping - discount : 0));
    return { rate, base, tax: round((base * rate) / 100) };
  });
  const net = round(taxes.reduce((total, { base }) => total + base, 0));
  const tax = round(taxes.reduce((total, part) => total + part.tax, 0));
  const gross = round(net + tax);
  const issueDay = Date.UTC(2023 + Math.floor(random() * 3), Math.floor(random() * 12), 1 + Math.floor(random() * 28));
  const iso = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const digits = (count: number): string => Array.from({ length: count }, () => Math.floor(random() * 10)).join("");
  const number = pick([
    `${digits(5)}`,
    `${iso(issueDay).slice(0, 4)}-${digits(4)}`,
    `R${digits(6)}`,
    `F/${digits(3)}/${iso(issueDay).slice(2, 4)}`,
    `INV-${digits(5)}`,
  ]);
  return {
    country,
    random,
    say,
    money: (value, withSign = true) => writeMoney(country, value, withSign),
    day: (date) => writeDate(country, date, dateFormat),
    seller,
    buyer,
    number,
    order: `${pick(["PO", "B", ""])}${digits(5)}`,
    customer: `${1 + Math.floor(random() * 8)}${digits(4)}`,
    issue: iso(issueDay),
    due: iso(issueDay + pick([14, 30, 30, 45]) * 86_400_000),
    lines,
    discount,
    shipping,
    paid: wishes.paid ? round(gross * 0.3) : 0,
    net,
    taxes,
    tax,
    gross,
    iban: country.iban > 0 ? makeIban(country.code, digits(country.iban)) : "",
  };
}

export function writeMoney(country: Country, value: number, withSign: boolean): string {
  const [whole, fraction] = Math.abs(value).toFixed(country.decimals).split(".");
  const grouped = whole!.replace(/\B(?=(\d{3})+(?!\d))/g, country.thousands);
  const plain = `${value < 0 ? "-" : ""}${grouped}${fraction ? country.decimal + fraction : ""}`;
  if (!withSign || country.sign === "") return plain;
  return country.signBefore
    ? `${country.sign}${country.sign.length > 1 ? " " : ""}${plain}`
    : `${plain} ${country.sign}`;
}

export function writeDate(country: Country, iso: string, format: string): string {
  const [year, month, day] = iso.split("-") as [string, string, string];
  const isNamed = format.includes("long") || format.includes("mon");
  return format
    .replace("long", "\u0001")
    .replace("mon", "\u0002")
    .replace("yy", year.slice(2))
    .replace("y", year)
    .replace(/\bm\b/, format.includes(". m. ") ? String(Number(month)) : month)
    .replace(/\bd\b(?!e)/, isNamed || format.includes(". m. ") ? String(Number(day)) : day)
    .replace("\u0001", country.months[Number(month) - 1]!)
    .replace("\u0002", country.months[Number(month) - 1]!.slice(0, 3));
}

function makeIban(country: string, account: string): string {
  let rest = 0;
  for (const character of `${account}${country}00`)
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return `${country}${String(98 - rest).padStart(2, "0")}${account}`.replace(/(.{4})(?=.)/g, "$1 ");
}

/** Quantities as people write them: no decimals unless needed. */
export function writeQuantity({ country }: Scenario, quantity: number): string {
  return Number.isInteger(quantity) ? String(quantity) : String(quantity).replace(".", country.decimal);
}

export function writeRate({ country }: Scenario, rate: number): string {
  return `${String(rate).replace(".", country.decimal)}${country.language === "en" ? "%" : " %"}`;
}

/** What an extraction of an invoice or credit note about this business should say. */
export function invoiceTruth(
  scenario: Scenario,
  printed: { order?: boolean; due?: boolean; taxTotal?: boolean; vatId?: boolean; iban?: boolean; sign?: -1 },
): Record<string, unknown> {
  const sign = printed.sign ?? 1;
  return {
    invoice_number: scenario.number,
    issue_date: scenario.issue,
    due_date: printed.due === false ? null : scenario.due,
    purchase_order: printed.order ? scenario.order : null,
    currency: scenario.country.currency,
    seller: {
      name: scenario.seller.name,
      ...(printed.vatId ? { vat_id: scenario.seller.vatId.replace(/ MWST$/, "") } : {}),
    },
    buyer: { name: scenario.buyer.name },
    net_total: sign * scenario.net,
    tax_total: printed.taxTotal === false && scenario.taxes.length > 1 ? null : sign * scenario.tax,
    grand_total: sign * scenario.gross,
    iban: printed.iban && scenario.iban ? scenario.iban.replace(/ /g, "") : null,
    lines: scenario.lines.map(({ description, quantity, price, total }) => ({
      description,
      quantity,
      unit_price: price,
      total: sign * total,
    })),
  };
}
