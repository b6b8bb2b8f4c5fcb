import { createRequire } from "node:module";
import { Problem } from "../../platform/errors.ts";
import { parseWith } from "../../platform/http/validate.ts";
import { compilePattern } from "../compile-pattern.ts";
import { fieldTypeOf, leavesOf, type ObjectNode, parseSchema, type SchemaNode } from "../schemas/parse-schema.ts";
import { checkYamlShape } from "./check-yaml-shape.ts";
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

/** `schema` instead of `fields`, or a bare schema of an object, becomes fields. */
function fromJsonSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { schema, ...given } = value as Record<string, unknown>;
  if (given.fields !== undefined) return value;
  if (schema !== undefined) return { name: nameOf(schema), ...given, fields: fieldsOf(parseSchema(schema)) };
  if (given.type !== "object" || !given.properties) return value;
  return { name: given.name ?? nameOf(given), description: given.description, fields: fieldsOf(parseSchema(given)) };
}

function nameOf(schema: unknown): unknown {
  return (schema as { title?: unknown } | null)?.title ?? "JSON Schema";
}

function fieldsOf(schema: ObjectNode): unknown[] {
  return leavesOf(schema).map(({ key, node, isRequired }) => {
    const field = { ...described(key, node), required: isRequired, description: node.description || undefined };
    if (node.kind === "scalar") return { ...field, pattern: node.pattern };
    const { items } = node;
    const columns = items.kind === "object" ? leavesOf(items) : [{ key: "value", node: items }];
    return { ...field, columns: columns.map((column) => described(column.key, column.node)) };
  });
}

function described(name: string, node: SchemaNode) {
  const labels = node.labels.length > 0 ? [...node.labels] : undefined;
  return { name, labels, type: node.kind === "scalar" ? fieldTypeOf(node) : "table" };
}
