import { cent } from "../reading/amounts.ts";
import { fold } from "../reading/normalize.ts";
import type { Check } from "./checks.ts";
import type { Context } from "./context.ts";
import type { EInvoice } from "./e-invoice.ts";
import type { Invoice } from "./invoice/invoice.ts";
import { type Finding, weigh } from "./pick.ts";
import { dateSpans, moneySpans } from "./spans.ts";

/** What the page says must be this sure before it contradicts the data inside the file. */
const sureOfPage = 0.8;
const compared = [
  "invoice_number",
  "issue_date",
  "due_date",
  "grand_total",
  "net_total",
  "tax_total",
  "iban",
  "currency",
];

/** The XML is exact; the page says where to look, fills what the XML leaves open, and may contradict. */
export function fromXml(
  context: Context,
  xml: EInvoice,
  page: Invoice,
): { fields: Record<string, Finding>; lines: Finding[]; checks: Check[] } {
  const { lines, taxes: _taxes, seller, buyer, type: _, ...head } = xml;
  const flat: Record<string, unknown> = { ...head };
  for (const [role, party] of [
    ["seller", seller],
    ["buyer", buyer],
  ] as const)
    for (const [name, value] of Object.entries(party)) flat[`${role}.${name}`] = value;
  const hasPage = context.layout.segments.length > 0;
  const fields: Record<string, Finding> = {};
  const checks: Check[] = [];
  for (const name of new Set([...Object.keys(flat), ...Object.keys(page.fields)])) {
    const value = flat[name] ?? null;
    const printed = page.fields[name];
    if (value === null) {
      // Only one of them speaks.
      if (printed && name in flat) fields[name] = printed;
      continue;
    }
    const agrees = printed !== undefined && isSame(value, printed.value);
    const contradicts =
      hasPage &&
      printed !== undefined &&
      !agrees &&
      compared.includes(name) &&
      printed.confidence >= sureOfPage &&
      !isPrinted(context, value);
    fields[name] = {
      ...weigh(name, {
        value,
        page: agrees ? printed.page : null,
        box: agrees ? printed.box : null,
        reading: 1,
        reasons: { embedded: 1, ...(agrees ? { checked: 1 } : contradicts ? { failed: 1 } : {}) },
      }),
      ...(contradicts ? { alternatives: [printed.value] } : {}),
    };
    if (contradicts)
      checks.push({
        name: `page_agrees_on_${name}`,
        passed: false,
        message: `The embedded data says ${JSON.stringify(value)}, the page ${JSON.stringify(printed.value)}.`,
      });
  }
  const placed = lines.map((line, index) =>
    weigh("lines", {
      value: line,
      page: page.lines[index]?.page ?? null,
      box: page.lines[index]?.box ?? null,
      reading: 1,
      reasons: { embedded: 1 },
    }),
  );
  return { fields, lines: placed, checks };
}

/** Whether the page shows the value anywhere, whatever it was taken for. */
function isPrinted(context: Context, value: unknown): boolean {
  if (typeof value === "number") return moneySpans(context).some((span) => isSame(span.value, value));
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value))
    return dateSpans(context).some((span) => span.value === value);
  return bare(context.layout.text).includes(bare(value));
}

export function isSame(left: unknown, right: unknown): boolean {
  if (typeof left === "number" && typeof right === "number") return Math.abs(Math.abs(left) - Math.abs(right)) < cent;
  return bare(left) === bare(right);
}

function bare(value: unknown): string {
  return fold(String(value)).replace(/[^\p{L}\d]/gu, "");
}
