import type { Extraction } from "./fields/extract-fields.ts";
import { overall } from "./fields/overall.ts";

/** Says which required fields are missing, and how far the whole can be trusted. Without `missing` those count that a document of
 *  its kind should have. */
export function judge<Judged extends Omit<Extraction, "confidence">>(
  extraction: Judged,
  missing?: readonly string[],
): Judged & { confidence: number } {
  const { document_type, fields, checks, warnings } = extraction;
  const isStale = (warning: string): boolean => /^The required field ".*" was not found\.$/.test(warning);
  const notFound = (name: string): string => `The required field "${name}" was not found.`;
  return {
    ...extraction,
    warnings: [...warnings.filter((warning) => !isStale(warning)), ...(missing ?? []).map(notFound)],
    confidence: overall(document_type, fields, 1, checks, missing),
  };
}
