import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type HostileServer, isWell, startHostile } from "./hostile-server.ts";

/** In the suite the same few hundred requests every time; with FUZZ_SECONDS others, for so long in all. */
const seconds = Number(process.env.FUZZ_SECONDS ?? 0);
const howMany = () =>
  seconds > 0
    ? { numRuns: 1_000_000, interruptAfterTimeLimit: (seconds / 3) * 1000, markInterruptAsFailure: false }
    : { numRuns: 400, seed: 20_261_117, endOnFailure: true };

let server: HostileServer;
beforeAll(async () => {
  server = await startHostile();
});
afterAll(() => server.stop());

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Route {
  readonly path: string;
  readonly method: string;
  readonly isForm: boolean;
  readonly schema: Schema | undefined;
}

const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    ...["", " ", "\u0000", "a\u0000b", "\ud800", "__proto__", "constructor", "../../etc/passwd", "'; DROP TABLE x; --"],
    ...[0, -1, 5e12, 1e308, -0, Number.MAX_SAFE_INTEGER + 2, null, true, [], {}, [[]], "e\u0301".repeat(5000)],
    ...["local/tinyllama-1.1b-chat", "en-us", "auto", "p_x", "2026-01-01", "\u202e\ufeff", "😀".repeat(2000)],
  ),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.jsonValue({ maxDepth: 6 }),
  fc.integer({ min: 1, max: 99 }).map((depth) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`)),
);

/** Mostly right in shape, so that it gets past the first check, and wrong in one place or another. */
function bodyOf(schema: Schema | undefined): fc.Arbitrary<unknown> {
  if (!schema) return nasty;
  if (schema.anyOf) return fc.oneof(nasty, ...schema.anyOf.map(bodyOf));
  if (schema.enum) return fc.oneof(fc.constantFrom(...schema.enum), nasty);
  if (schema.type === "array") return fc.oneof(fc.array(bodyOf(schema.items), { maxLength: 5 }), nasty);
  if (schema.type !== "object" || !schema.properties) return fc.oneof(sensible(schema.type), nasty);
  const fields = Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, bodyOf(inner)]));
  const record = fc.record({ ...fields, __proto__x: nasty }, { requiredKeys: [] });
  return fc.oneof({ weight: 9, arbitrary: record }, { weight: 1, arbitrary: nasty });
}

function sensible(type: string | undefined): fc.Arbitrary<unknown> {
  if (type === "number" || type === "integer") return fc.integer({ min: 0, max: 3 });
  return type === "boolean" ? fc.boolean() : fc.constantFrom("Hello.", "en-us", "a");
}

async function routesOf(base: string): Promise<Route[]> {
  const document = (await (await fetch(`${server.url}${base}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const resolved = (schema: Schema | undefined) =>
    schema?.$ref ? document.components.schemas[schema.$ref.split("/").at(-1)!] : schema;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody }]) => ({
      path: base + path,
      method: method.toUpperCase(),
      isForm: requestBody?.content["multipart/form-data"] !== undefined,
      schema: resolved(Object.values(requestBody?.content ?? {})[0]?.schema),
    })),
  );
}

async function send({ path, method, isForm }: Route, body: unknown, id: string): Promise<number> {
  const address = server.url + path.replaceAll(/\{\w+\}/g, encodeURIComponent(id));
  const headers = { authorization: `Bearer ${server.key}`, "x-api-key": server.key };
  const hasBody = method !== "GET" && method !== "DELETE";
  const sent = !hasBody ? {} : isForm ? { body: toForm(body) } : { body: JSON.stringify(body) ?? "" };
  const type = hasBody && !isForm ? { "content-type": "application/json" } : {};
  const reply = await fetch(address, { method, headers: { ...headers, ...type }, ...sent });
  await reply.arrayBuffer();
  return reply.status;
}

function toForm(body: unknown): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as object)) {
    if (name === "file") data.append(name, new Blob([JSON.stringify(value) ?? ""]), "a\u0000b.wav");
    else data.append(name, typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  }
  return data;
}

it.each(["", "/gateway/v1", "/extraction"])(
  "whatever is sent to %s is answered, and never with a failure of ours",
  async (base) => {
    const routes = await routesOf(base);
    expect(routes.length).toBeGreaterThan(3);
    const cases = fc
      .constantFrom(...routes)
      .chain((route) =>
        fc.tuple(
          fc.constant(route),
          bodyOf(route.schema),
          fc.oneof(
            fc.constantFrom("x", "\u0000", "tpl_invoice"),
            fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
          ),
        ),
      );
    await fc.assert(
      fc.asyncProperty(cases, async ([route, body, id]) => {
        const status = await send(route, body, /\p{Cs}/u.test(id) ? "x" : id);
        expect(status, `${route.method} ${route.path}`).not.toBe(500);
      }),
      howMany(),
    );
    expect(await isWell(server)).toBe(true);
  },
);

it("and after all of it the server starts again", async () => {
  await server.restart("SIGKILL");
  expect(await isWell(server)).toBe(true);
});
