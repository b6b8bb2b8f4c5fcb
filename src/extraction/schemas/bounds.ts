const ofNumbers = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const;
const ofLengths = ["minLength", "maxLength"] as const;

/** How large a number and how long a text may be, in the words of JSON Schema. */
export type Bounds = { readonly [Name in (typeof ofNumbers)[number] | (typeof ofLengths)[number]]?: number };

/** Those that a schema states; `complain` about what is no bound. */
export function readBounds(schema: Record<string, unknown>, complain: (name: string, what: string) => never): Bounds {
  const bounds: Record<string, number> = {};
  for (const name of [...ofNumbers, ...ofLengths]) {
    const value = schema[name];
    if (value === undefined) continue;
    const isLength = (ofLengths as readonly string[]).includes(name);
    if (typeof value !== "number" || !Number.isFinite(value)) complain(name, "must be a number");
    if (isLength && (!Number.isInteger(value) || (value as number) < 0))
      complain(name, "must be a whole number from 0");
    bounds[name] = value as number;
  }
  return bounds;
}

export function isWithin(value: string | number | boolean, bounds: Bounds): boolean {
  if (typeof value === "number")
    return (
      value >= (bounds.minimum ?? Number.NEGATIVE_INFINITY) &&
      value <= (bounds.maximum ?? Number.POSITIVE_INFINITY) &&
      value > (bounds.exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
      value < (bounds.exclusiveMaximum ?? Number.POSITIVE_INFINITY)
    );
  if (typeof value !== "string") return true;
  // JSON Schema counts code points.
  const length = [...value].length;
  return length >= (bounds.minLength ?? 0) && length <= (bounds.maxLength ?? Number.POSITIVE_INFINITY);
}
