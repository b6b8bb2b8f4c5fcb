import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

interface OpenApi {
  components?: object;
  paths: Record<
    string,
    Record<string, { responses?: Record<string, { content?: Record<string, { schema?: object }> }> }>
  >;
}

const bases = ["/gateway/v1", "/extraction", "/admin", ""];
const descriptions = new Map<string, Promise<OpenApi | undefined>>();
const compiled = new WeakMap<object, ValidateFunction>();
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Throws when a JSON reply is not what the server's own OpenAPI description says. Every reply of the suite passes here. */
export async function checkReply(url: string, method: string, status: number, body: unknown): Promise<void> {
  const { origin, pathname } = new URL(url);
  const base = bases.find((candidate) => pathname.startsWith(candidate))!;
  const api = await readDescription(`${origin}${base}/openapi.json`);
  const schema = api && findSchema(api, pathname.slice(base.length) || "/", method, status);
  if (!schema) return;
  let validate = compiled.get(schema);
  if (!validate) {
    // The root that "#/components/..." refers to.
    validate = ajv.compile({ ...schema, components: api.components });
    compiled.set(schema, validate);
  }
  if (!validate(body)) {
    throw new Error(
      `${method} ${pathname} answered ${status} with a body that openapi.json does not describe: ${ajv.errorsText(validate.errors)}`,
    );
  }
}

function readDescription(url: string): Promise<OpenApi | undefined> {
  let description = descriptions.get(url);
  if (!description) {
    // Servers come and go in tests; one that has gone describes nothing.
    description = fetch(url).then(
      (reply) => (reply.ok ? (reply.json() as Promise<OpenApi>) : undefined),
      () => undefined,
    );
    descriptions.set(url, description);
  }
  return description;
}

function findSchema(api: OpenApi, path: string, method: string, status: number): object | undefined {
  for (const [template, methods] of Object.entries(api.paths)) {
    const pattern = new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]+\}/g, "[^/]+")}$`);
    const found = pattern.test(path) ? methods[method.toLowerCase()] : undefined;
    if (found) return Object.values(found.responses?.[status]?.content ?? {})[0]?.schema;
  }
  return undefined;
}
