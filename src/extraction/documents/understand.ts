import type { ReadDocument } from "../../ports/document-reader.ts";
import type { DocumentType } from "../fields/classify.ts";
import { type Extraction, extractFields, readEach } from "../fields/extract-fields.ts";
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
  const fits = (text: string) => matching.find((one) => fitsTemplate(text, one.definition));
  if (type || matching.length === 0 || !fits(layOut(document).text)) return extractFields(document, type);
  // Of several documents in one file each may have a template of its own; that of the first is that of the result.
  const chosen: (MatchingTemplate | undefined)[] = [];
  const extraction = readEach(document, {}, (part, offset) => {
    const template = fits(layOut(part).text);
    chosen.push(template);
    return template ? applyTemplate(part, template.definition).extraction : moveTables(extractFields(part), offset);
  });
  if (!chosen[0]) return extraction;
  const { id, version } = chosen[0];
  return { ...extraction, template: { id, version } };
}

/** Tables of a part by their page in the whole file. */
function moveTables(extraction: Extraction, by: number): Extraction {
  const { data } = extraction;
  if (!Array.isArray(data.tables)) return extraction;
  const tables = (data.tables as { page: number }[]).map((table) => ({ ...table, page: table.page + by }));
  return { ...extraction, data: { ...data, tables } };
}
