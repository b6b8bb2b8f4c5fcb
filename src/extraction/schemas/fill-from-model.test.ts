import { describe, expect, it } from "vitest";
import { drawInvoice, languages, sampleInvoice } from "../../../tests/support/made-up-invoice.ts";
import { textPage } from "../../../tests/support/text-page.ts";
import { findOpenQuestions } from "../fields/ask-model.ts";
import { fillFromModel, schemaQuestions } from "./fill-from-model.ts";
import { fillSchema } from "./fill-schema.ts";
import { parseSchema } from "./parse-schema.ts";

/** A crew list in prose, which no rule takes for a table. */
const crew = textPage([
  [0.1, 0.1, "The harbour tour is led by Ada Okafor, who has sailed for 12 years."],
  [0.1, 0.2, "With her are Bo Lindqvist (7 years) and, on Sundays, Cem Yildiz."],
  [0.1, 0.3, "Ports of call: the fish market; the old crane."],
]);
const crewSchema = parseSchema({
  properties: {
    crew: {
      type: "array",
      items: { properties: { name: {}, years: { type: "integer" } } },
    },
    stops: { type: "array", items: { type: "string", minLength: 5 } },
    sails: { type: "array", items: { type: "string" } },
  },
});
const invoice = drawInvoice(sampleInvoice, languages.de!, "beside");

describe("a schema with a language model", () => {
  it("takes from a model only what stands on the line that it cites, in the type of the schema", () => {
    const schema = parseSchema({
      properties: {
        place: { description: "Town of the seller" },
        "odd.name": {},
        invented: {},
        year: { type: "integer" },
        kind: { enum: ["Tools"] },
      },
      required: ["place", "invented"],
    });
    const extraction = fillSchema(invoice, schema);
    const { lines, open } = findOpenQuestions(invoice, extraction, schemaQuestions(schema));
    expect(open.map(({ name }) => name)).toEqual(["place", "odd.name", "invented", "year", "kind"]);
    const line = (text: string) => lines.findIndex((one) => one.includes(text)) + 1;
    const answers = {
      place: { value: "Rivertown", line: line("Rivertown") },
      "odd.name": { value: "Mill Lane", line: line("Mill Lane") },
      invented: { value: "Atlantis", line: line("Rivertown") },
      year: { value: "Rivertown", line: line("Rivertown") },
      kind: { value: "Aurora", line: line("Aurora") },
    };
    const filled = fillFromModel({ document: invoice, schema, extraction, open, answers });
    expect(filled.data).toEqual({
      place: "Rivertown",
      "odd.name": "Mill Lane",
      invented: null,
      year: null,
      kind: null,
    });
    expect(filled.fields.place).toMatchObject({ value: "Rivertown", page: 1, confidence: 0.75 });
    expect(filled.warnings).toEqual(['The required field "invented" was not found.']);
  });

  const ask = (answers: Parameters<typeof fillFromModel>[0]["answers"]) => {
    const extraction = fillSchema(crew, crewSchema);
    const { open } = findOpenQuestions(crew, extraction, schemaQuestions(crewSchema));
    return fillFromModel({ document: crew, schema: crewSchema, extraction, open, answers });
  };

  it("asks for a list with its columns, where the rules left one of them empty", () => {
    expect(schemaQuestions(crewSchema)[0]).toEqual({
      name: "crew",
      type: "list",
      description: "",
      columns: [
        { name: "name", type: "string", description: "" },
        { name: "years", type: "integer", description: "" },
      ],
    });
    const lines = parseSchema({
      properties: {
        artikel: { type: "array", items: { properties: { bezeichnung: {}, betrag: { type: "number" } } } },
      },
    });
    expect(findOpenQuestions(invoice, fillSchema(invoice, lines), schemaQuestions(lines)).open).toEqual([]);
  });

  it("takes each entry of a list with the place of each value, and drops what is made up or said twice", () => {
    const at = (value: unknown, line: number | null) => ({ value, line });
    const { data, fields } = ask({
      crew: [
        { name: at("Ada Okafor", 1), years: at(12, 1) },
        { name: at("Bo Lindqvist", 2), years: at(70, 2) },
        { name: at("Bo Lindqvist", 2) },
        { name: at("Dora Nobody", 2), years: at(3, 1) },
        { name: at("Cem Yildiz", 2), constructor: at("x", 1) },
      ],
      stops: [{ value: at("the fish market", 3) }, { value: at("the old crane", 3) }, { value: at("the", 3) }],
      sails: at("Ada Okafor", 1),
    });
    expect(data).toEqual({
      crew: [
        { name: "Ada Okafor", years: 12 },
        { name: "Bo Lindqvist", years: null },
        { name: "Cem Yildiz", years: null },
      ],
      stops: ["the fish market", "the old crane"],
      sails: [],
    });
    expect(fields["crew[0].years"]).toMatchObject({ value: 12, page: 1, box: expect.any(Array), confidence: 0.75 });
    expect(fields["stops[1]"]).toMatchObject({ value: "the old crane", box: expect.any(Array) });
  });

  it("keeps the list of the rules where the model knows less of it", () => {
    const schema = parseSchema({
      properties: { artikel: { type: "array", items: { properties: { bezeichnung: {}, menge: {}, farbe: {} } } } },
    });
    const extraction = fillSchema(invoice, schema);
    const { lines, open } = findOpenQuestions(invoice, extraction, schemaQuestions(schema));
    expect(open).toHaveLength(1);
    const line = lines.findIndex((one) => one.includes("Safety goggles")) + 1;
    const answers = { artikel: [{ bezeichnung: { value: "Safety goggles", line } }] };
    const { data } = fillFromModel({ document: invoice, schema, extraction, open, answers });
    expect(data).toEqual(extraction.data);
  });
});
