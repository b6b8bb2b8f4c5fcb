import { Problem } from "../../platform/errors.ts";
import { isPath } from "../paths.ts";
import { compilePattern } from "../templates/parse-template.ts";
import { type Bounds, readBounds } from "./bounds.ts";

/** What a caller wants a value to be, with the words that may name it on the page. */
interface Described {
  readonly title: string;
  readonly description: string;
  /** `x-labels`: the words that stand beside it on the page. */
  readonly labels: readonly string[];
}

export interface ScalarNode extends Described {
  readonly kind: "scalar";
  readonly type: "string" | "number" | "integer" | "boolean";
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  /** Absent in schemas that were stored before bounds were looked at. */
  readonly bounds?: Bounds | undefined;
  readonly values?: readonly (string | number | boolean)[] | undefined;
}

export interface ObjectNode extends Described {
  readonly kind: "object";
  readonly properties: readonly { readonly name: string; readonly isRequired: boolean; readonly node: SchemaNode }[];
}

export interface ListNode extends Described {
  readonly kind: "list";
  readonly items: SchemaNode;
}

/** A JSON Schema with its references resolved, as plain data. */
export type SchemaNode = ScalarNode | ObjectNode | ListNode;

/** Guesses: several times what a form or an invoice has, and little enough to look every property up on every page. */
export const schemaLimits = { characters: 100_000, levels: 8, properties: 200, values: 200 };
/** Levels of the JSON itself: each level of the schema takes "properties" and a name, and "anyOf" a list more. */
const deepestJson = schemaLimits.levels * 6;
const longestName = 100;
const longestDescription = 500;
const longestPattern = 500;
const refused = ["allOf", "not", "if", "prefixItems", "patternProperties", "dependentSchemas", "$dynamicRef"];

/** Reads the text of a form field, and refuses what is too large to be looked at any further. */
export function readSchemaText(given: string | Record<string, unknown>): unknown {
  if (typeof given === "string") {
    if (given.length > schemaLimits.characters) throw tooLarge();
    try {
      given = JSON.parse(given) as Record<string, unknown>;
    } catch (cause) {
      throw new Problem("invalid_request", `"schema" is not JSON: ${(cause as Error).message}`, { cause });
    }
  }
  measure(given, 0, { left: schemaLimits.characters });
  return given;
}

function measure(value: unknown, depth: number, budget: { left: number }): void {
  if (depth > deepestJson) throw tooDeep("#");
  budget.left -= typeof value === "string" ? value.length + 2 : 2;
  if (budget.left < 0) throw tooLarge();
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    budget.left -= key.length;
    measure(inner, depth + 1, budget);
  }
}

interface Parsing {
  readonly definitions: Record<string, unknown>;
  properties: number;
}

/** Turns a JSON Schema of an object into nodes, and says precisely what cannot be filled. */
export function parseSchema(given: unknown): ObjectNode {
  const root = asSchema(given, "#");
  const definitions = root.$defs === undefined ? {} : root.$defs;
  if (!isObject(definitions)) throw bad("#/$defs", "must be an object");
  const node = parseNode(root, "#", 0, { definitions, properties: 0 }, []);
  if (node.kind !== "object") throw bad("#", 'must have the type "object", with "properties"');
  const seen = new Set<string>();
  for (const { key } of leavesOf(node)) {
    if (seen.has(key)) throw bad("#", `has two properties that are both called "${key}"`);
    seen.add(key);
  }
  return node;
}

/** A value or a list of the schema, with the names that lead to it. */
export interface Leaf {
  readonly steps: readonly string[];
  /** The name of the field in the reply: `vendor.name`. */
  readonly key: string;
  readonly parents: readonly ObjectNode[];
  readonly node: ScalarNode | ListNode;
}

export function leavesOf(node: ObjectNode, steps: readonly string[] = [], parents: readonly ObjectNode[] = []): Leaf[] {
  return node.properties.flatMap(({ name, node: inner }): Leaf[] => {
    const path = [...steps, name];
    return inner.kind === "object"
      ? leavesOf(inner, path, [...parents, node])
      : [{ steps: path, key: path.join("."), parents: [...parents, node], node: inner }];
  });
}

function parseNode(
  given: unknown,
  at: string,
  depth: number,
  parsing: Parsing,
  references: readonly string[],
): SchemaNode {
  if (depth > schemaLimits.levels) throw tooDeep(at);
  const outer = given === true ? {} : asSchema(given, at);
  for (const keyword of refused)
    if (Object.hasOwn(outer, keyword)) throw bad(at, `has "${keyword}", which is not supported`);
  if (outer.$ref !== undefined) {
    const { name, schema } = resolve(outer.$ref, at, parsing);
    if (references.includes(name)) throw bad(at, `refers to "#/$defs/${name}" inside itself, which has no end`);
    const { $ref: _, ...beside } = outer;
    return parseNode({ ...asSchema(schema, `#/$defs/${name}`), ...beside }, at, depth, parsing, [...references, name]);
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    if (outer[keyword] === undefined) continue;
    const options = Array.isArray(outer[keyword]) ? (outer[keyword] as unknown[]) : [];
    const real = options.filter((option) => !(isObject(option) && option.type === "null"));
    if (real.length !== 1)
      throw bad(`${at}/${keyword}`, 'must hold one schema, and {"type": "null"} beside it if you like');
    const { [keyword]: _, ...beside } = outer;
    return parseNode({ ...asSchema(real[0], `${at}/${keyword}`), ...beside }, at, depth, parsing, references);
  }
  const described = describe(outer, at);
  const type = typeOf(outer, at);
  if (type === "object") {
    const properties = outer.properties;
    if (!isObject(properties) || Object.keys(properties).length === 0)
      throw bad(at, 'is an object and needs "properties" with at least one name');
    const required = outer.required === undefined ? [] : outer.required;
    if (!isListOf(required, "string")) throw bad(`${at}/required`, "must be a list of names");
    for (const name of required as string[])
      if (!Object.hasOwn(properties, name))
        throw bad(`${at}/required`, `names "${name}", which is not among the properties`);
    return {
      ...described,
      kind: "object",
      properties: Object.entries(properties).map(([name, inner]) => {
        checkName(name, at);
        if (++parsing.properties > schemaLimits.properties)
          throw new Problem("invalid_request", `"schema" has more than ${schemaLimits.properties} properties.`);
        const node = parseNode(inner, `${at}/properties/${name}`, depth + 1, parsing, references);
        return { name, isRequired: (required as string[]).includes(name), node };
      }),
    };
  }
  if (type === "array")
    return {
      ...described,
      kind: "list",
      items: parseNode(outer.items ?? true, `${at}/items`, depth + 1, parsing, references),
    };
  return { ...described, kind: "scalar", type, ...limitsOf(outer, at) };
}

