import type { z } from "zod";
import { packageVersion } from "../../package-root.ts";
import type { ApiDescription } from "./describe-api.ts";
import type { JsonSchema, Media, OpenApi, Operation, Parameter, Reply } from "./document.ts";
import type { RouteReference } from "./reference.ts";
import { formSchema, jsonSchema, reference, SchemaCollection } from "./schemas.ts";

export interface DescribedRoute {
  method: string | string[];
  url: string;
  schema?: RouteSchemas;
  config?: RouteConfig;
}

interface RouteConfig {
  form?: z.ZodObject;
  bodies?: { json: z.ZodObject; form: z.ZodObject };
  scope?: string;
}

interface RouteSchemas {
  hide?: boolean;
  summary?: string;
  body?: z.ZodType;
  querystring?: z.ZodType;
  params?: z.ZodType;
  headers?: z.ZodType;
  response?: Record<string, z.ZodType>;
  /** Where the body is not JSON. */
  consumes?: string[];
}

/** The OpenAPI document of a service, from its routes and what its reference says about them. */
export function assemble(api: ApiDescription, routes: readonly DescribedRoute[], base: string): OpenApi {
  const { security, reference: about } = api;
  const scheme =
    "bearer" in security ? { type: "http", scheme: "bearer" } : { type: "apiKey", in: "header", name: security.header };
  const schemas = new SchemaCollection(about.named);
  const paths: OpenApi["paths"] = {};
  const statuses = new Set<string>();
  for (const { method, url, schema, config } of routes) {
    if (!schema || schema.hide) continue;
    const path = (url.startsWith(base) ? url.slice(base.length) || "/" : url)
      .replace(/:([A-Za-z_]+)/g, "{$1}")
      .replace("*", "{path}");
    paths[path] ??= {};
    for (const one of [method].flat()) {
      if (one === "HEAD" || one === "OPTIONS") continue;
      const found = about.routes[`${one} ${path}`];
      if (!found) throw new Error(`The API reference has nothing about ${one} ${path}.`);
      const operation = describeOperation(path, schema, config, found, schemas);
      for (const status of Object.keys(operation.responses)) statuses.add(status);
      paths[path][one.toLowerCase()] = operation;
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: api.title,
      description: `${api.description}\n\n${about.guide}`,
      version: packageVersion(),
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: api.baseUrl }],
    tags: Object.entries(about.tags).map(([name, description]) => ({ name, description })),
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: scheme },
      responses: Object.fromEntries([...statuses].filter(isProblem).map((status) => problemReply(status))),
      schemas: schemas.schemas,
    },
  };
}

const isProblem = (status: string) => Number(status) >= 400;

function describeOperation(
  path: string,
  schema: RouteSchemas,
  config: RouteConfig | undefined,
  about: RouteReference,
  schemas: SchemaCollection,
): Operation {
  const name = about.id[0]!.toUpperCase() + about.id.slice(1);
  const content = describeBody(schema, config, about, (json) => schemas.add(`${name}Request`, json));
  const parameters = [
    ...parametersIn("query", schema.querystring),
    ...(schema.params
      ? parametersIn("path", schema.params).filter(({ name: one }) => path.includes(`{${one}}`))
      : parametersOf(path)),
    ...parametersIn("header", schema.headers),
  ];
  return {
    operationId: about.id,
    tags: [about.tag],
    summary: schema.summary ?? name,
    ...(about.description ? { description: about.description } : {}),
    ...(config?.scope === "open" ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: describeReplies(schema, config, about, (json) => schemas.add(`${name}Reply`, json)),
  };
}

function describeReplies(
  { response = {}, body }: RouteSchemas,
  config: RouteConfig | undefined,
  about: RouteReference,
  name: (json: JsonSchema) => JsonSchema,
): Record<string, Reply> {
  const hasBody = body !== undefined || config?.form !== undefined || config?.bodies !== undefined;
  const replies: Record<string, Reply> = {};
  for (const [status, schema] of Object.entries(response)) {
    if (isProblem(status)) continue;
    const content = about.isNeverJson
      ? {}
      : { "application/json": example(name(jsonSchema(schema, "output")), about.reply) };
    replies[status] = { description: statusNames[status] ?? "Success", content: { ...content, ...files(about) } };
  }
  if (Object.keys(replies).length === 0) replies[200] = { description: "Success", content: files(about) };
  const problems = Object.keys(response).filter(isProblem);
  for (const status of new Set([...problems, ...(about.also ?? []).map(String), ...(hasBody ? ["413"] : [])])) {
    replies[status] = { $ref: `#/components/responses/${problemNames[status]?.name ?? `Status${status}`}` };
  }
  return replies;
}

function files({ sends = [] }: RouteReference): Record<string, Media> {
  const isText = (type: string) => type.startsWith("text/") || type.endsWith("json");
  return Object.fromEntries(
    sends.map((type) => [type, { schema: isText(type) ? { type: "string" } : { type: "string", format: "binary" } }]),
  );
}

function example(schema: JsonSchema, value: unknown): Media {
  return value === undefined ? { schema } : { schema, example: value };
}

function describeBody(
  { body, consumes }: RouteSchemas,
  config: RouteConfig | undefined,
  about: RouteReference,
  name: (json: JsonSchema) => JsonSchema,
): Record<string, Media> | undefined {
  const json = (schema: z.ZodType) => example(name(jsonSchema(schema, "input")), about.request);
  // Not named: generated clients have no use for the name of a form.
  const form = (schema: z.ZodObject) => ({ schema: formSchema(schema) });
  if (config?.bodies) {
    return { "application/json": json(config.bodies.json), "multipart/form-data": form(config.bodies.form) };
  }
  if (config?.form) return { "multipart/form-data": form(config.form) };
  if (body && consumes) return { [consumes[0]!]: form(body as z.ZodObject) };
  return body && { "application/json": json(body) };
}

function parametersOf(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function parametersIn(place: "query" | "path" | "header", schema: z.ZodType | undefined): Parameter[] {
  const { properties = {}, required = [] } = schema ? jsonSchema(schema, "input") : {};
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(one.description ? { description: one.description } : {}),
    schema: one,
  }));
}

const statusNames: Record<string, string> = {
  "200": "Success",
  "201": "Created",
  "202": "Accepted; not finished yet",
};

const problemNames: Record<string, { name: string; means: string }> = {
  "400": { name: "BadRequest", means: "The request is malformed; the message says what would be right." },
  "401": { name: "Unauthorized", means: "The key is missing, unknown, expired or revoked." },
  "402": { name: "PaymentRequired", means: "The balance does not cover the request." },
  "403": { name: "Forbidden", means: "The key lacks the scope, or the plan does not include it." },
  "404": { name: "NotFound", means: "There is no such thing." },
  "409": { name: "Conflict", means: "In conflict with the present state." },
  "413": { name: "TooLarge", means: "The body is larger than the service takes." },
  "415": { name: "UnsupportedType", means: "Not an accepted format." },
  "422": { name: "Unreadable", means: "The content could not be read." },
  "429": { name: "TooManyRequests", means: "Too many requests; Retry-After says when to come back." },
  "502": { name: "EngineUnavailable", means: "An engine or a backend does not answer." },
  "503": { name: "Unavailable", means: "Not available now; Retry-After says when to come back." },
};

function problemReply(status: string): [string, Reply] {
  const { name, means } = problemNames[status] ?? { name: `Status${status}`, means: status };
  return [name, { description: means, content: { "application/json": { schema: reference("Problem") } } }];
}
