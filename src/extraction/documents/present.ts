import type { Explanation } from "../fields/extract-fields.ts";
import { type Reasons, weightOf } from "../fields/pick.ts";
import type { Report } from "../formats/flatten.ts";
import type { ExtractionRow } from "./tables.ts";

/** An extraction as the API shows it: the four fields of the contract first, the rest beside them. */
export function presentExtraction(row: ExtractionRow, isExplained = false) {
  const { id, status, confidence, ...summary } = summarizeExtraction(row);
  const explainIf = (given?: Record<string, Explanation>) => (isExplained && given ? weighAll(given) : undefined);
  const { data = null, fields = {}, checks = [], warnings = [], documents, explain } = row.result ?? {};
  return {
    id,
    status,
    confidence,
    data,
    ...summary,
    fields,
    checks,
    warnings,
    ...(documents ? { documents: documents.map((part) => ({ ...part, explain: explainIf(part.explain) })) } : {}),
    explain: explainIf(explain),
    ...(row.corrections ? { corrections: row.corrections } : {}),
  };
}

/** For lists: without the values themselves. */
export function summarizeExtraction(row: ExtractionRow) {
  return {
    id: row.id,
    status: row.status,
    confidence: row.confidence,
    document_type: row.documentType,
    pages: row.pages,
    template_id: row.templateId,
    ...(row.templateVersion === null ? {} : { template_version: row.templateVersion }),
    file_name: row.fileName,
    ...(row.batchId ? { batch_id: row.batchId } : {}),
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
    documents_found: row.documentsFound,
    ...(row.error ? { error: { type: row.error.type, message: row.error.message } } : {}),
  };
}

/** A completed extraction for those who write files of it. */
export function toReport({ id, status, confidence, documentType, result }: ExtractionRow): Report {
  return { ...result!, id, status, confidence: confidence ?? 0, document_type: documentType ?? "document" };
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
