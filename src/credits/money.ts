import { Problem } from "../platform/errors.ts";

/** Money is a whole number of pico-dollars (10^-12 USD), so that the cheapest token and its markup are exact. */
export type Pico = bigint;

export const picosPerDollar: Pico = 1_000_000_000_000n;

/** What providers take is counted in millionths of that (10^-18 USD): only what the customer pays is rounded, and only once. */
export type Atto = bigint;
export const attosPerPico = 1_000_000n;
const attoPlaces = 18;
const picoPlaces = 12;

/** The cost of something, exact to the eighteenth place. */
export function parseCost(amount: string | number): Atto {
  if (typeof amount === "number") {
    const picos = Math.round(amount * 1e12);
    if (Math.abs(picos) < 1e15 && picos / 1e12 === amount) return BigInt(picos) * attosPerPico;
  }
  return parseDecimal(amount, attoPlaces);
}

/** A cost as it stands in the records. */
export function toPicos(cost: Atto): Pico {
  return divideUp(cost, attosPerPico);
}

/** "10", "0.000153", "1.2e-7" or a number as JavaScript prints it. What lies below a pico-dollar is rounded up. */
export function parseDollars(amount: string | number): Pico {
  if (typeof amount === "number") {
    // Fifteen digits are told apart by every number: the one nearest to these picos is no other decimal's.
    const picos = Math.round(amount * 1e12);
    if (Math.abs(picos) < 1e15 && picos / 1e12 === amount) return BigInt(picos);
  }
  return parseDecimal(amount, picoPlaces);
}

function parseDecimal(amount: string | number, places: number): bigint {
  const match = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(amount).trim());
  if (!match) throw new Problem("invalid_request", `"${amount}" is not an amount of money, such as 5.00.`);
  const [, sign, whole = "0", fraction = "", exponent = "0"] = match;
  const units = shift(whole + fraction, places - fraction.length + Number(exponent));
  return sign === "-" ? -units : units;
}

/** Whole digits times a power of ten. */
function shift(digits: string, scale: number): Pico {
  if (scale < 0) return divideUp(BigInt(digits), 10n ** BigInt(-scale));
  // As long as it is exact, the arithmetic of numbers is five times as fast.
  const picos = Number(digits) * 10 ** scale;
  return picos <= Number.MAX_SAFE_INTEGER ? BigInt(picos) : BigInt(digits) * 10n ** BigInt(scale);
}

/** As a JSON number, exact to its last digit. */
export function toNumber(picos: Pico): number {
  // Both sides of the division are exact, so its result is the number nearest to the decimal.
  const number = Number(picos);
  return Number.isSafeInteger(number) ? number / 1e12 : Number(formatDollars(picos));
}

/** A plain decimal without an exponent and without needless zeros, at least two places: "10.00", "0.000153". */
export function formatDollars(picos: Pico): string {
  const sign = picos < 0n ? "-" : "";
  const digits = (picos < 0n ? -picos : picos).toString().padStart(13, "0");
  const fraction = digits.slice(-12).replace(/0+$/, "").padEnd(2, "0");
  return `${sign}${digits.slice(0, -12)}.${fraction}`;
}

/** What the customer pays for what the provider took: 20 % more, rounded up once. */
export function addMarkup(cost: Atto): Pico {
  return divideUp(cost * 6n, 5n * attosPerPico);
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