function limitsOf(
  schema: Record<string, unknown>,
  at: string,
): Pick<ScalarNode, "format" | "pattern" | "bounds" | "values"> {
  const { format, pattern } = schema;
  if (format !== undefined && typeof format !== "string") throw bad(`${at}/format`, "must be text");
  if (pattern !== undefined) {
    if (typeof pattern !== "string" || pattern.length > longestPattern)
      throw bad(`${at}/pattern`, `must be text of up to ${longestPattern} characters`);
    compilePattern(pattern, at);
  }
  const bounds = readBounds(schema, (name, what) => {
    throw bad(`${at}/${name}`, what);
  });
  const given = schema.const === undefined ? schema.enum : [schema.const];
  if (given === undefined) return { format, pattern, bounds };
  if (!Array.isArray(given) || given.length === 0 || given.length > schemaLimits.values)
    throw bad(`${at}/enum`, `must be a list of 1 to ${schemaLimits.values} values`);
  const values = given.filter((value) => value !== null);
  if (values.some((value) => typeof value === "object"))
    throw bad(`${at}/enum`, "must hold text, numbers, true or false");
  return { format, pattern, bounds, values: values as string[] };
}

function describe(schema: Record<string, unknown>, at: string): Described {
  const { title = "", description = "", "x-labels": labels = [] } = schema;
  if (typeof title !== "string") throw bad(`${at}/title`, "must be text");
  if (typeof description !== "string") throw bad(`${at}/description`, "must be text");
  if (!isListOf(labels, "string")) throw bad(`${at}/x-labels`, "must be a list of words");
  return {
    title: title.slice(0, longestName),
    description: description.slice(0, longestDescription),
    labels: (labels as string[]).slice(0, 40).map((label) => label.slice(0, longestName)),
  };
}

function typeOf(schema: Record<string, unknown>, at: string): ScalarNode["type"] | "object" | "array" {
  const types = [schema.type ?? []].flat().filter((type) => type !== "null");
  if (types.length > 1) throw bad(`${at}/type`, 'must be one type, and "null" beside it if you like');
  const [type] = types as string[];
  if (type === undefined) {
    if (schema.type !== undefined) throw bad(`${at}/type`, "must not be null alone");
    if (schema.properties !== undefined) return "object";
    if (schema.items !== undefined) return "array";
    const first =
      schema.const ?? (Array.isArray(schema.enum) ? schema.enum.find((value) => value !== null) : undefined);
    return typeof first === "number" || typeof first === "boolean" ? (typeof first as "number" | "boolean") : "string";
  }
  if (!["string", "number", "integer", "boolean", "object", "array"].includes(type))
    throw bad(`${at}/type`, `is ${JSON.stringify(type)}, which is no type of JSON Schema`);
  return type as "string";
}

function resolve(reference: unknown, at: string, { definitions }: Parsing): { name: string; schema: unknown } {
  const name = typeof reference === "string" ? /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1] : undefined;
  if (name === undefined) throw bad(`${at}/$ref`, 'must look like "#/$defs/name"; other documents are not fetched');
  if (!Object.hasOwn(definitions, name)) throw bad(`${at}/$ref`, `names "${name}", which is not in "$defs"`);
  return { name, schema: definitions[name] };
}

function checkName(name: string, at: string): void {
  if (name === "" || name.length > longestName || /[\u0000-\u001f\u007f[\]]/.test(name))
    throw bad(
      at,
      `has a property whose name is empty, longer than ${longestName} characters, or holds brackets or control characters`,
    );
  if (!isPath(name)) throw bad(at, `has a property "${name}", a name that objects reserve for themselves`);
}

function asSchema(value: unknown, at: string): Record<string, unknown> {
  if (!isObject(value)) throw bad(at, "must be a JSON Schema: an object in braces");
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, type: string): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === type);
}

function bad(at: string, what: string): Problem {
  return new Problem("invalid_request", `"schema" at ${at.slice(0, 300)} ${what}.`);
}

function tooDeep(at: string): Problem {
  return bad(at, `is nested deeper than ${schemaLimits.levels} levels`);
}

function tooLarge(): Problem {
  return new Problem("invalid_request", `"schema" is longer than ${schemaLimits.characters} characters.`);
}
