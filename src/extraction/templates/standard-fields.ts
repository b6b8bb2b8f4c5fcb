import { table } from "../../platform/table.ts";
import type { ReadDocument } from "../../ports/document-reader.ts";
import type { DocumentType } from "../fields/classify.ts";
import type { LocaleHints } from "../fields/context.ts";
import { type Extraction, extractFields } from "../fields/extract-fields.ts";
import { fold } from "../reading/normalize.ts";

/** Where a field of a template is found in what the built-in readers already know. */
export interface StandardField {
  readonly type: "invoice" | "receipt" | "bank_statement";
  /** Its path in the built-in result. */
  readonly path: string;
}

const names: Record<string, string> = table({
  "invoice:invoice_number":
    "invoice number|invoice no|number|invoice id|document number|bill number|rechnungsnummer|numero de facture|invoice_no",
  "invoice:issue_date": "issue date|invoice date|date of issue|document date|rechnungsdatum|date",
  "invoice:due_date": "due date|payment due|payment due date|pay by|faelligkeit|falligkeit",
  "invoice:purchase_order":
    "purchase order|po|po number|order number|order reference|purchase order number|bestellnummer",
  "invoice:currency": "currency|currency code|waehrung|wahrung",
  "invoice:net_total":
    "net total|subtotal|net|net amount|total net|sub total|netto|total before tax|amount excluding tax",
  "invoice:tax_total": "tax total|tax|vat|tax amount|vat amount|total tax|mwst|sales tax",
  "invoice:grand_total":
    "grand total|total|total amount|amount due|invoice total|gross total|amount|total due|gesamtbetrag|balance due",
  "invoice:iban": "iban|account iban|bank account",
  "invoice:seller.name":
    "seller|seller name|vendor|vendor name|supplier|supplier name|issuer|from|company name|merchant|seller.name|vendor.name|supplier.name",
  "invoice:seller.address":
    "seller address|vendor address|supplier address|seller.address|vendor.address|supplier.address",
  "invoice:seller.vat_id": "vat id|seller vat id|vat number|vendor vat|seller.vat_id|tax id|vendor.vat_id",
  "invoice:buyer.name":
    "buyer|buyer name|customer|customer name|client|client name|bill to|billed to|buyer.name|customer.name",
  "invoice:buyer.address": "buyer address|customer address|billing address|buyer.address|customer.address",
  "invoice:buyer.vat_id": "buyer vat id|customer vat id|buyer.vat_id|customer.vat_id",
  "invoice:lines": "lines|line items|items|positions|products|invoice lines|positionen",
  "receipt:company": "company|shop|store|merchant name",
  "receipt:address": "address|shop address|store address",
  "receipt:date": "receipt date|purchase date",
  "receipt:total": "receipt total",
  "bank_statement:bank": "bank|bank name",
  "bank_statement:account_holder": "account holder|account name",
  "bank_statement:account_number": "account number|account no",
  "bank_statement:opening_balance": "opening balance",
  "bank_statement:closing_balance": "closing balance",
  "bank_statement:period_start": "period start|statement start",
  "bank_statement:period_end": "period end|statement end",
  "bank_statement:transactions": "transactions|movements",
});

const byName = new Map<string, StandardField>();
for (const [key, list] of Object.entries(names)) {
  const [type, path] = key.split(":") as [StandardField["type"], string];
  byName.set(`${type}.${path}`, { type, path });
  for (const name of list.split("|")) if (!byName.has(bare(name))) byName.set(bare(name), { type, path });
}
byName.set("invoice.number", { type: "invoice", path: "invoice_number" });
byName.set("invoice.total", { type: "invoice", path: "grand_total" });

/** `invoice.grand_total`, or a field name that means the same. */
export function findStandard(name: string): StandardField | undefined {
  return byName.get(name) ?? byName.get(bare(name));
}

function bare(name: string): string {
  return fold(name).replace(/[^a-z0-9.]/g, "");
}

/** What a built-in reader finds in one document; each reader runs at most once. */
export type StandardReader = (type: DocumentType) => Extraction;

export function standardReader(document: ReadDocument, hints: LocaleHints = {}): StandardReader {
  const known = new Map<DocumentType, Extraction>();
  return (type) => {
    const found = known.get(type) ?? extractFields(document, type, hints);
    known.set(type, found);
    return found;
  };
}
