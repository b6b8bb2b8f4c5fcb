import type { FastifyRequest } from "fastify";
import { turnOf } from "../../accounts/turn-of.ts";
import { Problem } from "../../platform/errors.ts";
import { type ObjectNode, readSchemaText } from "../schemas/parse-schema.ts";
import { findBuiltIn } from "../templates/built-in.ts";
import type { TemplateStore } from "../templates/store.ts";
import type { DocumentStore } from "./store.ts";
import type { ExtractionRow } from "./tables.ts";
import type { Understanding } from "./understanding.ts";

interface AskedParts {
  readonly documents: DocumentStore;
  readonly templates: TemplateStore;
  readonly understanding: Understanding;
}

/** The earlier request with this Idempotency-Key; one that asked for something else is a clash. */
export async function findRepeated(
  parts: AskedParts,
  request: FastifyRequest,
  { requestKey, requestHash }: { requestKey: string; requestHash: string },
): Promise<ExtractionRow | undefined> {
  const known = await parts.documents.findByRequestKey(request.caller.workspace.id, requestKey);
  if (known && known.requestHash !== requestHash)
    throw new Problem("conflict", "This Idempotency-Key was used for another document, template, schema or webhook.");
  return known;
}

export async function findVersion(
  parts: AskedParts,
  request: FastifyRequest,
  templateId: string | undefined,
): Promise<number | null> {
  if (templateId === undefined || findBuiltIn(templateId)) return null;
  const template = await parts.templates.find(request.caller.workspace.id, templateId);
  if (!template)
    throw new Problem(
      "invalid_request",
      `There is no template "${templateId}". GET /v1/templates lists those there are.`,
    );
  return template.version;
}

/** The shape that the caller wants the data in; its patterns are other people's and are looked at elsewhere. */
export async function readSchema(
  parts: AskedParts,
  { caller, signal }: FastifyRequest,
  wanted: { template_id?: string | undefined; schema?: string | Record<string, unknown> | undefined },
): Promise<ObjectNode | null> {
  if (wanted.schema === undefined) return null;
  if (wanted.template_id !== undefined)
    throw new Problem("invalid_request", 'Send "template_id" or "schema", not both.');
  return parts.understanding.parseSchema(readSchemaText(wanted.schema), { key: turnOf(caller), signal });
}

/** A file's own name, without folders. */
export function cleanName(name: string): string {
  return (
    name
      .replace(/[\u0000-\u001f\u007f]/g, "")
      .split(/[\\/]/)
      .at(-1)!
      .slice(0, 200) || "document"
  );
}
