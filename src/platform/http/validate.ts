import type { FastifySchemaCompiler, FastifyTypeProvider } from "fastify";
import type { z } from "zod";
import { Problem } from "../errors.ts";
import { nearest } from "../nearest.ts";

/** Lets Fastify infer the type of `request.body` and friends from the zod schema of a route. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  validator: this["schema"] extends z.ZodType ? z.output<this["schema"]> : unknown;
  serializer: this["schema"] extends z.ZodType ? z.input<this["schema"]> : unknown;
}

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) =>
  checkerOf(schema, httpPart);

interface Checked<Value> {
  value?: Value;
  error?: Problem;
}

/** Checks data of one part of a request by its schema. */
function checkerOf<Schema extends z.ZodType>(
  schema: Schema,
  httpPart: string | undefined,
): (data: unknown) => Checked<z.output<Schema>> {
  const isPlain = plainChecks.get(schema);
  return (data) => {
    if (isPlain?.(data)) return { value: data as z.output<Schema> };
    try {
      return { value: parseWith(schema, data, httpPart === "body" ? "The body" : "The request") };
    } catch (error) {
      return { error: error as Problem };
    }
  };
}

const plainChecks = new WeakMap<z.ZodType, (data: unknown) => boolean>();

/** Spares usual requests of a busy route the schema. `isPlain` may say yes only to what the schema would take as it is; what it
 *  says no to goes through the schema. */
export function checkPlainly<Schema extends z.ZodType>(schema: Schema, isPlain: (data: unknown) => boolean): Schema {
  plainChecks.set(schema, isPlain);
  return schema;
}

/** Parses or throws a Problem that names each field that is wrong and what would be right. */
export function parseWith<Schema extends z.ZodType>(schema: Schema, data: unknown, whole: string): z.output<Schema> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const sentences = parsed.error.issues.slice(0, 5).map((issue) => describeIssue(issue, data, whole, schema));
  const field = parsed.error.issues[0]?.path.join(".");
  throw new Problem("invalid_request", [...new Set(sentences)].join(" "), field ? { field } : {});
}

function describeIssue(issue: z.core.$ZodIssue, data: unknown, whole: string, schema: z.ZodType): string {
  const place = issue.path.length > 0 ? `"${issue.path.join(".")}"` : whole;
  switch (issue.code) {
    case "invalid_type":
      return issue.path.length > 0 && valueAt(data, issue.path) === undefined
        ? `${place} is required (${issue.expected}).`
        : `${place} must be ${withArticle(issue.expected)}.`;
    case "too_small":
      return `${place} must ${sizeWords(issue.origin, "at least", issue.minimum)}.`;
    case "too_big":
      return `${place} must ${sizeWords(issue.origin, "at most", issue.maximum)}.`;
    case "invalid_value":
      return `${place} must be one of: ${issue.values.map((value) => String(value)).join(", ")}.`;
    case "unrecognized_keys":
      return issue.keys
        .slice(0, 5)
        .map((key) => unknownField(key, issue.path.length === 0 ? schema : undefined))
        .join(" ");
    case "custom":
      if (issue.path.length > 0 && valueAt(data, issue.path) === undefined) return `${place} is required.`;
      return issue.message.startsWith("=") ? issue.message.slice(1) : `${place} ${issue.message}.`;
    default:
      return issue.message.startsWith("=") ? issue.message.slice(1) : `${place} is not valid (${issue.message}).`;
  }
}

/** Says which field was meant, or which there are. */
function unknownField(key: string, schema: z.ZodType | undefined): string {
  const names = Object.keys((schema as Partial<z.ZodObject> | undefined)?.shape ?? {});
  const meant = nearest(key, names);
  const hint = meant ? ` Did you mean "${meant}"?` : names.length > 0 ? ` Fields: ${names.join(", ")}.` : "";
  return `There is no field "${key.slice(0, 100)}".${hint}`;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], data);
}

function sizeWords(origin: string, bound: string, size: number | bigint): string {
  if (origin === "string") return `have ${bound} ${size} characters`;
  if (origin === "array") return `have ${bound} ${size} items`;
  return `be ${bound} ${size}`;
}

function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
