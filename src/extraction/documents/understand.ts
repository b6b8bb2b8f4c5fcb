import type { ReadDocument } from "../../ports/document-reader.ts";
import type { DocumentType } from "../fields/classify.ts";
import { type Extraction, extractFields } from "../fields/extract-fields.ts";
import { applyTemplate } from "../templates/apply-template.ts";
import type { TemplateDefinition } from "../templates/schema.ts";

/** A read document, and what to make of it: a template's fields, a known type, or whatever it turns out to be. */
export interface UnderstandRequest {
  readonly document: ReadDocument;
  readonly definition?: TemplateDefinition | undefined;
  readonly type?: DocumentType | undefined;
}

export function understand({ document, definition, type }: UnderstandRequest): Extraction {
  return definition ? applyTemplate(document, definition).extraction : extractFields(document, type);
}
