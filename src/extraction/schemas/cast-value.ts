import type { Context } from "../fields/context.ts";
import { fold } from "../reading/normalize.ts";
import { findOfType } from "../templates/convert-value.ts";
import type { FieldType } from "../templates/field-types.ts";
import { compilePattern } from "../templates/parse-template.ts";
import { isWithin } from "./bounds.ts";
import type { ScalarNode } from "./parse-schema.ts";

/** What is looked for on the page. A page has dates, hardly ever moments: no time is made up for "date-time". */
export function fieldTypeOf({ type, format }: ScalarNode): FieldType {
  if (type !== "string") return type;
  if (format === "date" || format === "date-time") return "date";
  return format === "email" ? "email" : "string";
}

/** A value in the type that the schema states, or null when it cannot be that. */
export function castValue(context: Context, node: ScalarNode, value: unknown): string | number | boolean | null {
  const cast = toType(context, node, value);
  if (cast === null || !isWithin(cast, node.bounds ?? {})) return null;
  if (node.values) return node.values.find((wanted) => isAlike(wanted, cast)) ?? null;
  if (node.pattern === undefined || typeof cast !== "string") return cast;
  return compilePattern(node.pattern, "schema").matcher(cast).find() ? cast : null;
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
  if (type === "boolean") {
    if (typeof value === "boolean") return value;
    return typeof value === "string"
      ? ((findOfType(context, type, value)[0]?.value as boolean | undefined) ?? null)
      : null;
  }
  if (type === "number" || type === "integer") {
    const number = typeof value === "string" ? numberOf(context, value) : value;
    if (typeof number !== "number" || !Number.isFinite(number)) return null;
    return type === "number" || Number.isInteger(number) ? number : null;
  }
  if (typeof value === "number") return type === "string" ? String(value) : null;
  if (typeof value !== "string" || value.trim() === "") return null;
  if (type === "string") return value.trim();
  if (type === "date" && /^\d{4}-\d{2}-\d{2}$/.test(value)) return value;
  return (findOfType(context, type, value)[0]?.value as string | undefined) ?? null;
}

/** A unit or a currency beside a number is no part of it; other words make something else of it. */
const longestUnit = 4;

function numberOf(context: Context, text: string): number | null {
  const found = context.numbersOf(text);
  if (found.length !== 1) return null;
  const around = text.slice(0, found[0]!.from) + text.slice(found[0]!.to);
  return around.replace(/[^\p{L}\d]/gu, "").length <= longestUnit ? found[0]!.value : null;
}
