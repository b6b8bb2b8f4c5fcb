import type { Report } from "../formats/flatten.ts";
import type { ExtractionRow } from "./tables.ts";

/** An extraction as the API shows it: the four fields of the contract first, the rest beside them. */
export function presentExtraction(row: ExtractionRow) {
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
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
    fields: row.result?.fields ?? {},
    checks: row.result?.checks ?? [],
    warnings: row.result?.warnings ?? [],
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
  };
}
