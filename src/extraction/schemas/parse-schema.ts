import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import { checkJsonShape } from "../../platform/http/json-shape.ts";
import { compilePattern } from "../compile-pattern.ts";
import { isPath } from "../paths.ts";
import type { FieldType } from "../templates/field-types.ts";

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
const longestName = 100;
const longestDescription = 500;
const longestPattern = 500;
const mostLabels = 40;

const refused = ["allOf", "not", "if", "prefixItems", "patternProperties", "dependentSchemas", "$dynamicRef"];
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], "must hold text, numbers, true or false");
const text = z.string("must be text");
/** Kept as they are: a record of zod's would quietly drop "__proto__". */
const named = z.custom<Record<string, unknown>>(isObject, "must be an object");
const whole = "must be a whole number from 0";
const patternText = `must be text of up to ${longestPattern} characters`;
const valueList = `must be a list of 1 to ${schemaLimits.values} values`;

/** How large a number and how long a text may be. */
const bounds = z.object({
  minimum: z.number("must be a number").optional(),
  maximum: z.number("must be a number").optional(),
  exclusiveMinimum: z.number("must be a number").optional(),
  exclusiveMaximum: z.number("must be a number").optional(),
  minLength: z.int(whole).min(0, whole).optional(),
  maxLength: z.int(whole).min(0, whole).optional(),
});
export type Bounds = z.output<typeof bounds>;

/** The words of JSON Schema that are looked at; whatever else a schema says is a note to its reader. */
const keywords = z.looseObject({
  ...bounds.shape,
  title: text.default("").transform((title) => title.slice(0, longestName)),
  description: text.default("").transform((description) => description.slice(0, longestDescription)),
  "x-labels": z
    .array(z.string("must be a word"), "must be a list of words")
    .default([])
    .transform((labels) => labels.slice(0, mostLabels).map((label) => label.slice(0, longestName))),
  format: text.optional(),
  pattern: z.string(patternText).max(longestPattern, patternText).optional(),
  const: scalar.optional(),
  enum: z.array(scalar, valueList).min(1, valueList).max(schemaLimits.values, valueList).optional(),
  properties: named.optional(),
  required: z.array(z.string("must be a name"), "must be a list of names").default([]),
  $defs: named.default({}),
});
type Keywords = z.output<typeof keywords>;

/** Reads the text of a form field, and refuses what is too large to be looked at any further. */
export function readSchemaText(given: string | Record<string, unknown>): unknown {
  const json = typeof given === "string" ? given : JSON.stringify(given);
  if (json.length > schemaLimits.characters)
    throw new Problem("invalid_request", `"schema" is longer than ${schemaLimits.characters} characters.`);
  let schema: unknown;
  try {
    schema = JSON.parse(json);
  } catch (cause) {
    throw new Problem("invalid_request", `"schema" is not JSON: ${(cause as Error).message}`, { cause });
  }
  checkJsonShape(Buffer.from(json));
  return schema;
}

/** Turns a JSON Schema of an object into nodes, and says precisely what cannot be filled. */
export function parseSchema(given: unknown): ObjectNode {
  const { $defs } = readKeywords(given, "#");
  const node = parseNode(given, { at: "#", depth: 0, references: [], definitions: $defs, count: { properties: 0 } });
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
  readonly isRequired: boolean;
  readonly node: ScalarNode | ListNode;
}

export function leavesOf(node: ObjectNode, steps: readonly string[] = [], parents: readonly ObjectNode[] = []): Leaf[] {
  return node.properties.flatMap(({ name, isRequired, node: inner }): Leaf[] => {
    const path = [...steps, name];
    return inner.kind === "object"
      ? leavesOf(inner, path, [...parents, node])
      : [{ steps: path, key: path.join("."), parents: [...parents, node], isRequired, node: inner }];
  });
}

/** What is looked for on the page. A page has dates, hardly ever moments: no time is made up for "date-time". */
export function fieldTypeOf({ type, format }: ScalarNode): Exclude<FieldType, "table"> {
  if (type !== "string") return type;
  if (format === "date" || format === "date-time") return "date";
  return format === "email" ? "email" : "string";
}

/** Where in the schema a node stands. */
interface Place {
  readonly at: string;
  readonly depth: number;
  /** Definitions that lead here, which must not lead here again. */
  readonly references: readonly string[];
  readonly definitions: Record<string, unknown>;
  readonly count: { properties: number };
}

