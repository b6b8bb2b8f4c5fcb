import { describe, expect, it } from "vitest";
import { drawInvoice, languages, sampleInvoice } from "../../../tests/support/made-up-invoice.ts";
import { textPage } from "../../../tests/support/text-page.ts";
import { applyTemplate } from "./apply-template.ts";
import { parseTemplate } from "./parse-template.ts";
import { suggestTemplate } from "./suggest-template.ts";

const document = drawInvoice(sampleInvoice, languages.us!, "beside");

describe("a suggested template", () => {
  const { template, not_found } = suggestTemplate(
    document,
    {
      reference: "INV-20418",
      shipped: "2024-03-05",
      to_pay: 2310.6,
      client: "Bramble & Finch GmbH",
      driver: "Nobody Atall",
      empty: null,
      goods: [{ what: "Cordless drill 18V", hours: 3, sum: 388.5 }],
    },
    "Aurora",
  );

  it("finds the values again that it was made from", () => {
    const { extraction } = applyTemplate(document, parseTemplate(template));
    expect(extraction.data).toMatchObject({
      reference: "INV-20418",
      shipped: "2024-03-05",
      to_pay: 2310.6,
      client: "Bramble & Finch GmbH",
      goods: [
        { what: "Cordless drill 18V", hours: 3, sum: 388.5 },
        { what: "Safety goggles", hours: 12, sum: 87 },
        { what: "On-site training", hours: 1, sum: 1450 },
      ],
    });
  });

  it("finds those of the next document of the same layout", () => {
    const next = drawInvoice(
      { ...sampleInvoice, number: "INV-20977", date: "2024-06-30", buyer: ["Fox & Hound KG", "Weg 1", "10115 Berlin"] },
      languages.us!,
      "beside",
    );
    expect(applyTemplate(next, template).extraction.data).toMatchObject({
      reference: "INV-20977",
      shipped: "2024-06-30",
      client: "Fox & Hound KG",
    });
  });

  it("uses the labels of the page", () => {
    expect(template.fields[0]).toMatchObject({ name: "reference", find: [{ label: ["Invoice #"], where: ["right"] }] });
  });

  it("names what does not stand in the document, and makes no rule for it", () => {
    expect(not_found).toEqual(["driver"]);
    expect(template.fields.map((field) => field.name)).not.toContain("driver");
  });

  it("has two places for two fields with the same value", () => {
    const twice = textPage([
      [0.1, 0.1, "Delivered"],
      [0.4, 0.1, "2024-03-05"],
      [0.1, 0.14, "Invoiced"],
      [0.4, 0.14, "2024-03-05"],
    ]);
    const values = { invoiced_on: "2024-03-05", delivered_on: "2024-03-05" };
    const { template: made, not_found: none } = suggestTemplate(twice, values, "Twice");
    expect(none).toEqual([]);
    expect(made.fields.map(({ name, find }) => [name, find])).toEqual([
      ["invoiced_on", [{ label: ["Invoiced"], where: ["right"] }]],
      ["delivered_on", [{ label: ["Delivered"], where: ["right"] }]],
    ]);
  });

  it("is refused when nothing was found, or a name cannot be a field's", () => {
    expect(() => suggestTemplate(document, { driver: "Nobody Atall" }, "T")).toThrow("None of these values");
    expect(() => suggestTemplate(document, { "two words": 2310.6 }, "T")).toThrow("must begin with a letter");
  });
});
