import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { turnOf } from "../../accounts/turn-of.ts";
import { Problem } from "../../platform/errors.ts";
import { readSchemaText } from "../schemas/parse-schema.ts";
import { findBuiltIn } from "../templates/built-in.ts";
import type { TemplateStore } from "../templates/store.ts";
import { checkWebhookAddress } from "../webhooks/send.ts";
import type { Contents } from "./contents.ts";
import type { DocumentStore, NewExtraction } from "./store.ts";
import type { ExtractionRow } from "./tables.ts";
import type { Understanding } from "./understanding.ts";

export interface AskedParts {
  readonly documents: DocumentStore;
  readonly contents: Contents;
  readonly templates: TemplateStore;
  readonly understanding: Understanding;
  readonly allowsPrivateWebhooks: boolean;
}

/** What a request says about each of its documents. */
interface Asked {
  readonly template_id?: string | undefined;
  readonly schema?: string | Record<string, unknown> | undefined;
  readonly webhook_url?: string | undefined;
}

/** Whose a document is, and what is to be made of it; throws where that cannot be done. */
export async function readAsked(
  parts: AskedParts,
  request: FastifyRequest,
  { template_id, schema, webhook_url }: Asked,
): Promise<Omit<NewExtraction, "id" | "fileName">> {
  const { caller, signal } = request;
  if (schema !== undefined && template_id !== undefined)
    throw new Problem("invalid_request", 'Send "template_id" or "schema", not both.');
  if (webhook_url !== undefined) await checkWebhookAddress(webhook_url, parts.allowsPrivateWebhooks);
  return {
    workspaceId: caller.workspace.id,
    keyId: caller.keyId,
    templateId: template_id ?? null,
    templateVersion: template_id === undefined ? null : await findVersion(parts, caller.workspace.id, template_id),
    // Its patterns are other people's and are looked at elsewhere.
    schema:
      schema === undefined
        ? null
        : await parts.understanding.parseSchema(readSchemaText(schema), { key: turnOf(caller), signal }),
    webhookUrl: webhook_url ?? null,
  };
}

async function findVersion(parts: AskedParts, workspaceId: string, templateId: string): Promise<number | null> {
  if (findBuiltIn(templateId)) return null;
  const template = await parts.templates.find(workspaceId, templateId);
  if (!template)
    throw new Problem(
      "invalid_request",
      `There is no template "${templateId}". GET /v1/templates lists those there are.`,
    );
  return template.version;
}

/** An Idempotency-Key as it is stored: its own hash, and a keyed one of everything that was asked with it. */
interface RequestKey {
  readonly requestKey: string;
  readonly requestHash: string;
}

export function readRequestKey(
  { contents }: AskedParts,
  { headers, caller }: FastifyRequest,
  asked: Asked,
  bytes: Uint8Array,
): RequestKey | undefined {
  const header = headers["idempotency-key"];
  if (header === undefined) return undefined;
  const key = String(header);
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Problem("invalid_request", '"Idempotency-Key" must be 1 to 255 visible ASCII characters.');
  const { template_id = null, webhook_url = null, schema = [] } = asked;
  const hash = createHash("sha256").update(JSON.stringify([template_id, webhook_url, ...[schema].flat()]));
  return {
    requestKey: createHash("sha256").update(key).digest("hex"),
    requestHash: contents.digest(caller.workspace.id, hash.update(bytes).digest()),
  };
}

/** What the earlier request with this Idempotency-Key began; one that asked for something else is a clash. */
export async function findRepeated(
  { documents }: AskedParts,
  { caller }: FastifyRequest,
  key: RequestKey | undefined,
): Promise<ExtractionRow | undefined> {
  const known = key && (await documents.findByRequestKey(caller.workspace.id, key.requestKey));
  if (known && known.requestHash !== key.requestHash)
    throw new Problem("conflict", "This Idempotency-Key was used for another document, template, schema or webhook.");
  return known;
}

/** A file's own name, without folders. */
export function cleanName(name: string): string {
  const own = name.replace(/[\u0000-\u001f\u007f]/g, "").split(/[\\/]/);
  return own.at(-1)!.slice(0, 200) || "document";
}
