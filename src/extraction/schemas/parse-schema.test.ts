import { expect, it } from "vitest";
import { parseSchema, readSchemaText, schemaLimits } from "./parse-schema.ts";

const read = (given: unknown) => parseSchema(readSchemaText(given as string));
const withProperty = (property: unknown) => ({ type: "object", properties: { a: property } });
const nest = (levels: number): object => (levels === 0 ? {} : { properties: { a: nest(levels - 1) } });

it.each<[string, unknown, RegExp]>([
  ["text that is no JSON", "{'a': 1}", /"schema" is not JSON/],
  ["nothing at all", "", /"schema" is not JSON/],
  ["a list", "[]", /at # must be a JSON Schema/],
  ["a schema of a text", { type: "string" }, /at # must have the type "object"/],
  ["an object without properties", { type: "object" }, /needs "properties"/],
  ["an unknown type", withProperty({ type: "text" }), /#\/properties\/a\/type is "text", which is no type/],
  ["two types", withProperty({ type: ["string", "number"] }), /must be one type/],
  ["null alone", withProperty({ type: "null" }), /must not be null alone/],
  ["too many levels", nest(schemaLimits.levels + 2), /nested deeper than 8 levels/],
  ["JSON without end", `${"[".repeat(40_000)}${"]".repeat(40_000)}`, /nested more than 100 levels/],
  ["too long a text", `"${"x".repeat(schemaLimits.characters)}"`, /longer than 100000 characters/],
  ["too long an object", { description: "x".repeat(schemaLimits.characters) }, /longer than 100000 characters/],
  [
    "too many properties",
    { properties: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`p${index}`, {}])) },
    /more than 200 properties/,
  ],
  [
    "a reference to elsewhere",
    withProperty({ $ref: "https://example.com/x.json" }),
    /must look like "#\/\$defs\/name"/,
  ],
  ["a reference to nothing", withProperty({ $ref: "#/$defs/toString" }), /names "toString", which is not in/],
  [
    "a reference to itself",
    { ...withProperty({ $ref: "#/$defs/n" }), $defs: { n: { properties: { n: { $ref: "#/$defs/n" } } } } },
    /inside itself/,
  ],
  ["allOf", withProperty({ allOf: [{}] }), /"allOf", which is not supported/],
  ["a choice", withProperty({ oneOf: [{ type: "string" }, { type: "number" }] }), /must hold one schema/],
  ["a bad pattern", withProperty({ pattern: "(?=a)" }), /pattern of "#\/properties\/a" is not valid/],
  ["a bound that is text", withProperty({ minimum: "1" }), /#\/properties\/a\/minimum must be a number/],
  ["a length below nothing", withProperty({ maxLength: -1 }), /maxLength must be a whole number from 0/],
  ["an empty enum", withProperty({ enum: [] }), /1 to 200 values/],
  ["a required stranger", { ...withProperty({}), required: ["b"] }, /names "b", which is not among/],
  ["__proto__", '{"type":"object","properties":{"__proto__":{"type":"string"}}}', /reserve for themselves/],
  ["a name with a NUL", '{"type":"object","properties":{"a\\u0000":{}}}', /control characters/],
  ["two properties with one path", { properties: { "a.b": {}, a: { properties: { b: {} } } } }, /both called "a.b"/],
])("refuses %s and says why", (_what, given, message) => {
  expect(() => read(given)).toThrow(message);
});

it("resolves references, takes null beside a type, and guesses types that are not stated", () => {
  const schema = read({
    properties: {
      who: { anyOf: [{ $ref: "#/$defs/party" }, { type: "null" }], title: "Seller" },
      paid: { enum: [true, false] },
      tags: { items: { type: ["string", "null"] } },
    },
    required: ["who"],
    $defs: { party: { properties: { name: true } } },
  });
  expect(schema.properties).toMatchObject([
    { name: "who", isRequired: true, node: { kind: "object", title: "Seller", properties: [{ name: "name" }] } },
    { name: "paid", node: { kind: "scalar", type: "boolean", values: [true, false] } },
    { name: "tags", node: { kind: "list", items: { kind: "scalar", type: "string" } } },
  ]);
});

it("a definition that refers to others twice each does not grow without end", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `d${index}`,
      { properties: { l: { $ref: `#/$defs/d${index + 1}` }, r: { $ref: `#/$defs/d${index + 1}` } } },
    ]),
  );
  expect(() => read({ $ref: "#/$defs/d0", $defs: { ...$defs, d30: {} } })).toThrow(/deeper than|more than 200/);
});
