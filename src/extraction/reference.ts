import type { ApiReference, RouteReference } from "../platform/http/openapi/reference.ts";
import { batchReply } from "./batches/schema.ts";
import { extractionReply, extractionSummary } from "./documents/schema.ts";
import { fileTypes } from "./formats/write-format.ts";
import { problem } from "./route.ts";
import { templateReply } from "./templates/schema.ts";

const summary = {
  id: "ext_5Fq1Wb",
  status: "completed",
  confidence: 0.95,
  document_type: "invoice",
  pages: 1,
  documents_found: 1,
  template_id: null,
  file_name: "invoice.pdf",
  created_at: "2026-11-17T09:30:00.000Z",
  finished_at: "2026-11-17T09:30:01.000Z",
};
const total = { value: 388.49, confidence: 0.97, page: 1, box: [0.71, 0.62, 0.83, 0.64] };
const extraction = {
  ...summary,
  data: { invoice_number: "A-1007", grand_total: 388.49 },
  fields: { grand_total: total },
  checks: [{ name: "lines_add_up", passed: true, message: "The lines add up to the net total." }],
  warnings: [],
};
const batch = {
  id: "bat_7Xk2Pq",
  status: "completed",
  documents: 1,
  completed: 1,
  failed: 0,
  extractions: [{ ...summary, batch_id: "bat_7Xk2Pq" }],
};
const definition = { name: "Supplier", fields: [{ name: "order_number", labels: ["Order no."] }] };
const template = { id: "tpl_9aKd", version: 1, ...definition, is_built_in: false };
const documents = (id: string, more: Omit<RouteReference, "id" | "tag">) => ({ id, tag: "Documents", ...more });
const templates = (id: string, more: Omit<RouteReference, "id" | "tag">) => ({ id, tag: "Templates", ...more });
const file = { reply: extraction, sends: fileTypes };
const secret = { tag: "Webhooks", reply: { secret: "whsec_..." } };

export const extractionReference: ApiReference = {
  guide: `## Keys
\`X-API-KEY: <key>\` (or \`Authorization: Bearer <key>\`) with the scope \`extract\`.

## Limits
Documents an hour by plan: Free 10, Starter 100, Professional 500, Enterprise as agreed. \`X-RateLimit-*\` is on every reply and
\`Retry-After\` on a 429. A document may have 20 MB and 50 pages.

## Formats
\`output_format\` is json, xml, csv, xlsx or docx; markdown and layout give the document itself in reading order. Documents are kept, encrypted, for the time the operator set, or until you delete them: then no copy can be read any more.

## Your own shape
\`schema\` is a JSON Schema: the data then has exactly its shape, and what is not on the page is null.

## Errors
Every error is \`{"error": {"type": "...", "message": "..."}}\`, and the message says what to do.

| Status | When |
|---|---|
| 400 | a field is missing or wrong, there is no such template, or the schema cannot be filled |
| 401 | the key is missing, unknown, expired or revoked |
| 403 | the key lacks the scope |
| 404 | there is no such extraction or template |
| 409 | an Idempotency-Key was used for something else, or the extraction is not finished |
| 413 | the document has more than 20 MB or 50 pages, or the workspace keeps as much as it may: delete some |
| 415 | the file is none of the accepted formats |
| 422 | the file is damaged, encrypted or empty |
| 429 | too many documents in this hour |
| 502 | the reader does not answer |

Guides with examples that run are in the folder docs/guides of the program.`,
  tags: {
    Documents: "A document in, data out.",
    Templates: "Which fields a kind of document has, and where they stand.",
    Webhooks: "How to know that a webhook comes from here.",
  },
  named: {
    Problem: problem,
    Extraction: extractionReply,
    ExtractionSummary: extractionSummary,
    Batch: batchReply,
    Template: templateReply,
  },
  routes: {
    "POST /v1/extract": documents("extractDocument", file),
    "POST /api/v1/extract": documents("extractDocumentAtApi", {
      ...file,
      description: "The same at the path that some clients use.",
    }),
    "GET /v1/extractions": documents("listExtractions", { reply: { extractions: [summary], next_cursor: null } }),
    "GET /v1/extractions/{id}": documents("getExtraction", file),
    "GET /v1/extractions/{id}/file": documents("getDocument", {
      sends: ["application/octet-stream"],
      isNeverJson: true,
    }),
    "PATCH /v1/extractions/{id}": documents("correctExtraction", {
      request: { fields: { grand_total: 388.49 } },
      reply: { ...extraction, fields: { grand_total: { ...total, confidence: 1, corrected: true } } },
    }),
    "DELETE /v1/extractions/{id}": documents("deleteExtraction", { reply: { id: summary.id, deleted: true } }),
    "POST /v1/extractions/{id}/rerun": documents("rerunExtraction", {
      request: { template_id: template.id },
      reply: extraction,
    }),
    "POST /v1/batches": documents("createBatch", { reply: { ...batch, status: "processing", completed: 0 } }),
    "GET /v1/batches/{id}": documents("getBatch", { reply: batch }),
    "GET /v1/templates": templates("listTemplates", { reply: { templates: [template] } }),
    "POST /v1/templates": templates("createTemplate", { request: definition, reply: template }),
    "GET /v1/templates/{id}": templates("getTemplate", { reply: template }),
    "PUT /v1/templates/{id}": templates("changeTemplate", { request: definition, reply: { ...template, version: 2 } }),
    "DELETE /v1/templates/{id}": templates("deleteTemplate", { reply: { id: template.id, deleted: true } }),
    "GET /v1/templates/{id}/versions": templates("listTemplateVersions", {
      reply: { versions: [{ version: 1, created_at: summary.created_at }] },
    }),
    "POST /v1/templates/suggest": templates("suggestTemplate", { reply: definition }),
    "POST /v1/templates/{id}/test": templates("testTemplate", {}),
    "GET /v1/webhooks/secret": { id: "getWebhookSecret", ...secret },
    "POST /v1/webhooks/secret": { id: "replaceWebhookSecret", ...secret },
  },
};
