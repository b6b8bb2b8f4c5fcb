import { describe, expect, it } from "vitest";
import { correctResult } from "./correct.ts";

const row = () => ({
  documentType: "invoice",
  corrections: null,
  result: {
    data: {
      document_type: "invoice",
      issue_date: "2024-05-19",
      grand_total: null,
      seller: { name: "Kestre1", vat_id: null },
      lines: [{ description: "Tea", total: 1 }],
    } as Record<string, unknown>,
    fields: { "seller.name": { value: "Kestre1", confidence: 0.6, page: 1, box: [0, 0, 1, 1] as never } },
    checks: [],
    warnings: [],
  },
});
const who = { keyId: "key_1", at: new Date("2026-01-02T03:04:05Z") };

describe("a correction", () => {
  it("changes the value, makes it certain, and remembers what was there", () => {
    const before = row();
    const { result, corrections } = correctResult(
      before,
      { "seller.name": "Kestrel", grand_total: 12.5, "lines[0].total": 2 },
      who,
    );
    expect(result.data).toMatchObject({ seller: { name: "Kestrel" }, grand_total: 12.5, lines: [{ total: 2 }] });
    expect(result.fields["seller.name"]).toMatchObject({ value: "Kestrel", confidence: 1, page: 1, corrected: true });
    expect(result.fields.grand_total).toMatchObject({ value: 12.5, page: null, box: null });
    expect(corrections[0]).toEqual({
      field: "seller.name",
      value: "Kestrel",
      previous: "Kestre1",
      key_id: "key_1",
      corrected_at: "2026-01-02T03:04:05.000Z",
    });
    expect(before.result.data.grand_total).toBeNull();
  });

  it.each([
    ["an entry that is nothing", { "lines[0]": null }, "lines"],
    ["a list that is nothing", { lines: null }, "lines"],
    ["entries of another build", { lines: [{ name: "Tea" }] }, "lines"],
    ["an entry of no build", { lines: ["Tea"] }, "lines"],
    ["a party with something else in it", { seller: { name: "Kestrel", evil: [1] } }, "seller"],
    ["a day that does not exist", { issue_date: "2024-02-30" }, "issue_date"],
    ["a month that does not exist", { issue_date: "2024-13-01" }, "issue_date"],
    ["a character that no page has", { "seller.name": "x\u0000y" }, "seller.name"],
  ])("refuses %s", (_, fields, name) => {
    expect(() => correctResult(row(), fields, who)).toThrow(name);
  });

  it("takes a list and a party as a whole, backslashes and line breaks included", () => {
    const lines = [{ description: "Tea\\u0000\nblack", total: null }, { description: "Cup" }];
    const { result } = correctResult(row(), { lines, seller: { name: "Kestrel", vat_id: "GB1" } }, who);
    expect(result.data).toMatchObject({ lines, seller: { name: "Kestrel", vat_id: "GB1" } });
  });

  it("works out the checks anew, and their warnings and the confidence with them", () => {
    const sums = { net_total: 100, tax_total: 20, grand_total: 150 };
    const before = row();
    Object.assign(before.result.data, sums);
    const checks = [{ name: "totals_add_up", passed: false, message: "100 + 20 is not 150" }];
    const warnings = ["Page 2 could not be read.", 'Check "totals_add_up" failed: 100 + 20 is not 150'];
    const wrong = { ...before, result: { ...before.result, checks, warnings } };
    const still = correctResult(wrong, { grand_total: 140 }, who);
    const right = correctResult(wrong, { grand_total: 120 }, who);
    expect(still.result.warnings).toContain('Check "totals_add_up" failed: 100 + 20 is not 140');
    expect(right.result.checks).toContainEqual({ name: "totals_add_up", passed: true, message: "100 + 20 = 120" });
    expect(right.result.warnings.filter((warning) => warning.includes("totals_add_up"))).toEqual([]);
    expect(right.result.warnings).toContain("Page 2 could not be read.");
    expect(right.confidence).toBeGreaterThan(still.confidence);
  });

  it("works out the checks of a template anew, and what it still misses", () => {
    const field = { type: "number" as const, required: true };
    const template = {
      name: "Own",
      fields: ["net", "tax", "gross"].map((name) => ({ name, ...field })),
      checks: ["net + tax = gross"],
    };
    const result = {
      data: { document_type: "bill", net: 10, tax: 2, gross: null } as Record<string, unknown>,
      fields: {},
      checks: [],
      warnings: ['The required field "gross" was not found.'],
    };
    const before = { documentType: "bill", corrections: null, result };
    const wrong = correctResult(before, { net: 10, tax: 2, gross: 15 }, who, template);
    expect(wrong.result.checks).toMatchObject([{ name: "net + tax = gross", passed: false }]);
    expect(wrong.result.warnings).toEqual(['Check "net + tax = gross" failed: 12 is not 15']);
    const right = correctResult({ ...before, ...wrong }, { gross: 12 }, who, template);
    expect(right.result.checks).toMatchObject([{ passed: true }]);
    expect(right.result.warnings).toEqual([]);
  });

  it("of several documents in one file changes the first of them with the result", () => {
    const { result } = row();
    const first = {
      ...structuredClone(result),
      document_type: "invoice",
      confidence: 0.6,
      pages: [1, 1] as [number, number],
    };
    const before = {
      ...row(),
      result: { ...result, documents: [first, { ...first, pages: [2, 2] as [number, number] }] },
    };
    const corrected = correctResult(before, { "seller.name": "Kestrel" }, who);
    const names = corrected.result.documents?.map(({ data }) => (data.seller as { name: string }).name);
    expect(names).toEqual(["Kestrel", "Kestre1"]);
    expect(corrected.result.documents?.[0]?.confidence).toBe(corrected.confidence);
  });

  it("with null says that the document does not state it", () => {
    const { result } = correctResult(row(), { "seller.name": null }, who);
    expect(result.data.seller).toMatchObject({ name: null });
    expect(result.fields["seller.name"]).toBeUndefined();
  });

  it.each([
    [{ colour: "red" }, /no field "colour"/],
    [{ __proto__x: 1 }, /no field/],
    [{ "seller.constructor": "x" }, /no field/],
    [{ document_type: "receipt" }, /no field/],
    [{ grand_total: "12" }, /must be a number/],
    [{ issue_date: "19.5.24" }, /must be a date/],
    [{ lines: { a: 1 } }, /must be a list/],
    [{ "seller.name": 5 }, /must be text/],
  ])("that fits nothing is refused with its name: %j", (wanted, message) => {
    expect(() => correctResult(row(), wanted, who)).toThrow(message);
  });
});
