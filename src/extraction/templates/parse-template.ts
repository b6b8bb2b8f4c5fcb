import { createRequire } from "node:module";
import { RE2JS } from "re2js";
import { Problem } from "../../platform/errors.ts";
import { parseWith } from "../../platform/http/validate.ts";
import { checkYamlShape } from "./check-yaml-shape.ts";
import type { FieldType } from "./field-types.ts";
import { type TemplateDefinition, templateDefinition } from "./schema.ts";
import { validateChecks } from "./template-checks.ts";

const longestText = 200_000;

/** Reads a template from JSON, YAML text or a plain JSON Schema, and says precisely what is wrong with it. */
export function parseTemplate(given: unknown): TemplateDefinition {
  const value = typeof given === "string" ? readYaml(given) : given;
  const definition = parseWith(templateDefinition, withoutVersion(fromJsonSchema(value)), "The template");
  validateChecks(definition);
  const names = new Set<string>();
  for (const field of definition.fields) {
    if (names.has(field.name)) throw new Problem("invalid_request", `Two fields are called "${field.name}".`);
    names.add(field.name);
    if (field.type === "table" && !field.columns)
      throw new Problem("invalid_request", `The table "${field.name}" needs "columns".`);
    for (const pattern of [
      field.pattern,
      field.validate?.pattern,
      ...(field.find ?? []).map((rule) => ("pattern" in rule ? rule.pattern : undefined)),
    ]) {
      if (pattern !== undefined) compilePattern(pattern, field.name);
    }
  }
  return definition;
}

/** Patterns run on an engine whose time grows with the text only, whatever the pattern. */
export function compilePattern(pattern: string, fieldName: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "it cannot be read";
    throw new Problem(
      "invalid_request",
      `The pattern of "${fieldName}" is not valid: ${reason}. Look-around and back-references are not available.`,
      { cause },
    );
  }
}

/** The server counts versions; one that a file states is a note to its reader. */
function withoutVersion(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { version: _version, ...rest } = value as Record<string, unknown>;
  return rest;
}

function readYaml(text: string): unknown {
  if (text.length > longestText) throw new Problem("invalid_request", "The template is too long.");
  checkYamlShape(text);
  // Seventy files that few requests need; `require` because the caller is not asynchronous.
  const { parse: parseYaml } = createRequire(import.meta.url)("yaml") as typeof import("yaml");
  try {
    return parseYaml(text, { maxAliasCount: 20 }) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : "";
    throw new Problem("invalid_request", `The template is not valid YAML: ${reason}`, { cause });
  }
}

interface JsonSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  pattern?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  required?: string[];
  anyOf?: JsonSchema[];
  "x-labels"?: string[];
}

/** `schema` instead of `fields`, or a bare schema of an object, becomes fields. */
function fromJsonSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const given = value as Record<string, unknown>;
  const schema = (given.schema ?? (given.type === "object" && given.properties ? given : undefined)) as
    | JsonSchema
    | undefined;
  if (!schema?.properties || given.fields !== undefined) return value;
  const {
    schema: _schema,
    type: _type,
    properties: _properties,
    required: _required,
    title,
    $schema: _dialect,
    $id: _id,
    additionalProperties: _more,
    ...rest
  } = given;
  return { ...rest, name: given.name ?? title ?? schema.title ?? "JSON Schema", fields: toFields(schema, "", 0) };
}

function toFields(schema: JsonSchema, prefix: string, depth: number): unknown[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, given]): unknown[] => {
    const property = given.anyOf?.find((option) => option.type !== "null") ?? given;
    const name = prefix ? `${prefix}.${key}` : key;
    const labels = given["x-labels"] ?? property["x-labels"];
    const base = {
      name,
      required: schema.required?.includes(key) ?? false,
      ...((given.description ?? property.description)
        ? { description: (given.description ?? property.description)!.slice(0, 500) }
        : {}),
      ...(labels ? { labels } : {}),
      ...(property.pattern ? { pattern: property.pattern } : {}),
    };
    const type = [property.type].flat().find((option) => option !== "null");
    if (type === "object" && depth < 3) return toFields(property, name, depth + 1);
    if (type === "array") {
      const columns = Object.entries(property.items?.properties ?? { value: property.items ?? {} }).map(
        ([column, item]) => ({
          name: column,
          type: scalarType(item),
          ...(item["x-labels"] ? { labels: item["x-labels"] } : {}),
        }),
      );
      return [{ ...base, pattern: undefined, type: "table", columns }];
    }
    return [{ ...base, type: scalarType(property) }];
  });
}

function scalarType(schema: JsonSchema): FieldType {
  const type = [schema.type].flat().find((option) => option !== "null");
  if (type === "number" || type === "integer" || type === "boolean") return type;
  if (schema.format === "date" || schema.format === "date-time") return "date";
  return schema.format === "email" ? "email" : "string";
}
