type Schema = Record<string, unknown>;

const kept = "type const enum description minLength maxLength format minItems maxItems $ref".split(" ");
const formats = new Set(["date", "time", "date-time"]);
const deepest = 32;

/** A JSON Schema in the words that the runtime's grammars know. What they cannot express is left out, so that the answer may be
 *  looser than the schema, but never another shape. */
export function grammarSchema(schema: unknown, depth = 0): Schema {
  if (typeof schema !== "object" || schema === null || depth > deepest) return { type: "string" };
  const given = schema as Schema;
  const choices = given.oneOf ?? given.anyOf;
  if (Array.isArray(choices))
    return withDefinitions(given, { oneOf: choices.map((one) => grammarSchema(one, depth + 1)) });
  if (Array.isArray(given.allOf)) return grammarSchema(Object.assign({}, ...(given.allOf as object[])), depth + 1);
  const schemaOut: Schema = {};
  for (const key of kept) if (given[key] !== undefined) schemaOut[key] = given[key];
  if (typeof schemaOut.format === "string" && !formats.has(schemaOut.format)) delete schemaOut.format;
  if (given.properties && typeof given.properties === "object") {
    schemaOut.type = "object";
    schemaOut.properties = Object.fromEntries(
      Object.entries(given.properties).map(([name, one]) => [name, grammarSchema(one, depth + 1)]),
    );
  } else if (given.type === "object") schemaOut.additionalProperties = anything(given.additionalProperties, depth);
  if (given.type === "array") {
    if (Array.isArray(given.prefixItems))
      schemaOut.prefixItems = given.prefixItems.map((one) => grammarSchema(one, depth + 1));
    if (given.items) schemaOut.items = grammarSchema(given.items, depth + 1);
  }
  return withDefinitions(given, schemaOut);
}

function anything(additional: unknown, depth: number): Schema | boolean {
  return typeof additional === "object" && additional !== null ? grammarSchema(additional, depth + 1) : true;
}

function withDefinitions(given: Schema, made: Schema): Schema {
  const definitions = given.$defs ?? given.definitions;
  if (typeof definitions !== "object" || definitions === null) return made;
  const entries = Object.entries(definitions).map(([name, one]) => [name, grammarSchema(one, 1)]);
  return { ...made, $defs: Object.fromEntries(entries) };
}
