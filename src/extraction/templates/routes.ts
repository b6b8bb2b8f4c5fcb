import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { turnOf } from "../../accounts/turn-of.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { fileField, type UploadedFile } from "../../platform/http/form.ts";
import { newId } from "../../platform/ids.ts";
import { type DocumentReader, defaultReadLimits, type SealedDocument } from "../../ports/document-reader.ts";
import type { TemplateRow } from "../documents/tables.ts";
import type { Understanding, UnderstandingTurn } from "../documents/understanding.ts";
import { idParams, removed, route } from "../route.ts";
import { type BuiltInTemplate, builtInTemplates, findBuiltIn } from "./built-in.ts";
import { templateList, templateReply, versionList } from "./schema.ts";
import type { TemplateStore } from "./store.ts";

export interface TemplateRouteParts {
  readonly templates: TemplateStore;
  readonly reader: DocumentReader;
  readonly understanding: Understanding;
}

const testForm = z.strictObject({
  file: fileField(20_000_000, "A document to try the template on; nothing is stored."),
  template: z
    .string()
    .max(200_000)
    .optional()
    .meta({ description: "A draft (JSON or YAML) to try instead of the stored version." }),
});
const suggestForm = z.strictObject({
  file: fileField(20_000_000, "A document of at most ten pages; nothing is stored."),
  values: z
    .string()
    .max(200_000)
    .meta({ description: 'What the document says, as JSON: {"invoice_number": "A-1", "items": [{"qty": 2}]}.' }),
  name: z.string().min(1).max(120).default("Suggested template"),
});
const versionQuery = z.object({ version: z.coerce.number().int().min(1).optional() });
const anyBody = z.unknown();
const anyReply = { 200: z.looseObject({}) };
const whole = { 200: templateReply };

export function addTemplateRoutes(app: HttpApp, parts: TemplateRouteParts): void {
  // YAML is easier to write by hand; it is parsed where JSON is, by the same rules.
  app.addContentTypeParser(
    ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"],
    { parseAs: "string", bodyLimit: 200_000 },
    (_request, body, done) => done(null, body),
  );

  app.get("/v1/templates", route("List built-in and own templates", { 200: templateList }), async (request) => {
    const own = await parts.templates.list(request.caller.workspace.id);
    return { templates: [...builtInTemplates.map(presentBuiltIn), ...own.map(present)] };
  });

  app.post(
    "/v1/templates",
    route("Create a template (JSON, YAML or a JSON Schema)", { 201: templateReply }, { body: anyBody }),
    async (request, reply) => {
      const definition = await parts.understanding.parseTemplate(request.body, asideFor(request));
      const row = await parts.templates.insert(newId("tpl_"), request.caller.workspace.id, definition);
      return reply.code(201).send(present(row));
    },
  );

  app.get(
    "/v1/templates/:id",
    route("Fetch a template, or one of its versions", whole, { params: idParams, querystring: versionQuery }),
    async (request) => {
      const builtIn = findBuiltIn(request.params.id);
      if (builtIn) return presentBuiltIn(builtIn);
      const row = await getTemplate(parts, request);
      const { version } = request.query;
      if (version === undefined || version === row.version) return present(row);
      const definition = await parts.templates.findVersion(row.id, version);
      if (!definition) throw new Problem("not_found", `The template "${row.id}" has no version ${version}.`);
      return present({ ...row, version, definition });
    },
  );

  app.get(
    "/v1/templates/:id/versions",
    route("List the versions of a template", { 200: versionList }, { params: idParams }),
    async (request) => {
      const row = await getTemplate(parts, request);
      const versions = await parts.templates.listVersions(row.id);
      return { versions: versions.map(({ version, createdAt }) => ({ version, created_at: createdAt.toISOString() })) };
    },
  );

  app.put(
    "/v1/templates/:id",
    route("Change a template; the old version is kept", whole, { params: idParams, body: anyBody }),
    async (request) => {
      const { id } = request.params;
      refuseBuiltIn(id);
      const definition = await parts.understanding.parseTemplate(request.body, asideFor(request));
      const row = await parts.templates.replace(request.caller.workspace.id, id, definition);
      if (!row) throw missing(id);
      return present(row);
    },
  );

  app.delete(
    "/v1/templates/:id",
    route("Delete a template", { 200: removed }, { params: idParams }),
    async (request) => {
      const { id } = request.params;
      refuseBuiltIn(id);
      if (!(await parts.templates.remove(request.caller.workspace.id, id))) throw missing(id);
      return { id, deleted: true as const };
    },
  );

  app.post(
    "/v1/templates/suggest",
    route("Write a draft from a document and the values that are right for it", anyReply, {}, suggestForm),
    async (request) => {
      const wanted = request.body as z.output<typeof suggestForm>;
      const values = readValues(wanted.values);
      const document = await readFor(parts, request, wanted.file, 10);
      return parts.understanding.suggestTemplate({ document, values, name: wanted.name }, asideFor(request));
    },
  );

  app.post(
    "/v1/templates/:id/test",
    route(
      "Try a template on a document: the lines with their boxes, and which rule found what",
      anyReply,
      { params: idParams },
      testForm,
    ),
    async (request) => {
      const { file, template } = request.body as z.output<typeof testForm>;
      const builtIn = findBuiltIn(request.params.id);
      const turn = asideFor(request);
      const definition =
        template === undefined
          ? builtIn
            ? undefined
            : (await getTemplate(parts, request)).definition
          : await parts.understanding.parseTemplate(template, turn);
      const document = await readFor(parts, request, file, defaultReadLimits.maxPages);
      return parts.understanding.tryTemplate({ document, definition, type: builtIn?.document_type }, turn);
    },
  );
}

function asideFor({ caller, signal }: FastifyRequest): UnderstandingTurn {
  return { key: turnOf(caller), signal };
}

function readFor(
  { reader }: TemplateRouteParts,
  { caller, signal }: FastifyRequest,
  { bytes, name: fileName }: UploadedFile,
  maxPages: number,
): Promise<SealedDocument> {
  const limits = { ...defaultReadLimits, maxPages };
  return reader.read({ bytes, fileName, limits, caller: turnOf(caller) }, signal);
}

/** Names and values, or lists of rows; the names are checked when the template is. */
function readValues(text: string): Record<string, unknown> {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (cause) {
    throw new Problem("invalid_request", '"values" is not valid JSON.', { cause });
  }
  const isObject = typeof values === "object" && values !== null && !Array.isArray(values);
  const count = isObject ? Object.keys(values as object).length : 0;
  if (count < 1 || count > 100)
    throw new Problem("invalid_request", '"values" must be an object of 1 to 100 fields, such as {"total": 12.5}.');
  return values as Record<string, unknown>;
}

function present(row: TemplateRow) {
  return {
    id: row.id,
    version: row.version,
    ...row.definition,
    is_built_in: false,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

function presentBuiltIn(template: BuiltInTemplate) {
  return { ...template, version: 1, is_built_in: true };
}

async function getTemplate(
  { templates }: TemplateRouteParts,
  { caller, params }: FastifyRequest<{ Params: { id: string } }>,
): Promise<TemplateRow> {
  const row = await templates.find(caller.workspace.id, params.id);
  if (!row) throw missing(params.id);
  return row;
}

function refuseBuiltIn(id: string): void {
  if (findBuiltIn(id))
    throw new Problem(
      "invalid_request",
      `"${id}" is built in and cannot be changed. Create a template of your own instead.`,
    );
}

function missing(id: string): Problem {
  return new Problem("not_found", `There is no template "${id}".`);
}
