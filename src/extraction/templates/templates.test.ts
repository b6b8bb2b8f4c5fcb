import { describe, expect, it } from "vitest";
import { drawInvoice, languages, sampleInvoice } from "../../../tests/support/made-up-invoice.ts";
import { applyTemplate } from "./apply-template.ts";
import { parseTemplate } from "./parse-template.ts";

const document = drawInvoice(sampleInvoice, languages.us!, "beside");

describe("a template", () => {
  it("finds fields by label, pattern, region and meaning, and says which rule it was", () => {
    const template = parseTemplate({
      name: "Aurora",
      fields: [
        { name: "reference", type: "string", required: true, labels: ["Invoice #"] },
        { name: "order", pattern: "PO-(\\d+)" },
        { name: "issuer", find: [{ region: { page: 1, box: [0, 0.04, 0.5, 0.062] } }] },
        { name: "amount", type: "currency", find: [{ standard: "invoice.grand_total" }] },
        { name: "dated", type: "date", labels: ["Invoice date"] },
        { name: "nothing", labels: ["No such label"] },
      ],
    });
    const { extraction, traces } = applyTemplate(document, template);
    expect(extraction.data).toMatchObject({
      reference: "INV-20418",
      order: "7731",
      issuer: "Aurora Tools Ltd",
      amount: 2310.6,
      dated: "2024-03-05",
      nothing: null,
    });
    expect(traces[0]).toMatchObject({ field: "reference", rule: 'label "Invoice #"', page: 1 });
    expect(traces[5]).toMatchObject({ rule: null, tried: [{ outcome: "nothing found" }] });
  });

  it("reads tables under the headings it names", () => {
    const template = parseTemplate({
      name: "T",
      fields: [
        {
          name: "items",
          type: "table",
          columns: [
            { name: "what", header: "Service" },
            { name: "hours", type: "number", header: ["Hours"] },
            { name: "sum", type: "currency", header: ["Charge"] },
          ],
        },
      ],
    });
    const { extraction } = applyTemplate(document, template);
    expect(extraction.data.items).toEqual([
      { what: "Cordless drill 18V", hours: 3, sum: 388.5 },
      { what: "Safety goggles", hours: 12, sum: 87 },
      { what: "On-site training", hours: 1, sum: 1450 },
    ]);
  });

  it("may be YAML", () => {
    const template = parseTemplate("name: Short\nfields:\n  - name: number\n    labels: ['Invoice #']\n");
    expect(applyTemplate(document, template).extraction.data.number).toBe("INV-20418");
  });

  it("may be a plain JSON Schema, whose names are understood", () => {
    const template = parseTemplate({
      title: "Bill",
      type: "object",
      required: ["invoice_number"],
      properties: {
        invoice_number: { type: "string" },
        seller: { type: "object", properties: { name: { type: ["string", "null"] } } },
        total: { type: "number" },
        due_date: { type: "string", format: "date" },
        lines: {
          type: "array",
          items: {
            type: "object",
            properties: { description: { type: "string" }, qty: { type: "number" }, amount: { type: "number" } },
          },
        },
      },
    });
    expect(applyTemplate(document, template).extraction.data).toMatchObject({
      invoice_number: "INV-20418",
      seller: { name: "Aurora Tools Ltd" },
      total: 2310.6,
      due_date: "2024-04-04",
      lines: [{ description: "Cordless drill 18V", qty: 3, amount: 388.5 }, {}, {}],
    });
  });

  it("that leaves out a required field is less sure of itself and says so", () => {
    const { extraction } = applyTemplate(
      document,
      parseTemplate({
        name: "T",
        fields: [
          { name: "a", labels: ["Invoice #"] },
          { name: "b", required: true, labels: ["Missing"] },
        ],
      }),
    );
    expect(extraction.warnings).toContain('The required field "b" was not found.');
    expect(extraction.confidence).toBeLessThan(0.6);
  });

  it("with a mistake is refused in words that name it", () => {
    expect(() => parseTemplate({ name: "T", fields: [{ name: "a", pattern: "(" }] })).toThrow(/pattern of "a"/);
    expect(() => parseTemplate({ name: "T", fields: [{ name: "a", pattern: "(?=x)" }] })).toThrow(/Look-around/);
    expect(() => parseTemplate({ name: "T", fields: [] })).toThrow(/fields/);
    expect(() => parseTemplate({ name: "T", fields: [{ name: "t", type: "table" }] })).toThrow(/columns/);
    expect(() => parseTemplate({ name: "T", fields: [{ name: "a" }, { name: "a" }] })).toThrow(/Two fields/);
    expect(() => parseTemplate("fields: [")).toThrow(/YAML/);
  });

  it("with a pattern that would run for ever elsewhere answers at once", () => {
    const template = parseTemplate({ name: "T", fields: [{ name: "a", pattern: "^(a+)+$" }] });
    const page = document.pages[0]!;
    const line = { ...page.lines[0]!, text: `${"a".repeat(900)}!` };
    const { extraction } = applyTemplate({ ...document, pages: [{ ...page, lines: [line] }] }, template);
    expect(extraction.data.a).toBeNull();
  });
});
