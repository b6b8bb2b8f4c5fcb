import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

const head: [number, number, string][] = [
  [0.08, 0.05, "Kestrel Freight Ltd"],
  [0.08, 0.065, "Unit 4, Crown Estate"],
  [0.6, 0.05, "Invoice no."],
  [0.8, 0.05, "A-73511"],
];
const sums = (...rows: [string, string][]): [number, number, string][] =>
  rows.flatMap(([label, amount], index): [number, number, string][] => [
    [0.5, 0.5 + index * 0.02, label],
    [0.8, 0.5 + index * 0.02, amount],
  ]);

describe("sums", () => {
  it("are those printed; discount, shipping, what was paid and what is due are told apart", () => {
    const { data } = extractFields(
      textPage([
        ...head,
        ...sums(
          ["Goods", "100.00"],
          ["Less: trade discount", "-10.00"],
          ["Shipping", "5.00"],
          ["Subtotal", "95.00"],
          ["VAT 20%", "19.00"],
          ["Invoice total", "114.00"],
          ["Deposit received", "-40.00"],
          ["Amount due", "74.00"],
        ),
      ]),
      "invoice",
    );
    expect(data).toMatchObject({
      net_total: 95,
      tax_total: 19,
      grand_total: 114,
      amount_due: 74,
      discount_total: -10,
      shipping_total: 5,
      tax_breakdown: [{ rate: 20, base: 95, tax: 19 }],
    });
  });

  it("of several rates have a breakdown and no tax that nobody printed", () => {
    const { data } = extractFields(
      textPage([
        ...head,
        ...sums(["Subtotal", "300.00"], ["VAT 20%", "40.00"], ["VAT 5%", "5.00"], ["Total", "345.00"]),
      ]),
      "invoice",
    );
    expect(data).toMatchObject({ net_total: 300, tax_total: null, grand_total: 345 });
    expect((data.tax_breakdown as { tax: number }[]).map(({ tax }) => tax)).toEqual([40, 5]);
  });

  it("that do not add up say so: a failed check, a warning, and less confidence in all", () => {
    const good = extractFields(
      textPage([...head, ...sums(["Subtotal", "100.00"], ["VAT 20%", "20.00"], ["Total", "120.00"])]),
      "invoice",
    );
    const bad = extractFields(
      textPage([...head, ...sums(["Subtotal", "100.00"], ["VAT 20%", "20.00"], ["Total", "150.00"])]),
      "invoice",
    );
    expect(bad.checks).toContainEqual(expect.objectContaining({ name: "totals_add_up", passed: false }));
    expect(bad.warnings.join()).toContain("totals_add_up");
    expect(bad.confidence).toBeLessThan(good.confidence);
    expect(bad.fields.grand_total!.confidence).toBeLessThan(0.7);
  });
});

describe("a date such as 03/04/2024", () => {
  it("without anything that tells which is the month stays below 0.7 and names the other", () => {
    const { fields } = extractFields(
      textPage([...head, [0.6, 0.08, "Invoice date"], [0.8, 0.08, "03/04/2024"]]),
      "invoice",
    );
    expect(fields.issue_date).toMatchObject({ value: "2024-04-03", alternatives: ["2024-03-04"] });
    expect(fields.issue_date!.confidence).toBeLessThan(0.7);
  });

  it("is settled by the currency or by another date", () => {
    const page = textPage([
      ...head,
      [0.6, 0.08, "Invoice date"],
      [0.8, 0.08, "03/04/2024"],
      [0.6, 0.5, "Total"],
      [0.8, 0.5, "£12.00"],
    ]);
    expect(extractFields(page, "invoice").fields.issue_date).not.toHaveProperty("alternatives");
  });
});

