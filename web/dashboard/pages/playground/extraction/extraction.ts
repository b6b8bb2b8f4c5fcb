export type Box = readonly [left: number, top: number, right: number, bottom: number];

export interface Field {
  value: unknown;
  confidence: number;
  page: number | null;
  box: Box | null;
  corrected?: boolean;
}

export interface Summary {
  id: string;
  status: "queued" | "processing" | "completed" | "failed";
  confidence: number | null;
  document_type: string | null;
  template_id: string | null;
  file_name: string;
  created_at: string;
}

export interface Extraction extends Summary {
  data: Record<string, unknown> | null;
  fields: Record<string, Field>;
  checks: { name: string; passed: boolean; message: string }[];
  error?: { message: string };
}

export const outputFormats = ["json", "xml", "csv", "xlsx", "docx"] as const;

/** From 0.9 on at least 95 of 100 fields should be right (docs/guides/extraction.md); below 0.7 a person should look. */
export function toneOf(confidence: number): "good" | "warn" | "bad" {
  return confidence >= 0.9 ? "good" : confidence >= 0.7 ? "warn" : "bad";
}

/** A single value, which can be shown in a line and put right. */
export function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value !== "object";
}

/** The lists of records in the data: line items, transactions, pairs; and tables of rows. */
export function tablesOf(data: Record<string, unknown>): { name: string; head: string[]; rows: string[][] }[] {
  const show = (value: unknown) =>
    value === null || value === undefined ? "" : isPlain(value) ? String(value) : JSON.stringify(value);
  return Object.entries(data).flatMap(([name, value]) => {
    if (!Array.isArray(value) || value.length === 0) return [];
    if (name === "tables")
      return value.map((table: { rows: unknown[][] }, index) => {
        const [head = [], ...rows] = table.rows.map((row) => row.map(show));
        return { name: `table ${index + 1}`, head, rows };
      });
    const records = value.filter((row): row is Record<string, unknown> => typeof row === "object" && row !== null);
    const head = [...new Set(records.flatMap((row) => Object.keys(row)))];
    return [{ name, head, rows: records.map((row) => head.map((column) => show(row[column]))) }];
  });
}
