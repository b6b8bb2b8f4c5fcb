import type { ReadDocument } from "../../ports/document-reader.ts";
import type { DocumentType } from "../fields/classify.ts";
import { type Extraction, extractFields } from "../fields/extract-fields.ts";
import { type Block, readingOrder } from "../formats/reading-order.ts";
import { layOut } from "../reading/layout.ts";
import { fillSchema } from "../schemas/fill-schema.ts";
import type { ObjectNode } from "../schemas/parse-schema.ts";
import { applyTemplate, fitsTemplate } from "../templates/apply-template.ts";
import type { TemplateDefinition } from "../templates/schema.ts";

/** A read document, and what to make of it: a template's fields, a known type, or whatever it turns out to be. */
export interface UnderstandRequest {
  readonly document: ReadDocument;
  readonly definition?: TemplateDefinition | undefined;
  readonly type?: DocumentType | undefined;
  /** The shape that the caller wants the data in. */
  readonly schema?: ObjectNode | undefined;
  /** Templates of the workspace that say which documents they are for. */
  readonly matching?: readonly MatchingTemplate[] | undefined;
}

export interface MatchingTemplate {
  readonly id: string;
  readonly version: number;
  readonly definition: TemplateDefinition;
}

/** What was understood, and by which of the templates that choose their documents. */
export type Understood = Extraction & { template?: Pick<MatchingTemplate, "id" | "version">; blocks?: Block[] };

/** Enough for any document that people read; what goes beyond is in the file itself. */
const mostBlocks = 4000;

export function understand(request: UnderstandRequest): Understood {
  return { ...readAs(request), blocks: readingOrder(request.document).slice(0, mostBlocks) };
}

function readAs({ document, definition, type, schema, matching = [] }: UnderstandRequest): Understood {
  if (schema) return fillSchema(document, schema);
  if (definition) return applyTemplate(document, definition).extraction;
  const text = matching.length > 0 ? layOut(document).text : "";
  const chosen = type === undefined ? matching.find(({ definition: one }) => fitsTemplate(text, one)) : undefined;
  if (!chosen) return extractFields(document, type);
  const { id, version } = chosen;
  return { ...applyTemplate(document, chosen.definition).extraction, template: { id, version } };
}
