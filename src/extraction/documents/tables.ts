import {
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

export const extractions = pgTable("extractions", {
  id: text("id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
  keyId: text("key_id").notNull(),
  status: text("status").$type<"queued" | "processing" | "completed" | "failed">().notNull().default("queued"),
  fileName: text("file_name").notNull(),
  templateId: text("template_id"),
  templateVersion: integer("template_version"),
  batchId: text("batch_id"),
  schema: json("schema").$type<ObjectNode>(),
  documentType: text("document_type"),
  pages: integer("pages"),
  confidence: doublePrecision("confidence"),
  result: json("result").$type<StoredResult>(),
  error: jsonb("error").$type<{ type: string; kind: string; message: string }>(),
  webhookUrl: text("webhook_url"),
  isStored: boolean("is_stored").notNull().default(true),
  requestKey: text("request_key"),
  requestHash: text("request_hash"),
  corrections: json("corrections").$type<Correction[]>(),
  createdAt: moment("created_at").notNull().defaultNow(),
  finishedAt: moment("finished_at"),
});

export const extractionFiles = pgTable("extraction_files", {
  extractionId: text("extraction_id").notNull(),
  part: integer("part").notNull().default(0),
  bytes: bytea("bytes").notNull(),
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

export type ExtractionRow = typeof extractions.$inferSelect;
export type TemplateRow = typeof extractionTemplates.$inferSelect;
