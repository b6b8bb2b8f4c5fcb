import type { Found } from "../fields/claims.ts";
import type { Context } from "../fields/context.ts";
import { findIbans, findVatIds, isValidIban } from "../reading/checks.ts";
import { findDates } from "../reading/dates.ts";
import { fold } from "../reading/normalize.ts";
import type { FieldType } from "./field-types.ts";

/** All values of a type in a text, in order. */
export function findOfType(context: Context, type: FieldType, text: string): Found<unknown>[] {
  switch (type) {
    case "date":
      return findDates(text, context.dateOrder).map(({ iso, from, to }) => ({ value: iso, from, to }));
    case "number":
    case "integer":
    case "currency":
    case "money":
      return context
        .numbersOf(text)
        .filter((number) => type !== "integer" || number.decimals === 0)
        .map(({ value, from, to }) => ({ value, from, to }));
    case "boolean":
      return findBoolean(text);
    case "iban":
      return findIbans(text);
    case "vat_id":
      return findVatIds(text);
    case "email":
      return match(text, /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g);
    case "phone":
      return match(text, /\+?\(?\d[\d\s()./-]{6,18}\d/g);
    default:
      return wholeText(text);
  }
}

/** Where in a text a value stands, however the page writes it. */
export function placesOf(context: Context, type: FieldType, text: string, value: unknown): Found<unknown>[] {
  if (type !== "string") return findOfType(context, type, text).filter((found) => isSame(found.value, value));
  const from = fold(text).indexOf(fold(String(value)));
  return from < 0 ? [] : [{ value, from, to: from + String(value).length }];
}

export function isSame(found: unknown, wanted: unknown): boolean {
  if (typeof found === "number" && typeof wanted === "number") return Math.abs(found - wanted) < 0.005;
  if (typeof found !== "string" || typeof wanted !== "string") return found === wanted;
  return fold(found).replace(/\s/g, "") === fold(wanted).replace(/\s/g, "");
}

/** The type that a value given by a person has. */
export function typeOfValue(value: unknown): FieldType {
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return Number.isInteger(value) ? "number" : "currency";
  const text = String(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return "date";
  if (isValidIban(text)) return "iban";
  return /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(text) ? "email" : "string";
}

function findBoolean(text: string): Found<boolean>[] {
  const found = /\[\s*([xX✓✔]?)\s*\]|[☐☒☑✓✔]|\b(yes|no|true|false|ja|nein|oui|non|si|sì|sí|nee|sim|não|nao)\b/iu.exec(
    text,
  );
  if (!found) return [];
  const value = found[1] !== undefined ? found[1] !== "" : /[☒☑✓✔]|^(yes|true|ja|oui|si|sì|sí|sim)$/iu.test(found[0]);
  return [{ value, from: found.index, to: found.index + found[0].length }];
}

function match(text: string, pattern: RegExp): Found<string>[] {
  return [...text.matchAll(pattern)].map((found) => ({
    value: found[0],
    from: found.index,
    to: found.index + found[0].length,
  }));
}

function wholeText(text: string): Found<string>[] {
  const lead = /^[\s:：#.–-]*/.exec(text)![0].length;
  const value = text.slice(lead).trim();
  return /[\p{L}\d]/u.test(value) ? [{ value, from: lead, to: lead + value.length }] : [];
}
