import { Problem } from "../../platform/errors.ts";
import type { Check } from "../fields/checks.ts";
import { getPath } from "../paths.ts";
import type { TemplateDefinition, TemplateField } from "./schema.ts";

/** A sum or a product of fields, as in `subtotal + tax` or `sum(items.amount)`. */
type Expression = (values: Record<string, unknown>) => number | null;

const tolerance = 0.015;
const symbol =
  /\s*(?:(?<number>\d+(?:\.\d+)?)|sum\s*\(\s*(?<list>[\w.-]+)\.(?<column>\w+)\s*\)|(?<name>[A-Za-z_][\w.]*)|(?<sign>[-+*]))/y;

/** Whether the sums that a template promises hold; one with a missing part says nothing. */
export function runTemplateChecks(template: TemplateDefinition, data: Record<string, unknown>): Check[] {
  const whole = (template.checks ?? []).flatMap((text): Check[] => {
    const outcome = compare(text, data);
    return outcome ? [{ name: text, ...outcome }] : [];
  });
  return [...whole, ...template.fields.flatMap((field) => checkRows(field, data))];
}

/** Refuses what cannot be read, so that a mistake shows when the template is written. */
export function validateChecks(template: TemplateDefinition): void {
  for (const text of [...(template.checks ?? []), ...template.fields.flatMap((field) => field.row_check ?? [])])
    parseEquation(text);
}

function checkRows(field: TemplateField, data: Record<string, unknown>): Check[] {
  const rows = getPath(data, field.name);
  if (!field.row_check || !Array.isArray(rows)) return [];
  const wrong = rows.flatMap((row, index) =>
    compare(field.row_check!, row as Record<string, unknown>)?.passed === false ? [index + 1] : [],
  );
  const message = wrong.length === 0 ? `${rows.length} rows agree.` : `Rows ${wrong.join(", ")} do not agree.`;
  return [{ name: `${field.name}: ${field.row_check}`, passed: wrong.length === 0, message }];
}

function compare(text: string, values: Record<string, unknown>): { passed: boolean; message: string } | undefined {
  const [left, right] = parseEquation(text).map((side) => side(values)) as [number | null, number | null];
  if (left === null || right === null) return undefined;
  const passed = Math.abs(left - right) < tolerance;
  return { passed, message: `${cents(left)} ${passed ? "=" : "is not"} ${cents(right)}` };
}

function parseEquation(text: string): [Expression, Expression] {
  const sides = text.split("=");
  if (sides.length !== 2) throw unreadable(text);
  return [parseSide(sides[0]!, text), parseSide(sides[1]!, text)];
}

/** Products before sums; no brackets. */
function parseSide(side: string, whole: string): Expression {
  const terms: { sign: number; factors: Expression[] }[] = [{ sign: 1, factors: [] }];
  let expectsValue = true;
  symbol.lastIndex = 0;
  while (side.slice(symbol.lastIndex).trim() !== "") {
    const found = symbol.exec(side)?.groups;
    if (!found || (found.sign !== undefined) === expectsValue) throw unreadable(whole);
    if (found.sign === undefined) terms.at(-1)!.factors.push(readSymbol(found));
    else if (found.sign !== "*") terms.push({ sign: found.sign === "-" ? -1 : 1, factors: [] });
    expectsValue = found.sign !== undefined;
  }
  if (expectsValue) throw unreadable(whole);
  return (values) => {
    let sum = 0;
    for (const { sign, factors } of terms) {
      let product = sign;
      for (const factor of factors) {
        const value = factor(values);
        if (value === null) return null;
        product *= value;
      }
      sum += product;
    }
    return sum;
  };
}

function readSymbol(found: Record<string, string | undefined>): Expression {
  if (found.number !== undefined) return () => Number(found.number);
  if (found.list !== undefined) {
    return (values) => {
      const rows = getPath(values, found.list!);
      if (!Array.isArray(rows)) return null;
      const cells = rows.map((row) => (row as Record<string, unknown>)[found.column!]);
      return cells.every((cell) => typeof cell === "number") ? cells.reduce((sum, cell) => sum + cell, 0) : null;
    };
  }
  return (values) => {
    const value = getPath(values, found.name!);
    return typeof value === "number" ? value : null;
  };
}

function cents(value: number): number {
  return Math.round(value * 100) / 100;
}

function unreadable(text: string): Problem {
  return new Problem(
    "invalid_request",
    `The check ${JSON.stringify(text)} cannot be read. Write it as "subtotal + tax = total" or "sum(items.amount) = subtotal".`,
  );
}
