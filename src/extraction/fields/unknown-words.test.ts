import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

/** An invoice whose words no lexicon has; parts of it may be replaced by others. */
const head: [number, number, string][] = [
  [0.08, 0.05, "Northgate Timber"],
  [0.08, 0.065, "Unit 7 Mill Lane"],
  [0.08, 0.08, "York YO1 7HH"],
  [0.6, 0.05, "Ref."],
  [0.75, 0.05, "F181-39"],
  [0.6, 0.065, "Date of issue"],
  [0.75, 0.065, "12 Feb 2022"],
  [0.6, 0.08, "Wanted until"],
  [0.75, 0.08, "14 Mar 2022"],
];
const goods: [number, number, string][] = [
  [0.08, 0.25, "Widgetry"],
  [0.5, 0.25, "Qty"],
  [0.6, 0.25, "Price"],
  [0.8, 0.25, "Sum"],
  [0.08, 0.27, "Oak shelf"],
  [0.5, 0.27, "5"],
  [0.6, 0.27, "30.00"],
  [0.8, 0.27, "150.00"],
  [0.08, 0.29, "Site survey"],
  [0.5, 0.29, "1"],
  [0.6, 0.29, "50.00"],
  [0.8, 0.29, "50.00"],
];
const read = (...lines: [number, number, string][]) =>
  extractFields(textPage([...head, ...goods, ...lines]), "invoice").data;

describe("an invoice whose words are not known", () => {
  const sums: [number, number, string][] = [
    [0.6, 0.35, "Wares"],
    [0.8, 0.35, "200.00"],
    [0.6, 0.37, "Crown's part 20%"],
    [0.8, 0.37, "40.00"],
    [0.6, 0.39, "Kindly hand over"],
    [0.8, 0.39, "240.00"],
  ];

  it("has its totals proven by the rate between them", () => {
    expect(read(...sums)).toMatchObject({ net_total: 200, tax_total: 40, grand_total: 240 });
  });

  it("has its total proven by a summary of several rates, and neither a net nor a tax that is not printed", () => {
    const summary: [number, number, string][] = [
      [0.08, 0.35, "20 %"],
      [0.3, 0.35, "150.00"],
      [0.5, 0.35, "30.00"],
      [0.08, 0.37, "5 %"],
      [0.3, 0.37, "50.00"],
      [0.5, 0.37, "2.50"],
      [0.08, 0.41, "Kindly hand over 232.50"],
    ];
    expect(read(...summary)).toMatchObject({
      net_total: null,
      tax_total: null,
      grand_total: 232.5,
      tax_breakdown: [
        { rate: 20, base: 150, tax: 30 },
        { rate: 5, base: 50, tax: 2.5 },
      ],
    });
  });

  it("has neither net nor tax when nothing proves them", () => {
    const data = read(
      [0.6, 0.35, "Wares"],
      [0.8, 0.35, "200.00"],
      [0.6, 0.37, "Kindly hand over"],
      [0.8, 0.37, "251.00"],
    );
    expect(data).toMatchObject({ net_total: null, tax_total: null });
  });

  it("is due at the only later date beside its own", () => {
    expect(read(...sums)).toMatchObject({ issue_date: "2022-02-12", due_date: "2022-03-14" });
  });

  it("takes a mere reference among its dates for its number", () => {
    expect(read(...sums)).toMatchObject({ invoice_number: "F181-39" });
  });

  it("is not sold by the bank that is to be paid, nor by a heading", () => {
    const data = read(...sums, [0.08, 0.6, "Pay to: Volksbank"], [0.3, 0.6, "IBAN DE89 3704 0044 0532 0130 00"]);
    expect(data).toMatchObject({ seller: { name: "Northgate Timber" } });
  });

  it("has goods only in its lines when discount and shipping have neither quantity nor price", () => {
    const data = read([0.08, 0.31, "Discount"], [0.8, 0.31, "-10.00"], [0.08, 0.33, "Shipping"], [0.8, 0.33, "12.50"]);
    expect(data.lines).toHaveLength(2);
  });

  it("has its number in a title that is larger than the rest, or alone beside its date", () => {
    const rest = head.filter(([, top]) => top !== 0.05);
    const title: [number, number, string] = [0.5, 0.03, "Honorarnote 57/2025"];
    const page = textPage([title, ...rest, ...goods]);
    const [first, ...others] = page.pages[0]!.lines;
    const large = { ...first!, box: [0.5, 0.03, 0.8, 0.05] as const };
    const titled = { ...page, pages: [{ ...page.pages[0]!, lines: [large, ...others] }] };
    expect(extractFields(titled, "invoice").data.invoice_number).toBe("57/2025");
    const beside = textPage([...rest, [0.6, 0.05, "Chit"], [0.75, 0.05, "INV77801"], ...goods]);
    expect(extractFields(beside, "invoice").data.invoice_number).toBe("INV77801");
  });

  it("has its buyer under a heading of any words", () => {
    const data = read(
      ...sums,
      [0.08, 0.14, "Good folks at:"],
      [0.08, 0.155, "Pine Ridge Dental"],
      [0.08, 0.17, "4410 Lake Avenue"],
      [0.08, 0.185, "Denver, CO 80202"],
    );
    expect(data).toMatchObject({ buyer: { name: "Pine Ridge Dental" } });
  });
});

it("a word that ends a title in capitals is no part of the number behind it", () => {
  const data = extractFields(textPage([[0.08, 0.05, "FACTURA DE VENTA 41/2024"]]), "invoice").data;
  expect(data.invoice_number).toBe("41/2024");
});
