/** Names of prices in the catalogs of the upstreams, beyond those that say "cost" or "price". */
const priceNames = new Set([
  "prompt",
  "completion",
  "request",
  "image",
  "image_output",
  "image_token",
  "audio",
  "audio_output",
  "internal_reasoning",
  "web_search",
]);

/** A model's `pricing` with the markup on every price, however nested, and on nothing else. */
export function markUpPrices(pricing: unknown): unknown {
  if (Array.isArray(pricing)) return pricing.map(markUpPrices);
  if (typeof pricing !== "object" || pricing === null) return pricing;
  return Object.fromEntries(
    Object.entries(pricing).map(([name, value]) => {
      if (typeof value === "object" && value !== null) return [name, markUpPrices(value)];
      return [name, isPriceName(name) ? markUpDecimal(value) : value];
    }),
  );
}

function isPriceName(name: string): boolean {
  return priceNames.has(name) || /cost|price|^(input|output)(_|$)/.test(name);
}

/** Six fifths, exactly: prices are shown with every digit they have. Text stays text, numbers stay numbers. */
export function markUpDecimal(value: unknown): unknown {
  if (typeof value !== "string" && typeof value !== "number") return value;
  const match = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if (!match) return value;
  const [, whole = "0", fraction = "", exponent = "0"] = match;
  const digits = BigInt(whole + fraction) * 12n;
  const text = placePoint(digits.toString(), fraction.length + 1 - Number(exponent));
  return typeof value === "number" ? Number(text) : text;
}

/** "12" with 3 places is "0.012". */
function placePoint(digits: string, places: number): string {
  if (places <= 0) return digits + "0".repeat(-places);
  const padded = digits.padStart(places + 1, "0");
  const fraction = padded.slice(-places).replace(/0+$/, "");
  const whole = padded.slice(0, -places);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
