import type { DocumentType } from "../fields/classify.ts";

export interface BuiltInTemplate {
  readonly id: string;
  readonly name: string;
  readonly document_type: DocumentType;
  readonly description: string;
  readonly fields: readonly {
    name: string;
    type: string;
    required: boolean;
    columns?: readonly { name: string; type: string }[];
  }[];
}

const field = (name: string, type: string, required = false) => ({ name, type, required });
const table = (name: string, columns: Record<string, string>) => ({
  ...field(name, "table"),
  columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
});
const lineItems = table("lines", {
  description: "string",
  quantity: "number",
  unit_price: "currency",
  total: "currency",
});

/** Templates that are always there; their rules are the built-in readers themselves. */
export const builtInTemplates: readonly BuiltInTemplate[] = [
  {
    id: "tpl_invoice",
    name: "Invoice",
    document_type: "invoice",
    description: "Invoices and credit notes in any layout; e-invoices by their embedded data.",
    fields: [
      field("invoice_number", "string", true),
      field("issue_date", "date", true),
      field("due_date", "date"),
      field("purchase_order", "string"),
      field("currency", "string"),
      field("seller.name", "string", true),
      field("seller.address", "address"),
      field("seller.vat_id", "vat_id"),
      field("buyer.name", "string"),
      field("buyer.address", "address"),
      field("buyer.vat_id", "vat_id"),
      field("net_total", "currency"),
      field("tax_total", "currency"),
      field("grand_total", "currency", true),
      field("iban", "iban"),
      lineItems,
    ],
  },
  {
    id: "tpl_receipt",
    name: "Receipt",
    document_type: "receipt",
    description: "Till receipts, scanned or photographed.",
    fields: [
      field("company", "string", true),
      field("address", "address"),
      field("date", "date", true),
      field("total", "currency", true),
      field("currency", "string"),
      field("tax", "currency"),
      lineItems,
    ],
  },
  {
    id: "tpl_bank_statement",
    name: "Bank statement",
    document_type: "bank_statement",
    description: "Account statements with their movements, checked against the running balance.",
    fields: [
      field("bank", "string"),
      field("account_holder", "string"),
      field("account_number", "string", true),
      field("period_start", "date"),
      field("period_end", "date"),
      field("opening_balance", "currency"),
      field("closing_balance", "currency", true),
      table("transactions", {
        date: "date",
        description: "string",
        debit: "currency",
        credit: "currency",
        balance: "currency",
      }),
    ],
  },
  {
    id: "tpl_form",
    name: "Form",
    document_type: "form",
    description: "Keys with their values, and tables, of any form.",
    fields: [table("pairs", { key: "string", value: "string" }), table("tables", { page: "integer", rows: "table" })],
  },
];

export function findBuiltIn(id: string): BuiltInTemplate | undefined {
  return builtInTemplates.find((template) => template.id === id);
}
