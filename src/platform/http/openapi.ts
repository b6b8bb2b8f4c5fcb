import { z } from "zod";
import { packageVersion } from "../package-root.ts";
import type { HttpApp } from "./create-server.ts";
import { isFileField } from "./form.ts";
import { type JsonSchema, type OpenApi, type Operation, type Parameter, renderReference } from "./reference-page.ts";
import { sendPage } from "./security-headers.ts";

declare module "fastify" {
  interface FastifySchema {
    /** Left out of the description. */
    hide?: boolean;
    summary?: string;
    description?: string;
    /** The body's content type, where it is not JSON. */
    consumes?: string[];
  }
}

export interface ApiDescription {
  title: string;
  description: string;
  baseUrl: string;
  /** How a key is sent. */
  security: { bearer: true } | { header: string };
}

/** Describes the routes added after it, at `/openapi.json` and as a page at `/docs` of the service's base address.
 *  Nothing is worked out before somebody asks, so that it costs a start nothing. */
export function describeApi(app: HttpApp, api: ApiDescription, prefixes: { base: string }): void {
  const routes: DescribedRoute[] = [];
  app.addHook("onRoute", (route) => void routes.push(route as unknown as DescribedRoute));
  let made: OpenApi | undefined;
  const description = () => {
    made ??= assemble(api, routes, prefixes.base);
    return made;
  };
  const open = { config: { scope: "open" }, schema: { hide: true } as object };
  app.get("/openapi.json", open, async () => description());
  for (const path of ["/docs", "/docs/"]) {
    app.get(path, open, async (_request, reply) => sendPage(reply, renderReference(description())));
  }
}

function assemble(api: ApiDescription, routes: DescribedRoute[], base: string): OpenApi {
  const scheme =
    "bearer" in api.security
      ? { type: "http", scheme: "bearer" }
      : { type: "apiKey", in: "header", name: api.security.header };
  const paths: OpenApi["paths"] = {};
  for (const { method, url, schema, config } of routes) {
    if (!schema || schema.hide) continue;
    const path = (url.startsWith(base) ? url.slice(base.length) || "/" : url)
      .replace(/:([A-Za-z_]+)/g, "{$1}")
      .replace("*", "{path}");
    paths[path] ??= {};
    const operations = paths[path];
    for (const one of [method].flat()) {
      if (one !== "HEAD" && one !== "OPTIONS") operations[one.toLowerCase()] = describeOperation(path, schema, config);
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: api.title, description: api.description, version: packageVersion() },
    servers: [{ url: api.baseUrl }],
    components: { securitySchemes: { key: scheme } },
    security: [{ key: [] }],
    paths,
  };
}

interface DescribedRoute {
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
  body?: z.ZodType;
  querystring?: z.ZodType;
  params?: z.ZodType;
  headers?: z.ZodType;
  response?: Record<string, z.ZodType>;
  consumes?: string[];
  [other: string]: unknown;
}

function describeOperation(path: string, schema: RouteSchemas, config: RouteConfig | undefined): Operation {
  const { hide: _, consumes, body, querystring, params, headers, response, ...rest } = schema;
  const content = describeBody(body, config, consumes?.[0] ?? "application/json");
  const parameters = [
    ...parametersIn("query", querystring),
    ...(params ? parametersIn("path", params) : parametersOf(path)),
    ...parametersIn("header", headers),
  ];
  return {
    ...rest,
    ...(config?.scope === "open" ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: Object.fromEntries(
      Object.entries(response ?? {}).map(([status, one]) => {
        const json = outputSchema(one);
        const description = json.description ?? describeStatus(status);
        return [status, { description, content: { "application/json": { schema: json } } }];
      }),
    ),
  };
}

function describeBody(body: z.ZodType | undefined, config: RouteConfig | undefined, bodyType: string) {
  if (config?.bodies) {
    const { json, form } = config.bodies;
    return {
      "application/json": { schema: inputSchema(json) },
      "multipart/form-data": { schema: formSchema(form) },
    };
  }
  if (config?.form) return { "multipart/form-data": { schema: formSchema(config.form) } };
  return body && { [bodyType]: { schema: inputSchema(body) } };
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
  const { properties = {}, required = [] } = schema ? inputSchema(schema) : {};
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(one.description ? { description: one.description } : {}),
    schema: one,
  }));
}

function inputSchema(schema: z.ZodType): JsonSchema {
  return jsonSchema(schema, "input");
}

function outputSchema(schema: z.ZodType): JsonSchema {
  return jsonSchema(schema, "output");
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json as JsonSchema;
}

function formSchema(form: z.ZodObject): JsonSchema {
  const json = inputSchema(form);
  for (const [name, field] of Object.entries(form.shape)) {
    if (isFileField(field as z.ZodType) && json.properties) {
      json.properties[name] = { ...json.properties[name], type: "string", format: "binary" };
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
