import { z } from "zod";
import { isFileField } from "../form.ts";
import type { JsonSchema } from "./document.ts";

/** Collects the schemas of a document and gives each a name, so that a generated client has types that can be spoken of. */
export class SchemaCollection {
  readonly schemas: Record<string, JsonSchema> = {};
  /** Shared schemas by what they look like: wherever one stands in another, its name stands instead. */
  readonly #known = new Map<string, string>();

  constructor(named: Readonly<Record<string, z.ZodType>>) {
    for (const [name, schema] of Object.entries(named)) {
      const plain = jsonSchema(schema, "output");
      this.schemas[name] = this.#replaceInside(plain);
      this.#known.set(JSON.stringify(plain), name);
    }
  }

  add(name: string, schema: JsonSchema): JsonSchema {
    const found = this.#replace(schema);
    if (found.$ref || !found.properties) return found;
    this.schemas[name] = found;
    return reference(name);
  }

  #replace(schema: JsonSchema): JsonSchema {
    const name = this.#known.get(JSON.stringify(schema));
    return name ? reference(name) : this.#replaceInside(schema);
  }

  #replaceInside(schema: JsonSchema): JsonSchema {
    return Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [key, key === "default" ? value : this.#replaceValue(value)]),
    );
  }

  #replaceValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#replaceValue(one));
    if (typeof value === "object" && value !== null) return this.#replace(value as JsonSchema);
    return value;
  }
}

export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json as JsonSchema;
}

export function formSchema(form: z.ZodObject): JsonSchema {
  const json = jsonSchema(form, "input");
  for (const [name, field] of Object.entries(form.shape)) {
    if (isFileField(field as z.ZodType) && json.properties) {
      json.properties[name] = { ...json.properties[name], type: "string", format: "binary" };
    }
  }
  return json;
}
