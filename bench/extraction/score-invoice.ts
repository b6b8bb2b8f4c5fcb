import type { Extraction } from "../../src/extraction/fields/extract-fields.ts";
import type { LineItem } from "../../src/extraction/fields/line-items.ts";
import { type Outcome, sameName } from "./outcome.ts";

interface InvoiceTruth {
  [name: string]: unknown;
  seller?: { name?: string; vat_id?: string };
  buyer?: { name?: string };
  lines?: { quantity?: number | null; total?: number | null; name?: string; description?: string }[];
  visible?: Record<string, boolean | boolean[]>;
}

const names: Record<string, string> = {
  invoice_number: "invoice_number",
  issue_date: "issue_date",
  due_date: "due_date",
  currency: "currency",
  net_total: "net_total",
  tax_total: "tax_total",
  grand_total: "grand_total",
  iban: "iban",
  seller_name: "seller.name",
  buyer_name: "buyer.name",
  seller_vat_id: "seller.vat_id",
  purchase_order: "purchase_order",
};

/** Scores the header fields that are printed on the page, as the data's README says. */
export function scoreInvoice(truth: InvoiceTruth, found: Extraction): Outcome[] {
  const outcomes: Outcome[] = [];
  const expected: Record<string, unknown> = {
    ...truth,
    seller_name: truth.seller?.name,
    seller_vat_id: truth.seller?.vat_id,
    buyer_name: truth.buyer?.name,
  };
  for (const [name, path] of Object.entries(names)) {
    const want = expected[name];
    if (want === undefined || want === null || want === "") continue;
    if (truth.visible && truth.visible[name] !== true && name !== "currency") continue;
    const got = found.fields[path]?.value;
    outcomes.push({
      field: name,
      want,
      got,
      isRight: isSameValue(name, want, got),
      confidence: found.fields[path]?.confidence,
    });
  }
  return outcomes;
}

export function isSameValue(name: string, want: unknown, got: unknown): boolean {
  if (got === undefined || got === null) return false;
  if (typeof want === "number") return Math.abs(Math.abs(want) - Math.abs(Number(got))) <= 0.0101;
  if (name === "iban" || name.endsWith("vat_id")) return code(want) === code(got);
  if (name.endsWith("_name")) return sameName(String(want), String(got));
  return String(want).replace(/\s/g, "").toUpperCase() === String(got).replace(/\s/g, "").toUpperCase();
}

/** Matches lines by total and quantity; counts hits, found and wanted. */
export function scoreLines(truth: InvoiceTruth, found: Extraction): { hits: number; found: number; wanted: number } {
  const visible = truth.visible?.lines as boolean[] | undefined;
  const all = truth.lines ?? [];
  const wanted = all.filter((_, index) => visible?.[index] !== false);
  const hidden = all.filter((_, index) => visible && visible[index] === false);
  const items = (found.data.lines ?? []) as LineItem[];
  const open = [...items];
  let hits = 0;
  const take = (line: { quantity?: number | null; total?: number | null }): boolean => {
    const at = open.findIndex(
      (item) =>
        line.total != null &&
        Math.abs(Math.abs(item.total ?? Number.NaN) - Math.abs(line.total)) <= 0.0101 &&
        (line.quantity == null ||
          (item.quantity !== null && Math.abs(Math.abs(item.quantity) - Math.abs(line.quantity)) < 0.001)),
    );
    if (at < 0) return false;
    open.splice(at, 1);
    return true;
  };
  for (const line of wanted) if (take(line)) hits++;
  // Lines whose printed form differs from the data are neither wanted nor wrong.
  const ignored = visible && hidden.length > 0 ? Math.min(open.length, hidden.length) : 0;
  return { hits, found: items.length - ignored, wanted: wanted.length };
}

/** Everything that the truth of a hybrid invoice states must be exact, its lines included. */
export function scoreEInvoice(truth: InvoiceTruth, found: Extraction): Outcome[] {
  const outcomes = scoreInvoice({ ...truth, visible: undefined as never }, found);
  const lines = scoreLines({ ...truth, visible: undefined as never }, found);
  return [
    ...outcomes,
    {
      field: "lines",
      want: lines.wanted,
      got: lines.found,
      isRight: lines.hits === lines.wanted && lines.found === lines.wanted,
      confidence: undefined,
    },
  ];
}

/** Codes without blanks and marks; "MWST" behind a Swiss number says what it is and is no part of it. */
function code(value: unknown): string {
  return String(value)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .replace(/(?<=^CHE\d{9})(MWST|TVA|IVA)$/, "");
}
