export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  format?: string;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: JsonSchema;
}

export interface Operation {
  summary?: string;
  description?: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: JsonSchema }> };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: JsonSchema }> }>;
}

export interface OpenApi {
  openapi: string;
  info: { title: string; description?: string; version: string };
  servers?: { url: string }[];
  components?: object;
  security?: object[];
  paths: Record<string, Record<string, Operation>>;
}

/** The API reference as one plain page: no script, nothing from another host. */
export function renderReference(api: OpenApi): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const contents = operations.map(
    ({ path, method }) => `<li><a href="#${anchor(method, path)}"><b>${method}</b> ${escapeHtml(path)}</a></li>`,
  );
  return page(
    api.info.title,
    `<h1>${escapeHtml(api.info.title)}</h1>
<p>${escapeHtml(api.info.description ?? "")}</p>
<p>Base address <code>${escapeHtml(api.servers?.[0]?.url ?? "")}</code> · version ${escapeHtml(api.info.version)} ·
<a href="openapi.json">OpenAPI 3.1</a></p>
<ul class="contents">${contents.join("\n")}</ul>
${operations.map(renderOperation).join("\n")}`,
  );
}

function renderOperation({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([type, { schema }]) => `<h3>Body <small>${escapeHtml(type)}</small></h3>${renderFields(schema)}`,
  );
  const parameters = operation.parameters?.length
    ? `<h3>Parameters</h3><table>${operation.parameters
        .map((one) => row(one.name, one.schema ?? {}, one.required === true, one.in))
        .join("")}</table>`
    : "";
  const responses = Object.entries(operation.responses ?? {}).map(([status, response]) => {
    const schemas = Object.entries(response.content ?? {}).map(([, { schema }]) => renderFields(schema));
    return `<h3>${status} <small>${escapeHtml(response.description ?? "")}</small></h3>${schemas.join("")}`;
  });
  return `<section id="${anchor(method, path)}"><h2><b>${method}</b> ${escapeHtml(path)}</h2>
<p>${escapeHtml(operation.summary ?? "")} ${escapeHtml(operation.description ?? "")}</p>${parameters}${bodies.join("")}${responses.join("")}</section>`;
}

function renderFields(schema: JsonSchema | undefined): string {
  const fields = Object.entries(schema?.properties ?? {});
  if (!schema || fields.length === 0) return schema ? `<p><code>${escapeHtml(typeName(schema))}</code></p>` : "";
  const required = new Set(schema.required);
  return `<table>${fields.map(([name, field]) => row(name, field, required.has(name), "")).join("")}</table>`;
}

function row(name: string, schema: JsonSchema, isRequired: boolean, place: string): string {
  const notes = [place, isRequired ? "required" : "", ...rules(schema), schema.description ?? ""].filter(
    (note) => note !== "",
  );
  const nested = renderNested(schema);
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(typeName(schema))}</td><td>${escapeHtml(notes.join("; "))}${nested}</td></tr>`;
}

function renderNested(schema: JsonSchema): string {
  const inner = schema.properties ? schema : schema.items?.properties ? schema.items : undefined;
  return inner ? renderFields(inner) : "";
}

function rules(schema: JsonSchema): string[] {
  const found: string[] = [];
  if (schema.enum) found.push(`one of ${schema.enum.map(String).join(", ")}`);
  if (schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER)
    found.push(`at least ${schema.minimum}`);
  if (schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER) found.push(`at most ${schema.maximum}`);
  if (schema.maxLength !== undefined) found.push(`up to ${schema.maxLength} characters`);
  if (schema.maxItems !== undefined) found.push(`up to ${schema.maxItems} items`);
  if (schema.default !== undefined) found.push(`default ${JSON.stringify(schema.default)}`);
  return found;
}

function typeName(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeName).join(" or ");
  if (schema.type === "array") return `${typeName(schema.items ?? {})}[]`;
  if (schema.format === "binary") return "file";
  return [schema.type ?? "any"].flat().join(" or ");
}

function anchor(method: string, path: string): string {
  return `${method}${path}`.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase();
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]!);
}

/** The plain look that all pages without a dashboard share. */
export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>
:root{color-scheme:light dark}body{font:16px/1.55 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:3rem;border-top:1px solid #8884;padding-top:1rem;font-size:1.15rem}h3{font-size:1rem;margin-bottom:.3rem}small{font-weight:400;opacity:.7}
code,pre{font:14px/1.5 ui-monospace,monospace}pre{overflow:auto;padding:1rem;background:#8881;border-radius:6px}
table{border-collapse:collapse;width:100%}td{border-bottom:1px solid #8883;padding:.35rem .6rem .35rem 0;vertical-align:top}
.contents{list-style:none;padding:0}a{color:inherit}</style></head><body>${body}</body></html>`;
}
