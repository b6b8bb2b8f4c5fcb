import { table } from "../../platform/table.ts";
import type { Box, ReadDocument } from "../../ports/document-reader.ts";
import { readBankStatement } from "./bank-statement.ts";
import { classify, type DocumentType } from "./classify.ts";
import { confidenceOf, kindOf } from "./confidence.ts";
import { type Context, createContext, type LocaleHints } from "./context.ts";
import { type EInvoice, readEInvoice } from "./e-invoice.ts";
import type { Finding } from "./finding.ts";
import { type Invoice, readInvoice } from "./invoice.ts";
import { findPairs } from "./pairs.ts";
import { readReceipt } from "./receipt.ts";
import { findTables } from "./tables.ts";

/** One field of the result with where it was read. */
export interface ExtractedField {
  value: unknown;
  confidence: number;
  page: number | null;
  box: Box | null;
  /** A person has put it right. */
  corrected?: boolean;
}

/** Something the document states twice or that must add up. */
export interface Check {
  name: string;
  passed: boolean;
  message: string;
}

export interface Extraction {
  /** One of the known types, or what a template calls its documents. */
  document_type: string;
  confidence: number;
  data: Record<string, unknown>;
  fields: Record<string, ExtractedField>;
  checks: Check[];
  warnings: string[];
}

const invoiceNames = [
  "invoice_number",
  "issue_date",
  "due_date",
  "purchase_order",
  "currency",
  "net_total",
  "tax_total",
  "grand_total",
  "iban",
] as const;
const receiptNames = ["company", "address", "date", "total", "currency", "tax"] as const;
const statementNames = [
  "bank",
  "account_holder",
  "account_number",
  "period_start",
  "period_end",
  "opening_balance",
  "closing_balance",
] as const;
/** A document without these is hardly what it was taken for. */
const required: Record<string, readonly string[]> = table({
  invoice: ["invoice_number", "issue_date", "grand_total", "seller.name"],
  receipt: ["company", "date", "total"],
  bank_statement: ["account_number", "closing_balance"],
});

/** Turns a read document into named, placed, weighted values. */
export function extractFields(document: ReadDocument, wanted?: DocumentType, hints: LocaleHints = {}): Extraction {
  return findFields(document, wanted, hints).extraction;
}

/** The same, with the reasons behind each value. */
export function findFields(
  document: ReadDocument,
  wanted?: DocumentType,
  hints: LocaleHints = {},
): { extraction: Extraction; findings: Record<string, Finding> } {
  const context = createContext(document, hints);
  const xml = readEInvoice(document.embeddedFiles);
  const { type, probability } = wanted
    ? { type: wanted, probability: 1 }
    : xml
      ? { type: "invoice" as const, probability: 1 }
      : classify(context);
  const collected = collect(context, type, xml);
  const fields: Record<string, ExtractedField> = {};
  for (const [name, finding] of Object.entries(collected.findings)) fields[name] = present(name, finding);
  const extraction: Extraction = {
    document_type: type,
    confidence: overall(type, fields, probability),
    data: { document_type: type, ...collected.data },
    fields,
    checks: collected.checks,
    warnings: [...document.warnings],
  };
  return { extraction, findings: collected.findings };
}

interface Collected {
  data: Record<string, unknown>;
  findings: Record<string, Finding>;
  checks: Check[];
}

function collect(context: Context, type: DocumentType, xml: EInvoice | undefined): Collected {
  if (type === "invoice") {
    const page = readInvoice(context);
    return xml ? fromXml(xml, page) : fromInvoice(page);
  }
  if (type === "receipt") {
    const receipt = readReceipt(context);
    const data = pick(receipt.fields, receiptNames);
    return {
      data: { ...data, lines: receipt.lines.map((line) => line.value) },
      findings: { ...receipt.fields, ...listed("lines", receipt.lines) },
      checks: [],
    };
  }
  if (type === "bank_statement") {
    const statement = readBankStatement(context);
    const data = pick(statement.fields, statementNames);
    const checked = statement.transactions.filter((entry) => entry.evidence.isChecked === false).length;
    const checks =
      statement.transactions.length > 0
        ? [
            {
              name: "running_balance",
              passed: checked === 0,
              message:
                checked === 0
                  ? "Every movement leads to the balance beside it."
                  : `${checked} of ${statement.transactions.length} movements do not lead to the balance beside them.`,
            },
          ]
        : [];
    return {
      data: { ...data, transactions: statement.transactions.map((entry) => entry.value) },
      findings: { ...statement.fields, ...listed("transactions", statement.transactions) },
      checks,
    };
  }
  const pairs = findPairs(context);
  const tables = findTables(context);
  return {
    data: {
      pairs: pairs.map((pair) => pair.value),
      tables: tables.map((table) => table.value),
      text: context.layout.text.slice(0, 100_000),
    },
    findings: { ...listed("pairs", pairs), ...listed("tables", tables) },
    checks: [],
  };
}

