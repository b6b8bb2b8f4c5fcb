import type { Box, ReadDocument } from "../../ports/document-reader.ts";
import { type Check, checkData } from "./checks.ts";
import { classify, type DocumentType } from "./classify.ts";
import { type Context, createContext, type LocaleHints } from "./context.ts";
import { type EInvoice, readEInvoice } from "./e-invoice.ts";
import { findCheckboxes } from "./form/checkboxes.ts";
import { findPairs } from "./form/pairs.ts";
import { fromXml } from "./from-xml.ts";
import { readInvoice } from "./invoice/invoice.ts";
import { overall } from "./overall.ts";
import type { Finding, Reasons } from "./pick.ts";
import { readReceipt } from "./receipt/receipt.ts";
import { splitDocuments } from "./split-documents.ts";
import { readBankStatement } from "./statement/statement.ts";
import { findTables } from "./tables.ts";

/** One field of the result with where it was read. */
export interface ExtractedField {
  value: unknown;
  confidence: number;
  page: number | null;
  box: Box | null;
  /** A person has put it right. */
  corrected?: boolean;
  /** What it may be as well: a date with day and month the other way round, or what the page says against the embedded data. */
  alternatives?: unknown[];
  /** Of a table: where each of its cells stands, in rows. */
  cells?: (Box | null)[][];
}

/** Why a value was chosen: what spoke for it, and what else there was. */
export interface Explanation {
  score: number;
  reasons: Reasons;
  others: { value: unknown; score: number; reasons: Reasons }[];
}

export interface Extraction {
  /** One of the known types, or what a template calls its documents. */
  document_type: string;
  confidence: number;
  data: Record<string, unknown>;
  fields: Record<string, ExtractedField>;
  checks: Check[];
  warnings: string[];
  explain?: Record<string, Explanation>;
  /** Each of several documents in one file, with its first and last page; the first of them is the result itself. */
  documents?: (Omit<Extraction, "documents"> & { pages: [first: number, last: number] })[];
}

const invoiceNames = ["invoice_number", "issue_date", "due_date", "purchase_order", "currency"];
const sumNames = ["net_total", "tax_total", "grand_total", "iban"];
const extraNames = ["amount_due", "prepaid_total", "discount_total", "shipping_total", "rounding"];
const receiptNames = ["company", "address", "date", "total", "currency", "tax"];
const statementNames = [
  "bank",
  "account_holder",
  "account_number",
  "period_start",
  "period_end",
  "opening_balance",
  "closing_balance",
  "currency",
];

/** Turns a read document into named, placed, weighted values; several documents in one file are told apart. */
export function extractFields(document: ReadDocument, wanted?: DocumentType, hints: LocaleHints = {}): Extraction {
  return readEach(document, hints, (part, offset, context) => {
    const { extraction } = findFields(part, wanted, hints, context);
    const tables = extraction.data.tables as { page: number }[] | undefined;
    if (!tables || offset === 0) return extraction;
    return {
      ...extraction,
      data: { ...extraction.data, tables: tables.map((table) => ({ ...table, page: table.page + offset })) },
    };
  });
}

/** Reads each of the documents of one file by itself; the first of them is the result. Pages are counted from the beginning of the file. */
export function readEach(
  document: ReadDocument,
  hints: LocaleHints,
  readOne: (part: ReadDocument, offset: number, context: Context | undefined) => Extraction,
): Extraction {
  const parts = splitDocuments(document, hints);
  const read = parts.map((part) => {
    const offset = parts.length === 1 ? 0 : part.pages[0] - 1;
    const extraction = readOne(part.document, offset, part.context);
    return { ...extraction, fields: movePages(extraction.fields, offset), pages: part.pages };
  });
  const { pages: _, ...first } = read[0]!;
  return read.length === 1 ? first : { ...first, documents: read };
}

function movePages(fields: Extraction["fields"], by: number): Extraction["fields"] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [name, { ...one, page: one.page === null ? null : one.page + by }]),
  );
}

