import { describe, expect, it } from "vitest";
import { drawInvoice, languages, sampleInvoice } from "../../../tests/support/made-up-invoice.ts";
import { correctResult } from "../documents/correct.ts";
import { fillSchema } from "./fill-schema.ts";
import { parseSchema } from "./parse-schema.ts";

const amount = { type: "number" };
const day = { type: "string", format: "date" };
const invoice = drawInvoice(sampleInvoice, languages.de!, "beside");

describe("a schema", () => {
  it("gets exactly its shape, whatever it calls things and in whichever language", () => {
    const schema = parseSchema({
      type: "object",
      properties: {
        Rechnungsnummer: {},
        header: { properties: { dueDate: day, total: amount, currency: { enum: ["eur", "usd"] } } },
        reference: { title: "Purchase order" },
        when: { ...day, description: "The invoice date, as printed." },
        supplier: { properties: { name: {}, address: {} } },
        kunde: { properties: { name: {} } },
        shipping: { properties: { total: amount } },
        towns: { type: "array", items: { properties: { name: {} } } },
        constructorName: { type: ["string", "null"] },
        artikel: {
          type: "array",
          items: { properties: { bezeichnung: {}, menge: { type: "integer" }, betrag: amount, farbe: {} } },
        },
      },
    });
    const { data, fields, document_type } = fillSchema(invoice, schema);
    expect(document_type).toBe("invoice");
    expect(data).toEqual({
      Rechnungsnummer: "INV-20418",
      header: { dueDate: "2024-04-04", total: 2310.6, currency: "eur" },
      reference: "PO-7731",
      when: "2024-03-05",
      supplier: { name: "Aurora Tools Ltd", address: "12 Mill Lane, 3011 Rivertown" },
      kunde: { name: "Bramble & Finch GmbH" },
      shipping: { total: null },
      towns: [],
      constructorName: null,
      artikel: [
        { bezeichnung: "Cordless drill 18V", menge: 3, betrag: 388.5, farbe: null },
        { bezeichnung: "Safety goggles", menge: 12, betrag: 87, farbe: null },
        { bezeichnung: "On-site training", menge: 1, betrag: 1450, farbe: null },
      ],
    });
    expect(fields["artikel[0].betrag"]).toMatchObject({ value: 388.5, page: 1, confidence: expect.any(Number) });
    expect(fields["artikel[0].betrag"]!.box).not.toEqual(fields["artikel[0].bezeichnung"]!.box);
  });

  it("has null for what is not of its type, and says what is required and missing", () => {
    const schema = parseSchema({
      properties: {
        invoice_number: { type: "number" },
        total: { type: "integer" },
        currency: { enum: ["GBP"] },
        due_date: { ...day, pattern: "^2030" },
        seats: { type: "array", items: {} },
        driver: { properties: { name: {} }, required: ["name"] },
        carrier: { properties: { name: {} }, required: ["name"] },
      },
      required: ["invoice_number", "seats", "carrier"],
    });
    const { data, warnings, confidence } = fillSchema(invoice, schema);
    expect(data).toEqual({
      invoice_number: null,
      total: null,
      currency: null,
      due_date: null,
      seats: [],
      driver: { name: null },
      carrier: { name: null },
    });
    expect(warnings).toEqual([
      'The required field "invoice_number" was not found.',
      'The required field "seats" was not found.',
      'The required field "carrier" was not found.',
    ]);
    expect(confidence).toBeLessThan(0.5);
  });

  it("has null for what lies beyond the bounds that it states", () => {
    const whole = fillSchema(
      invoice,
      parseSchema({ properties: { total: { type: "number" }, invoice_number: {} } }),
    ).data;
    const [total, number] = [whole.total as number, whole.invoice_number as string];
    const fill = (ofTotal: object, ofNumber: object) =>
      fillSchema(
        invoice,
        parseSchema({ properties: { total: { type: "number", ...ofTotal }, invoice_number: ofNumber } }),
      ).data;
    const fits = fill({ minimum: total, maximum: total }, { minLength: number.length, maxLength: number.length });
    expect(fits).toEqual({ total, invoice_number: number });
    for (const beyond of [
      { minimum: total + 1 },
      { maximum: 0 },
      { exclusiveMinimum: total },
      { exclusiveMaximum: total },
    ])
      expect(fill(beyond, {})).toMatchObject({ total: null });
    for (const beyond of [{ minLength: number.length + 1 }, { maxLength: number.length - 1 }])
      expect(fill({}, beyond)).toMatchObject({ invoice_number: null });
  });

  it("finds by the labels and patterns that it states", () => {
    const schema = parseSchema({
      properties: {
        deadline: { ...day, "x-labels": [languages.de!.due] },
        code: { pattern: "^PO-\\d+$" },
        anything: { pattern: ".*" },
      },
    });
    expect(fillSchema(invoice, schema).data).toEqual({ deadline: "2024-04-04", code: "PO-7731", anything: null });
  });

  it("takes other words that mean the same where a stated label is not on the page", () => {
    const schema = parseSchema({
      properties: { ref: { "x-labels": ["Invoice number"] }, car: { "x-labels": ["Plate"] } },
    });
    expect(fillSchema(invoice, schema).data).toEqual({ ref: sampleInvoice.number, car: null });
  });

  it("a person's correction takes the warning away", () => {
    const schema = parseSchema({ properties: { driver: {} }, required: ["driver"] });
    const { document_type: documentType, ...result } = fillSchema(invoice, schema);
    expect(result.warnings).toHaveLength(1);
    const row = { result, corrections: null, documentType, schema };
    const corrected = correctResult(row, { driver: "Ann" }, { keyId: "key_1", at: new Date(0) });
    expect(corrected.result.data).toEqual({ driver: "Ann" });
    expect(corrected.result.warnings).toEqual([]);
    expect(corrected.confidence).toBeGreaterThan(0.9);
  });
});
