import { compilePattern } from "../compile-pattern.ts";
import type { Context } from "../fields/context.ts";
import { fold } from "../reading/normalize.ts";
import { findOfType } from "../templates/convert-value.ts";
import { type Bounds, fieldTypeOf, type ScalarNode } from "./parse-schema.ts";

/** A value in the type that the schema states, or null when it cannot be that. */
export function castValue(context: Context, node: ScalarNode, value: unknown): string | number | boolean | null {
  const cast = toType(context, node, value);
  if (cast === null || !isWithin(cast, node.bounds ?? {})) return null;
  if (node.values) return node.values.find((wanted) => isAlike(wanted, cast)) ?? null;
  if (node.pattern === undefined || typeof cast !== "string") return cast;
  return compilePattern(node.pattern, "schema").matcher(cast).find() ? cast : null;
}

function isWithin(value: string | number | boolean, bounds: Bounds): boolean {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = bounds;
  if (typeof value === "number")
    return value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum;
  if (typeof value !== "string") return true;
  // JSON Schema counts code points.
  const { length } = [...value];
  return length >= (bounds.minLength ?? 0) && length <= (bounds.maxLength ?? Infinity);
}

function isAlike(wanted: string | number | boolean, found: string | number | boolean): boolean {
  const bare = (text: unknown): string =>
    fold(String(text))
      .replace(/[\s_-]+/g, " ")
      .trim();
  return wanted === found || bare(wanted) === bare(found);
}

function toType(context: Context, node: ScalarNode, value: unknown): string | number | boolean | null {
  const type = fieldTypeOf(node);
  const found = (text: string) => (findOfType(context, type, text)[0]?.value ?? null) as string | boolean | null;
  if (type === "boolean") return typeof value === "string" ? found(value) : typeof value === "boolean" ? value : null;
  if (type === "number" || type === "integer") {
    const number = typeof value === "string" ? numberOf(context, value) : value;
    if (typeof number !== "number" || !Number.isFinite(number)) return null;
    return type === "number" || Number.isInteger(number) ? number : null;
  }
  if (typeof value === "number") return type === "string" ? String(value) : null;
  if (typeof value !== "string" || value.trim() === "") return null;
  const isAsWanted = type === "string" || (type === "date" && /^\d{4}-\d{2}-\d{2}$/.test(value));
  return isAsWanted ? value.trim() : found(value);
}

/** A unit or a currency beside a number is no part of it; other words make something else of it. */
const longestUnit = 4;

function numberOf(context: Context, text: string): number | null {
  const found = context.numbersOf(text);
  if (found.length !== 1) return null;
  const around = text.slice(0, found[0]!.from) + text.slice(found[0]!.to);
  return around.replace(/[^\p{L}\d]/gu, "").length <= longestUnit ? found[0]!.value : null;
}
