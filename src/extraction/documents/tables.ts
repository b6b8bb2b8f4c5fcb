import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  integer,
  json,
  jsonb,
  pgTable,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import type { Extraction } from "../fields/extract-fields.ts";
import type { Block } from "../formats/reading-order.ts";
import type { ObjectNode } from "../schemas/parse-schema.ts";
import type { TemplateDefinition } from "../templates/schema.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

const bytea = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

/** Stored as `json`, not `jsonb`: the order of fields is part of what people read. What has a column of its own is not in it. */
export type StoredResult = Omit<Extraction, "document_type" | "confidence"> & {
  /** The document in reading order. */
  blocks?: Block[];
};

/** A value that a person put right. */
export interface Correction {
  field: string;
  value: unknown;
  previous: unknown;
  key_id: string;
  corrected_at: string;
}

/** What people can read of an extraction. Each is sealed in a column of its own. */
export interface Readable {
  readonly fileName: string;
  readonly schema: ObjectNode | null;
  readonly result: StoredResult | null;
  readonly corrections: Correction[] | null;
}

export const extractions = pgTable("extractions", {
  id: text("id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
  keyId: text("key_id").notNull(),
  status: text("status").$type<"queued" | "processing" | "completed" | "failed">().notNull().default("queued"),
  contentId: text("content_id"),
  sealedName: text("sealed_name"),
  sealedSchema: text("sealed_schema"),
  sealedResult: text("sealed_result"),
  sealedCorrections: text("sealed_corrections"),
  templateId: text("template_id"),
  templateVersion: integer("template_version"),
  batchId: text("batch_id"),
  documentType: text("document_type"),
  documentsFound: integer("documents_found"),
  pages: integer("pages"),
  confidence: doublePrecision("confidence"),
  error: jsonb("error").$type<{ type: string; kind: string; message: string }>(),
  webhookUrl: text("webhook_url"),
  requestKey: text("request_key"),
  requestHash: text("request_hash"),
  createdAt: moment("created_at").notNull().defaultNow(),
  finishedAt: moment("finished_at"),
  // Only in rows of a former version, until they are sealed.
  fileName: text("file_name").notNull().default(""),
  schema: json("schema").$type<ObjectNode>(),
  result: json("result").$type<StoredResult>(),
  corrections: json("corrections").$type<Correction[]>(),
  isStored: boolean("is_stored").notNull().default(true),
});

export const extractionContents = pgTable("extraction_contents", {
  id: text("id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
  digest: text("digest").notNull(),
  bytes: bigint("bytes", { mode: "number" }).notNull(),
  isStored: boolean("is_stored").notNull().default(false),
  createdAt: moment("created_at").notNull().defaultNow(),
});

export const extractionParts = pgTable("extraction_parts", {
  contentId: text("content_id").notNull(),
  part: integer("part").notNull(),
  sealed: bytea("sealed").notNull(),
});

export const extractionTemplates = pgTable("extraction_templates", {
  id: text("id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
  name: text("name").notNull(),
  version: integer("version").notNull().default(1),
  definition: json("definition").$type<TemplateDefinition>().notNull(),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

export const extractionTemplateVersions = pgTable("extraction_template_versions", {
  templateId: text("template_id").notNull(),
  version: integer("version").notNull(),
  definition: json("definition").$type<TemplateDefinition>().notNull(),
  createdAt: moment("created_at").notNull().defaultNow(),
});

type SealedColumn = "sealedName" | "sealedSchema" | "sealedResult" | "sealedCorrections" | "isStored";

/** A row as it is stored. */
export type SealedRow = typeof extractions.$inferSelect;
/** A row that was opened. */
export type ExtractionRow = Omit<SealedRow, SealedColumn | keyof Readable> & Readable;
export type TemplateRow = typeof extractionTemplates.$inferSelect;