describe("the data inside a file", () => {
  const xml = (total: string, number = "A-73511") =>
    `<Invoice><ID>${number}</ID><IssueDate>2024-05-19</IssueDate><DocumentCurrencyCode>EUR</DocumentCurrencyCode><LegalMonetaryTotal><TaxExclusiveAmount>100.00</TaxExclusiveAmount><TaxInclusiveAmount>${total}</TaxInclusiveAmount></LegalMonetaryTotal></Invoice>`;
  const page = [
    ...head,
    [0.6, 0.08, "Due date"] as [number, number, string],
    [0.8, 0.08, "18 Jun 2024"] as [number, number, string],
    ...sums(["Net total", "€100.00"], ["VAT 20%", "€20.00"], ["Invoice total", "€120.00"]),
  ];
  const read = (text: string) => extractFields(textPage(page, { embeddedFiles: [{ name: "invoice.xml", text }] }));

  it("that the page agrees with is certain, and the page fills what it leaves open", () => {
    const found = read(xml("120.00"));
    expect(found.fields.grand_total).toMatchObject({ value: 120, confidence: 0.99 });
    expect(found.data).toMatchObject({ due_date: "2024-06-18" });
    expect(found.checks.filter(({ passed }) => !passed)).toEqual([]);
  });

  it("that the page contradicts is below 0.5, and so is the whole", () => {
    const found = read(xml("9120.00"));
    expect(found.fields.grand_total!.confidence).toBeLessThan(0.5);
    expect(found.fields.grand_total!.alternatives).toEqual([120]);
    expect(found.confidence).toBeLessThan(0.5);
    expect(found.warnings.join()).toContain("page_agrees_on_grand_total");
  });
});

describe("parties", () => {
  it("are no salutations, greetings or ways to reach somebody", () => {
    const { data } = extractFields(
      textPage([
        [0.08, 0.05, "Tel. 0123 456789"],
        [0.08, 0.1, "Sehr geehrte Damen und Herren,"],
        [0.08, 0.14, "Rechnung 4711"],
        [0.08, 0.8, "Mit freundlichen Grüßen"],
        [0.6, 0.05, "Nordlicht Medien UG"],
        [0.6, 0.065, "Am Hang 3a"],
        [0.6, 0.08, "20095 Hamburg"],
      ]),
      "invoice",
    );
    expect(data).toMatchObject({ seller: { name: "Nordlicht Medien UG" }, buyer: { name: null } });
  });

  it("are told by their role words wherever they stand", () => {
    const { data } = extractFields(
      textPage([
        [0.08, 0.05, "Bill to"],
        [0.08, 0.065, "Sunset Web Design Inc."],
        [0.08, 0.08, "Austin, TX 78701"],
        [0.6, 0.3, "Supplier"],
        [0.6, 0.315, "Harbor Print Shop LLC"],
        [0.6, 0.33, "Boise, ID 83702"],
      ]),
      "invoice",
    );
    expect(data).toMatchObject({
      seller: { name: "Harbor Print Shop LLC" },
      buyer: { name: "Sunset Web Design Inc." },
    });
  });
});

it("every value can say why it was chosen, and what else there was", () => {
  const { explain } = extractFields(
    textPage([...head, [0.6, 0.08, "Customer no."], [0.8, 0.08, "55120"], ...sums(["Total", "£120.00"])]),
    "invoice",
  );
  expect(explain!.invoice_number!.reasons).toMatchObject({ strong: 1, right: 1 });
  expect(explain!.invoice_number!.others.map(({ value }) => value)).toContain("55120");
});

it("tax that is called VAT and nothing more is still compared with the totals", () => {
  const { data, checks } = extractFields(
    textPage([
      [0.1, 0.05, "Quillon Prints Ltd"],
      [0.1, 0.1, "Invoice QP-77"],
      ...["Item", "Qty", "Price", "Amount"].map((text, at) => [0.1 + at * 0.2, 0.2, text] as const),
      ...["Poster", "10", "4.00", "40.00"].map((text, at) => [0.1 + at * 0.2, 0.22, text] as const),
      [0.1, 0.3, "Net 40.00"],
      [0.1, 0.32, "VAT 8.00"],
      [0.1, 0.34, "Total 58.00"],
    ]),
    "invoice",
  );
  expect(data).toMatchObject({ net_total: 40, tax_total: 8, grand_total: 58 });
  expect(checks).toContainEqual({ name: "totals_add_up", passed: false, message: "40 + 8 is not 58" });
});
