import type { Block } from "./reading-order.ts";

/** A result as the writers see it. */
export interface Report {
  readonly id: string;
  readonly status: string;
  readonly confidence: number;
  readonly document_type: string;
  readonly data: Record<string, unknown>;
  readonly fields: Record<string, { value: unknown; confidence: number; page: number | null }>;
  /** Failed checks and whatever else a reader should know before trusting the values. */
  readonly warnings: readonly string[];
  /** The document in reading order, for the formats that show it as it is. */
  readonly blocks?: readonly Block[] | undefined;
}

/** A list inside a result: line items, transactions, pairs, or one table of the document. */
export interface ListSheet {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** The first row of a table of the document is data like any other. */
  readonly hasHeader: boolean;
}

export type Cell = string | number | boolean | null;

/** The single values of a result, nested ones by their path: `seller.name`. */
export function singleValues(data: Record<string, unknown>, prefix = ""): [name: string, value: Cell][] {
  return Object.entries(data).flatMap(([name, value]): [string, Cell][] => {
    const path = prefix ? `${prefix}.${name}` : name;
    if (Array.isArray(value))
      return value.every((entry) => typeof entry !== "object") && value.length > 0 ? [[path, value.join("; ")]] : [];
    if (typeof value === "object" && value !== null) return singleValues(value as Record<string, unknown>, path);
    return [[path, asCell(value)]];
  });
}

/** The lists of a result, each as a sheet with columns. */
export function listSheets(data: Record<string, unknown>): ListSheet[] {
  return Object.entries(data).flatMap(([name, value]): ListSheet[] => {
    if (!Array.isArray(value) || value.length === 0 || typeof value[0] !== "object") return [];
    const entries = value as Record<string, unknown>[];
    if (entries.every((entry) => Array.isArray(entry.rows))) {
      return entries.map((entry, index) => {
        const rows = entry.rows as unknown[][];
        const width = Math.max(1, ...rows.map((row) => row.length));
        return {
          name: `${name === "tables" ? "table" : name} ${index + 1}`,
          columns: Array.from({ length: width }, (_, column) => `column ${column + 1}`),
          rows: rows.map((row) => Array.from({ length: width }, (_, column) => asCell(row[column]))),
          hasHeader: false,
        };
      });
    }
    const columns = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
    return [
      { name, columns, rows: entries.map((entry) => columns.map((column) => asCell(entry[column]))), hasHeader: true },
    ];
  });
}

function asCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Without characters that no XML file may hold. */
export function dropControls(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    "",
  );
}

export function escapeXml(text: string): string {
  return dropControls(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** A text that a spreadsheet would run as a formula. */
export function isFormulaLike(text: string): boolean {
  return /^[=+\-@\t\r]/.test(text);
}

/** `seller.vat_id` becomes "Seller VAT ID". */
export function entitle(name: string): string {
  const words = name.replace(/[._]+/g, " ").replace(/\b(vat|id|iban|bic)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