function fromInvoice(invoice: Invoice): Collected {
  const values = (prefix: string): Record<string, unknown> => ({
    name: invoice.fields[`${prefix}.name`]?.value ?? null,
    address: invoice.fields[`${prefix}.address`]?.value ?? null,
    vat_id: invoice.fields[`${prefix}.vat_id`]?.value ?? null,
  });
  const data = pick(invoice.fields, invoiceNames);
  const { currency, net_total, tax_total, grand_total, iban, ...head } = data;
  return {
    data: {
      ...head,
      currency,
      seller: values("seller"),
      buyer: values("buyer"),
      net_total,
      tax_total,
      grand_total,
      iban,
      lines: invoice.lines.map((line) => line.value),
    },
    findings: { ...invoice.fields, ...listed("lines", invoice.lines) },
    checks: invoiceChecks(
      data,
      invoice.lines.map((line) => line.value.total),
    ),
  };
}

/** The XML is exact; the page says where to look, and whether both agree. */
function fromXml(xml: EInvoice, page: Invoice): Collected {
  const findings: Record<string, Finding> = {};
  const checks: Check[] = [];
  const { lines, seller, buyer, ...head } = xml;
  const flat: Record<string, unknown> = { ...head };
  for (const [role, party] of [
    ["seller", seller],
    ["buyer", buyer],
  ] as const)
    for (const [name, value] of Object.entries(party)) flat[`${role}.${name}`] = value;
  for (const [name, value] of Object.entries(flat)) {
    if (value === null) continue;
    const printed = page.fields[name];
    const agrees = printed === undefined ? undefined : isSame(value, printed.value);
    findings[name] = {
      value,
      page: agrees ? printed!.page : null,
      box: agrees ? printed!.box : null,
      evidence: { reading: 1, fit: 1, isLabelled: true, margin: 1, isEmbedded: true, isChecked: agrees ?? undefined },
    };
    if (agrees === false && ["invoice_number", "issue_date", "grand_total", "iban"].includes(name)) {
      checks.push({
        name: `page_agrees_on_${name}`,
        passed: false,
        message: `The embedded data says ${JSON.stringify(value)}, the page ${JSON.stringify(printed!.value)}.`,
      });
    }
  }
  const placed = lines.map(
    (line, index): Finding => ({
      value: line,
      page: page.lines[index]?.page ?? null,
      box: page.lines[index]?.box ?? null,
      evidence: { reading: 1, fit: 1, isLabelled: true, margin: 1, isEmbedded: true },
    }),
  );
  return {
    data: { ...head, seller, buyer, lines },
    findings: { ...findings, ...listed("lines", placed) },
    checks: [
      ...checks,
      ...invoiceChecks(
        head as Record<string, unknown>,
        lines.map((line) => line.total),
      ),
    ],
  };
}

function isSame(left: unknown, right: unknown): boolean {
  if (typeof left === "number" && typeof right === "number") return Math.abs(Math.abs(left) - Math.abs(right)) < 0.011;
  const bare = (value: unknown): string =>
    String(value)
      .toUpperCase()
      .replace(/[^\p{L}\d]/gu, "");
  return bare(left) === bare(right);
}

function invoiceChecks(data: Record<string, unknown>, totals: readonly (number | null)[]): Check[] {
  const checks: Check[] = [];
  const net = data.net_total as number | null;
  const tax = data.tax_total as number | null;
  const gross = data.grand_total as number | null;
  if (net !== null && tax !== null && gross !== null) {
    const passed = Math.abs(Math.abs(net) + Math.abs(tax) - Math.abs(gross)) < 0.02;
    checks.push({ name: "totals_add_up", passed, message: `${net} + ${tax} ${passed ? "=" : "is not"} ${gross}` });
  }
  if (totals.length > 0 && totals.every((total) => total !== null) && (net !== null || gross !== null)) {
    const sum = Math.round(totals.reduce<number>((all, total) => all + total!, 0) * 100) / 100;
    const passed = [net, gross].some((total) => total !== null && Math.abs(Math.abs(sum) - Math.abs(total)) < 0.02);
    checks.push({ name: "lines_add_up", passed, message: `The lines sum to ${sum}.` });
  }
  return checks;
}

function pick(fields: Record<string, Finding>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, fields[name]?.value ?? null]));
}

function listed(name: string, findings: readonly Finding[]): Record<string, Finding> {
  return Object.fromEntries(findings.map((finding, index) => [`${name}[${index}]`, finding]));
}

export function present(name: string, finding: Finding): ExtractedField {
  return {
    value: finding.value,
    confidence: confidenceOf(kindOf(name), finding.evidence),
    page: finding.page,
    box: finding.box,
  };
}

/** The mean over what was found, lowered by what should be there and is not, and by doubt about the type. */
export function overall(
  type: string,
  fields: Record<string, ExtractedField>,
  probability: number,
  needed = required[type] ?? [],
): number {
  const found = Object.values(fields).map((field) => field.confidence);
  const missing = needed.filter((name) => !fields[name]).length;
  if (found.length + missing === 0) return Math.round(probability * 0.3 * 1000) / 1000;
  const mean = found.reduce((sum, confidence) => sum + confidence, 0) / (found.length + missing);
  return Math.round(Math.max(0.01, Math.min(0.99, mean * (0.7 + 0.3 * probability))) * 1000) / 1000;
}
