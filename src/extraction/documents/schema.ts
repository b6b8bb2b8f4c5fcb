import { z } from "zod";
import { fileField } from "../../platform/http/form.ts";
import { outputFormats } from "../formats/write-format.ts";

const outputFormat = z.enum(outputFormats);

export const extractForm = z.strictObject({
  file: fileField(
    20_000_000,
    "The document: PDF, PNG, JPEG, TIFF, WebP, DOCX, XLSX, CSV, TXT, HTML, EML or an XML invoice, up to 20 MB and 50 pages.",
  ),
  template_id: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "A built-in or own template. Without it the type of the document is detected." }),
  schema: z.string().optional().meta({
    description:
      "A JSON Schema of an object, as JSON text: the data then has exactly its shape. Instead of a template. Up to 100 000 characters, 8 levels and 200 properties.",
  }),
  output_format: outputFormat.default("json"),
  webhook_url: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: "The finished result is sent here as a signed POST." }),
});

const shownQuery = z.object({
  table: z.string().max(100).optional().meta({ description: "CSV: which list or table, by its name." }),
  explain: z
    .enum(["0", "1"])
    .optional()
    .meta({ description: "1: say for each field which candidates there were, and what spoke for them." }),
});

export const waitQuery = shownQuery.extend({
  wait: z.coerce
    .number()
    .min(0)
    .max(300)
    .default(30)
    .meta({ description: "Seconds to wait for the result. Default 30." }),
});

export const fetchQuery = shownQuery.extend({ output_format: outputFormat.default("json") });

export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional(),
  status: z
    .enum(["queued", "processing", "completed", "failed"])
    .optional()
    .meta({ description: "Only those in this state." }),
});

export const rerunBody = z.strictObject({
  template_id: z.string().max(100).optional(),
  schema: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "A JSON Schema of an object, instead of a template." }),
});

const field = z.object({
  value: z.unknown(),
  confidence: z.number(),
  page: z.number().nullable(),
  box: z.array(z.number()).nullable(),
  corrected: z.boolean().optional().meta({ description: "A person has put the value right." }),
  alternatives: z.array(z.unknown()).optional().meta({
    description: "What it may be as well: 03/04 the other way round, or what the page says against embedded data.",
  }),
  cells: z
    .array(z.array(z.array(z.number()).nullable()))
    .optional()
    .meta({ description: "Of a table: the boxes of its cells." }),
});

export const correctionBody = z.strictObject({
  fields: z
    .record(z.string().max(200), z.unknown())
    .refine((fields) => Object.keys(fields).length > 0, "must name at least one field")
    .meta({
      description: 'The right values by field: {"grand_total": 388.49, "seller.name": "Kestrel", "due_date": null}',
    }),
});

/** What is known of one document, whether it came alone or with others. */
const found = {
  data: z.record(z.string(), z.unknown()),
  fields: z.record(z.string(), field).meta({
    description: "Per field its value, confidence, page and box (left, top, right, bottom as fractions of the page).",
  }),
  checks: z.array(z.object({ name: z.string(), passed: z.boolean(), message: z.string() })),
  warnings: z.array(z.string()).meta({ description: "Failed checks among them; in every output format." }),
};

export const extractionReply = z.object({
  id: z.string().meta({ description: "Begins with ext_" }),
  status: z.enum(["queued", "processing", "completed", "failed"]),
  confidence: z.number().nullable().meta({ description: "0 to 1; null until completed" }),
  ...found,
  data: found.data.nullable(),
  document_type: z.string().nullable(),
  pages: z.number().nullable(),
  template_id: z.string().nullable(),
  template_version: z.number().optional(),
  file_name: z.string(),
  batch_id: z.string().optional().meta({ description: "The archive that it came in." }),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  documents_found: z
    .number()
    .nullable()
    .meta({ description: "How many documents the file holds; null until completed." }),
  documents: z
    .array(
      z.object({
        ...found,
        pages: z.array(z.number()).meta({ description: "First and last page in the file." }),
        document_type: z.string(),
        confidence: z.number(),
        explain: z.unknown().optional(),
      }),
    )
    .optional()
    .meta({ description: "Each of several documents in one file; the first is also the result itself." }),
  explain: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "With ?explain=1: score, reasons and other candidates." }),
  corrections: z
    .array(
      z.object({
        field: z.string(),
        value: z.unknown(),
        previous: z.unknown(),
        key_id: z.string(),
        corrected_at: z.string(),
      }),
    )
    .optional()
    .meta({ description: "What people put right, oldest first." }),
  error: z.object({ type: z.string(), message: z.string() }).optional(),
});

export const extractionSummary = extractionReply
  .omit({ data: true, fields: true, checks: true, warnings: true, corrections: true })
  .meta({ description: "An extraction without its values." });

export const extractionPage = z.object({
  extractions: z.array(extractionSummary),
  next_cursor: z.string().nullable().meta({ description: "For the next page; null on the last." }),
});
