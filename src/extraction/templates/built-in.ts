import type { DocumentType } from "../fields/classify.ts";
import { readTable } from "../reading/read-table.ts";

interface BuiltInField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
}

export interface BuiltInTemplate {
  readonly id: string;
  readonly name: string;
  readonly document_type: DocumentType;
  readonly description: string;
  readonly fields: readonly BuiltInField[];
}

type Row = [template: string, name: string, type: string, need?: string, columns?: string];
const rows = readTable("templates/built-in.tsv") as Row[];

function fieldsOf(wanted: string): BuiltInField[] {
  return rows
    .filter(([template]) => template === wanted)
    .map(([, name, type, need, columns]) => ({
      name,
      type,
      required: need === "required",
      ...(columns ? { columns: columns.split(" ").map(readColumn) } : {}),
    }));
}

function readColumn(text: string): { name: string; type: string } {
  const [name, type] = text.split(":") as [string, string];
  return { name, type };
}

const described: [DocumentType, name: string, description: string][] = [
  ["invoice", "Invoice", "Invoices and credit notes in any layout; e-invoices by their embedded data."],
  ["receipt", "Receipt", "Till receipts, scanned or photographed."],
  ["bank_statement", "Bank statement", "Account statements with their movements, checked against the running balance."],
  ["form", "Form", "Keys with their values, and tables, of any form."],
];

/** Templates that are always there; their rules are the built-in readers themselves. */
export const builtInTemplates: readonly BuiltInTemplate[] = described.map(([document_type, name, description]) => ({
  id: `tpl_${document_type}`,
  name,
  document_type,
  description,
  fields: fieldsOf(document_type),
}));

export function findBuiltIn(id: string): BuiltInTemplate | undefined {
  return builtInTemplates.find((template) => template.id === id);
}
