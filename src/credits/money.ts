import { Problem } from "../platform/errors.ts";

/** Money is a whole number of pico-dollars (10^-12 USD), so that the cheapest token and its markup are exact. */
export type Pico = bigint;

export const picosPerDollar: Pico = 1_000_000_000_000n;

/** "10", "0.000153", "1.2e-7" or a number as JavaScript prints it. What lies below a pico-dollar is rounded up. */
export function parseDollars(amount: string | number): Pico {
  const match = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(amount).trim());
  if (!match) throw new Problem("invalid_request", `"${amount}" is not an amount of money, such as 5.00.`);
  const [, sign, whole = "0", fraction = "", exponent = "0"] = match;
  const digits = BigInt(whole + fraction);
  const scale = 12 - fraction.length + Number(exponent);
  const picos = scale >= 0 ? digits * 10n ** BigInt(scale) : divideUp(digits, 10n ** BigInt(-scale));
  return sign === "-" ? -picos : picos;
}

/** A plain decimal without an exponent and without needless zeros, at least two places: "10.00", "0.000153". */
export function formatDollars(picos: Pico): string {
  const sign = picos < 0n ? "-" : "";
  const digits = (picos < 0n ? -picos : picos).toString().padStart(13, "0");
  const fraction = digits.slice(-12).replace(/0+$/, "").padEnd(2, "0");
  return `${sign}${digits.slice(0, -12)}.${fraction}`;
}

/** What the customer pays for what the provider took: 20 % more, rounded up once. */
export function addMarkup(cost: Pico): Pico {
  return divideUp(cost * 6n, 5n);
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