function parseNode(given: unknown, place: Place): SchemaNode {
  const { at, references } = place;
  if (place.depth > schemaLimits.levels) throw bad(at, `is nested deeper than ${schemaLimits.levels} levels`);
  const schema = readKeywords(given === true ? {} : given, at);
  const unsupported = refused.find((keyword) => Object.hasOwn(schema, keyword));
  if (unsupported) throw bad(at, `has "${unsupported}", which is not supported`);
  const around = given as Record<string, unknown>;
  if (schema.$ref !== undefined) {
    const name = resolve(schema.$ref, place);
    if (references.includes(name)) throw bad(at, `refers to "#/$defs/${name}" inside itself, which has no end`);
    const { $ref: _, ...beside } = around;
    const inner = asObject(place.definitions[name], `#/$defs/${name}`);
    return parseNode({ ...inner, ...beside }, { ...place, references: [...references, name] });
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    if (schema[keyword] === undefined) continue;
    const { [keyword]: options, ...beside } = around;
    const real = [options].flat().filter((option) => (option as Keywords | null)?.type !== "null");
    if (real.length !== 1)
      throw bad(`${at}/${keyword}`, 'must hold one schema, and {"type": "null"} beside it if you like');
    return parseNode({ ...asObject(real[0], `${at}/${keyword}`), ...beside }, place);
  }
  const { title, description, "x-labels": labels } = schema;
  const described = { title, description, labels };
  const type = typeOf(schema, at);
  const below = (step: string): Place => ({ ...place, at: `${at}/${step}`, depth: place.depth + 1 });
  if (type === "object") return { ...described, kind: "object", properties: parseProperties(schema, place, below) };
  if (type === "array") return { ...described, kind: "list", items: parseNode(schema.items ?? true, below("items")) };
  const { format, pattern } = schema;
  if (pattern !== undefined) compilePattern(pattern, at);
  const values = (schema.const === undefined ? schema.enum : [schema.const])?.filter((value) => value !== null);
  return { ...described, kind: "scalar", type, format, pattern, bounds: bounds.parse(schema), values };
}

function parseProperties(
  { properties = {}, required }: Keywords,
  { at, count }: Place,
  below: (step: string) => Place,
): ObjectNode["properties"] {
  const names = Object.keys(properties);
  if (names.length === 0) throw bad(at, 'is an object and needs "properties" with at least one name');
  const stranger = required.find((name) => !names.includes(name));
  if (stranger !== undefined) throw bad(`${at}/required`, `names "${stranger}", which is not among the properties`);
  return names.map((name) => {
    checkName(name, at);
    if (++count.properties > schemaLimits.properties)
      throw new Problem("invalid_request", `"schema" has more than ${schemaLimits.properties} properties.`);
    const node = parseNode(properties[name], below(`properties/${name}`));
    return { name, isRequired: required.includes(name), node };
  });
}

const typeNames = ["string", "number", "integer", "boolean", "object", "array"] as const;

function typeOf(schema: Keywords, at: string): (typeof typeNames)[number] {
  const types = [schema.type ?? []].flat().filter((type) => type !== "null");
  if (types.length > 1) throw bad(`${at}/type`, 'must be one type, and "null" beside it if you like');
  if (types.length === 1) {
    const known = typeNames.find((name) => name === types[0]);
    if (!known) throw bad(`${at}/type`, `is ${JSON.stringify(types[0])}, which is no type of JSON Schema`);
    return known;
  }
  if (schema.type !== undefined) throw bad(`${at}/type`, "must not be null alone");
  if (schema.properties !== undefined) return "object";
  if (schema.items !== undefined) return "array";
  const first = schema.const ?? schema.enum?.find((value) => value !== null);
  return typeof first === "number" ? "number" : typeof first === "boolean" ? "boolean" : "string";
}

function resolve(reference: unknown, { at, definitions }: Place): string {
  const name = typeof reference === "string" ? /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1] : undefined;
  if (name === undefined) throw bad(`${at}/$ref`, 'must look like "#/$defs/name"; other documents are not fetched');
  if (!Object.hasOwn(definitions, name)) throw bad(`${at}/$ref`, `names "${name}", which is not in "$defs"`);
  return name;
}

function checkName(name: string, at: string): void {
  if (name === "" || name.length > longestName || /[\u0000-\u001f\u007f[\]]/.test(name))
    throw bad(
      at,
      `has a property whose name is empty, longer than ${longestName} characters, or holds brackets or control characters`,
    );
  if (!isPath(name)) throw bad(at, `has a property "${name}", a name that objects reserve for themselves`);
}

function readKeywords(given: unknown, at: string): Keywords {
  const read = keywords.safeParse(asObject(given, at));
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw bad([at, ...path].join("/"), message);
}

function asObject(value: unknown, at: string): Record<string, unknown> {
  if (!isObject(value)) throw bad(at, "must be a JSON Schema: an object in braces");
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bad(at: string, what: string): Problem {
  return new Problem("invalid_request", `"schema" at ${at.slice(0, 300)} ${what}.`);
}