/** One document, with the reasons behind each value. */
export function findFields(
  document: ReadDocument,
  wanted?: DocumentType,
  hints: LocaleHints = {},
  context = createContext(document, hints),
): { extraction: Extraction; findings: Record<string, Finding>; context: Context } {
  const xml = readEInvoice(document.embeddedFiles);
  const { type, probability } = wanted
    ? { type: wanted, probability: 1 }
    : xml
      ? { type: xml.type, probability: 1 }
      : classify(context);
  const { data, findings, checks } = collect(context, type, xml);
  const fields = Object.fromEntries(Object.entries(findings).map(([name, finding]) => [name, present(finding)]));
  const all = [...checks, ...checkData(type, data)];
  const extraction: Extraction = {
    document_type: type,
    confidence: overall(type, fields, probability, all),
    data: { document_type: type, ...data },
    fields,
    checks: all,
    warnings: [...document.warnings, ...warningsOf(all)],
    explain: explainAll(findings),
  };
  return { extraction, findings, context };
}

/** Failed checks in words, for formats that have no list of checks. */
export function warningsOf(checks: readonly Check[]): string[] {
  return checks.filter(({ passed }) => !passed).map(({ name, message }) => `Check "${name}" failed: ${message}`);
}

interface Collected {
  data: Record<string, unknown>;
  findings: Record<string, Finding>;
  checks: Check[];
}

function collect(context: Context, type: DocumentType, xml: EInvoice | undefined): Collected {
  if (type === "invoice" || type === "credit_note") return collectInvoice(context, xml);
  if (type === "receipt") {
    const { fields, lines, taxes } = readReceipt(context);
    const data = {
      ...valuesOf(fields, receiptNames),
      lines: lines.map((line) => line.value),
      ...(taxes.length > 0 ? { tax_breakdown: taxes } : {}),
    };
    return { data, findings: { ...fields, ...listed("lines", lines) }, checks: [] };
  }
  if (type === "bank_statement") {
    const { fields, transactions } = readBankStatement(context);
    const data = { ...valuesOf(fields, statementNames), transactions: transactions.map((entry) => entry.value) };
    return { data, findings: { ...fields, ...listed("transactions", transactions) }, checks: [] };
  }
  const pairs = findPairs(context);
  const tables = findTables(context);
  const checkboxes = findCheckboxes(context);
  return {
    data: {
      pairs: pairs.map((pair) => pair.value),
      tables: tables.map((table) => table.value),
      ...(checkboxes.length > 0 ? { checkboxes: checkboxes.map((checkbox) => checkbox.value) } : {}),
      text: context.layout.text.slice(0, 100_000),
    },
    findings: { ...listed("pairs", pairs), ...listed("tables", tables), ...listed("checkboxes", checkboxes) },
    checks: [],
  };
}

function collectInvoice(context: Context, xml: EInvoice | undefined): Collected {
  const page = readInvoice(context);
  const { fields, lines, checks } = xml
    ? fromXml(context, xml, page)
    : { fields: page.fields, lines: page.lines, checks: [] };
  const party = (role: string): Record<string, unknown> => ({
    name: fields[`${role}.name`]?.value ?? null,
    address: fields[`${role}.address`]?.value ?? null,
    vat_id: fields[`${role}.vat_id`]?.value ?? null,
  });
  const taxes = xml && xml.taxes.length > 0 ? xml.taxes : page.taxes;
  const extras = Object.fromEntries(extraNames.flatMap((name) => (fields[name] ? [[name, fields[name].value]] : [])));
  return {
    data: {
      ...valuesOf(fields, invoiceNames),
      seller: party("seller"),
      buyer: party("buyer"),
      ...valuesOf(fields, sumNames),
      ...extras,
      lines: lines.map((line) => line.value),
      ...(taxes.length > 0 ? { tax_breakdown: taxes } : {}),
    },
    findings: { ...fields, ...listed("lines", lines) },
    checks,
  };
}

function valuesOf(fields: Record<string, Finding>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, fields[name]?.value ?? null]));
}

function listed(name: string, findings: readonly Finding[]): Record<string, Finding> {
  return Object.fromEntries(findings.map((finding, index) => [`${name}[${index}]`, finding]));
}

export function present({ value, confidence, page, box, alternatives, cells }: Finding): ExtractedField {
  return {
    value,
    confidence,
    page,
    box,
    ...(alternatives ? { alternatives: [...alternatives] } : {}),
    ...(cells ? { cells: cells.map((row) => [...row]) } : {}),
  };
}

function explainAll(findings: Record<string, Finding>): Record<string, Explanation> {
  return Object.fromEntries(
    Object.entries(findings)
      .filter(([name]) => !name.includes("["))
      .map(([name, { score, reasons, rivals }]) => [name, { score, reasons, others: [...rivals] }]),
  );
}
