import type { Explanation } from "../fields/extract-fields.ts";
import { type Reasons, weightOf } from "../fields/pick.ts";
import type { Report } from "../formats/flatten.ts";
import type { ExtractionRow } from "./tables.ts";

/** An extraction as the API shows it: the four fields of the contract first, the rest beside them. */
export function presentExtraction(row: ExtractionRow, isExplained = false) {
  const { documents, explain } = row.result ?? {};
  return {
    id: row.id,
    status: row.status,
    confidence: row.confidence,
    data: row.result?.data ?? null,
    document_type: row.documentType,
    pages: row.pages,
    template_id: row.templateId,
    ...(row.templateVersion === null ? {} : { template_version: row.templateVersion }),
    file_name: row.fileName,
    ...(row.batchId ? { batch_id: row.batchId } : {}),
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
    fields: row.result?.fields ?? {},
    checks: row.result?.checks ?? [],
    warnings: row.result?.warnings ?? [],
    documents_found: row.status === "completed" ? (documents?.length ?? 1) : null,
    ...(documents
      ? { documents: documents.map(({ explain: own, ...part }) => (isExplained ? { ...part, explain: own } : part)) }
      : {}),
    ...(isExplained && explain ? { explain: weighAll(explain) } : {}),
    ...(row.corrections ? { corrections: row.corrections } : {}),
    ...(row.error ? { error: { type: row.error.type, message: row.error.message } } : {}),
  };
}

/** For lists: without the values themselves. */
export function summarizeExtraction(row: ExtractionRow) {
  const {
    data: _data,
    fields: _fields,
    checks: _checks,
    warnings: _warnings,
    documents: _documents,
    corrections: _corrections,
    ...summary
  } = presentExtraction(row);
  return summary;
}

export function toReport(row: ExtractionRow): Report {
  return {
    id: row.id,
    status: row.status,
    confidence: row.confidence ?? 0,
    document_type: row.documentType ?? "document",
    data: row.result?.data ?? {},
    fields: row.result?.fields ?? {},
    warnings: row.result?.warnings ?? [],
    blocks: row.result?.blocks,
  };
}

/** Every reason with what it was worth: value times weight. */
function weighAll(explain: Record<string, Explanation>) {
  const worth = (field: string, reasons: Reasons) =>
    Object.fromEntries(
      Object.entries(reasons).map(([name, value]) => [name, { value, weight: weightOf(field, name) }]),
    );
  return Object.fromEntries(
    Object.entries(explain).map(([field, { score, reasons, others }]) => [
      field,
      {
        score,
        reasons: worth(field, reasons),
        others: others.map((other) => ({ ...other, reasons: worth(field, other.reasons) })),
      },
    ]),
  );
}
