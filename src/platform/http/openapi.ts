import swagger from "@fastify/swagger";
import { z } from "zod";
import { packageVersion } from "../package-root.ts";
import type { HttpApp } from "./create-server.ts";
import { isFileField } from "./form.ts";
import { renderReference } from "./reference-page.ts";
import { sendPage } from "./security-headers.ts";

export interface ApiDescription {
  title: string;
  description: string;
  baseUrl: string;
  /** How a key is sent. */
  security: { bearer: true } | { header: string };
}

/** Describes the routes added after it, at `/openapi.json` and as a page at `/docs` of the service's base address. */
export async function describeApi(app: HttpApp, api: ApiDescription, prefixes: { base: string }): Promise<void> {
  const scheme =
    "bearer" in api.security
      ? { type: "http" as const, scheme: "bearer" }
      : { type: "apiKey" as const, in: "header" as const, name: api.security.header };
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: api.title, description: api.description, version: packageVersion() },
      servers: [{ url: api.baseUrl }],
      components: { securitySchemes: { key: scheme } },
      security: [{ key: [] }],
    },
    transform: ({ schema, url, route }) => ({
      schema: toJsonSchemas(schema as RouteSchemas | undefined, route.config),
      url: url.startsWith(prefixes.base) ? url.slice(prefixes.base.length) || "/" : url,
    }),
    // The same route may stand at two addresses; it is described once.
    hideUntagged: false,
  });
  const open = { config: { scope: "open" }, schema: { hide: true } as object };
  app.get("/openapi.json", open, async () => app.swagger());
  app.get("/docs", open, async (_request, reply) => sendPage(reply, renderReference(app.swagger() as never)));
}

interface RouteSchemas {
  hide?: boolean;
  body?: z.ZodType;
  querystring?: z.ZodType;
  params?: z.ZodType;
  headers?: z.ZodType;
  response?: Record<string, z.ZodType>;
  consumes?: string[];
  [other: string]: unknown;
}

function toJsonSchemas(
  schema: RouteSchemas | undefined,
  config: { form?: z.ZodObject; scope?: string } | undefined,
): object {
  if (!schema || schema.hide) return { hide: true };
  const { body, querystring, params, headers, response, ...rest } = schema;
  const form = config?.form;
  return {
    ...rest,
    ...(config?.scope === "open" ? { security: [] } : {}),
    ...(form ? { consumes: ["multipart/form-data"], body: formSchema(form) } : {}),
    ...(body ? { body: inputSchema(body) } : {}),
    ...(querystring ? { querystring: inputSchema(querystring) } : {}),
    ...(params ? { params: inputSchema(params) } : {}),
    ...(headers ? { headers: inputSchema(headers) } : {}),
    response: Object.fromEntries(
      Object.entries(response ?? {}).map(([status, one]) => [
        status,
        { description: describeStatus(status), ...outputSchema(one) },
      ]),
    ),
  };
}

function inputSchema(schema: z.ZodType): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Record<
    string,
    unknown
  >;
  return json;
}

function outputSchema(schema: z.ZodType): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }) as Record<
    string,
    unknown
  >;
  return json;
}

function formSchema(form: z.ZodObject): object {
  const json = inputSchema(form) as { properties?: Record<string, object> };
  for (const [name, field] of Object.entries(form.shape)) {
    if (isFileField(field as z.ZodType) && json.properties) {
      json.properties[name] = { ...json.properties[name], type: "string", format: "binary" } as object;
    }
  }
  return json;
}

const statusNames: Record<string, string> = {
  "200": "Success",
  "201": "Created",
  "202": "Accepted; not finished yet",
  "400": "The request is malformed",
  "401": "The key is missing, unknown or revoked",
  "402": "The balance is zero",
  "403": "The key or the plan does not allow it",
  "404": "Not found",
  "409": "In conflict with the present state",
  "413": "Too large",
  "415": "Not an accepted format",
  "422": "Unreadable content",
  "429": "Too many requests; see Retry-After",
  "502": "An engine or backend is unreachable",
  "503": "Not available now",
};

function describeStatus(status: string): string {
  return statusNames[status] ?? status;
}
