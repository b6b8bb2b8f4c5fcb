import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

type Line = [left: number, top: number, text: string];

const total: Line[] = [
  [0.6, 0.6, "Total"],
  [0.8, 0.6, "20.00"],
];

const read = (...lines: Line[]) => extractFields(textPage([...lines, ...total]), "invoice").data;

describe("a sign on top", () => {
  it("stands for the name that begins like it and ends in a legal form", () => {
    const data = read(
      [0.08, 0.05, "SKYLARK"],
      [0.6, 0.05, "Invoice 4471"],
      [0.08, 0.2, "Bill to"],
      [0.08, 0.214, "Dorota Zając"],
      [0.08, 0.9, "Skylark Airways DAC, Airside Park, Swords. Registered in Ireland No. 104547."],
    );
    expect(data.seller).toMatchObject({ name: "Skylark Airways DAC" });
    expect(data.buyer).toMatchObject({ name: "Dorota Zając" });
  });

  it.each([
    [
      "stratocumulus",
      "Questions? Write to Strato Cumulus Services, Inc., 4 Lake Road, Boise",
      "Strato Cumulus Services, Inc.",
    ],
    ["Lindqvist", "Lindqvist Handel GmbH & Co. KG · Am Markt 4 · 10115 Berlin", "Lindqvist Handel GmbH & Co. KG"],
    ["Zielona Lipa", "Zielona Lipa Sp. z o.o., ul. Długa 5, 50-069 Wrocław", "Zielona Lipa Sp. z o.o."],
  ])("%s is a part of it", (sign, foot, name) => {
    expect(read([0.08, 0.05, sign], [0.6, 0.05, "Invoice 4471"], [0.08, 0.9, foot]).seller).toMatchObject({ name });
  });

  it("stands for itself where only another company is named", () => {
    const data = read(
      [0.08, 0.05, "Skylark Repairs"],
      [0.6, 0.05, "Invoice 4471"],
      [0.08, 0.9, "Skylark Repairs is a mark of Northern Air Holding Ltd"],
    );
    expect(data.seller).toMatchObject({ name: "Skylark Repairs" });
  });
});

describe("of two blocks side by side without headings", () => {
  it("the one over the bank account sells", () => {
    const data = read(
      [0.08, 0.05, "Garage De Linde"],
      [0.08, 0.08, "Loodgietersbedrijf Smit en Zn."],
      [0.7, 0.08, "Autobedrijf De Linde B.V."],
      [0.08, 0.094, "Kanaalweg 203"],
      [0.7, 0.094, "Leidseweg 414"],
      [0.08, 0.108, "2252 GT Voorschoten"],
      [0.7, 0.108, "2253 JR Voorschoten"],
      [0.7, 0.122, "NL91 ABNA 0417 1643 00"],
      [0.08, 0.2, "Factuur 20260188"],
    );
    expect(data.seller).toMatchObject({ name: "Autobedrijf De Linde B.V." });
    expect(data.buyer).toMatchObject({ name: "Loodgietersbedrijf Smit en Zn." });
  });

  it("the one with a number of the register sells", () => {
    const data = read(
      [0.14, 0.05, "Barrow Valley Retirement Living"],
      [0.5, 0.05, "Fern & Spade Gardens Pty Ltd"],
      [0.14, 0.064, "22 Murray Street"],
      [0.5, 0.064, "ABN 53 004 085 616"],
      [0.14, 0.078, "Tanunda SA 5352"],
      [0.5, 0.078, "7 Kook Terrace"],
      [0.5, 0.092, "Angaston SA 5353"],
      [0.14, 0.2, "TAX INVOICE 1047"],
    );
    expect(data.seller).toMatchObject({ name: "Fern & Spade Gardens Pty Ltd" });
    expect(data.buyer).toMatchObject({ name: "Barrow Valley Retirement Living" });
  });
});

describe("the days of an invoice", () => {
  it("begin behind the town, not with the first treatment", () => {
    const data = read(
      [0.08, 0.05, "Dr. Henrike Vollmer"],
      [0.7, 0.12, "Göttingen, den 22.09.2026"],
      [0.08, 0.2, "Rechnung Nr. 2026-3-1187"],
      [0.08, 0.3, "Datum"],
      [0.3, 0.3, "Leistung"],
      [0.6, 0.3, "Anzahl"],
      [0.8, 0.3, "Betrag"],
      [0.08, 0.32, "08.09.26"],
      [0.3, 0.32, "Untersuchung"],
      [0.6, 0.32, "1"],
      [0.8, 0.32, "20,00"],
    );
    expect(data.issue_date).toBe("2026-09-22");
  });

  it("have none to pay until where a card has paid", () => {
    const data = read(
      [0.08, 0.05, "Larch Joinery Ltd"],
      [0.6, 0.05, "Invoice 4471"],
      [0.6, 0.08, "Date: 7 April 2026"],
      [0.08, 0.7, "Paid by card **** 2209 on 5 April 2026."],
    );
    expect(data.due_date).toBeNull();
  });
});

describe("the sums of an invoice", () => {
  const sums = (...lines: Line[]) =>
    extractFields(textPage([[0.08, 0.05, "Larch Joinery Ltd"], [0.6, 0.05, "Invoice 4471"], ...lines]), "invoice");

  it("add up with the discount that stands between them", () => {
    const { checks, fields } = sums(
      [0.6, 0.5, "Subtotal"],
      [0.8, 0.5, "2,022.30"],
      [0.6, 0.52, "Discount (5%)"],
      [0.8, 0.52, "101.12"],
      [0.6, 0.54, "VAT (20%)"],
      [0.8, 0.54, "384.24"],
      [0.6, 0.56, "Total"],
      [0.8, 0.56, "2,305.42"],
    );
    expect(checks).toMatchObject([{ name: "totals_add_up", passed: true }]);
    expect(fields.grand_total!.confidence).toBeGreaterThan(0.6);
  });

  it("may say in the label of the tax what it was charged on", () => {
    const { data } = sums(
      [0.09, 0.5, "Sum eks. mva"],
      [0.8, 0.5, "1 694,75"],
      [0.09, 0.52, "Mva 25 % av 1 694,75"],
      [0.8, 0.52, "423,69"],
      [0.09, 0.54, "Øreavrunding"],
      [0.8, 0.54, "-0,44"],
      [0.09, 0.56, "Sum å betale NOK"],
      [0.8, 0.56, "2 118,00"],
    );
    expect(data).toMatchObject({ net_total: 1694.75, tax_total: 423.69, grand_total: 2118 });
  });

  it("may be whole, with a dash for the cents", () => {
    expect(sums([0.1, 0.5, "Celkem k platbě:"], [0.8, 0.5, "14850,- Kč"]).data).toMatchObject({ grand_total: 14850 });
  });

  it("may fill two lines beside a label in their middle", () => {
    const { data } = sums(
      [0.59, 0.48, "Zwischensumme"],
      [0.73, 0.48, "116,20 €"],
      [0.59, 0.5, "Versand"],
      [0.73, 0.5, "4,90 €"],
      [0.73, 0.52, "121,10 € (inkl. 14,94 €"],
      [0.59, 0.527, "Gesamt"],
      [0.73, 0.534, "19% MwSt., 1,80 € 7% MwSt.)"],
    );
    expect(data.grand_total).toBe(121.1);
  });
});

describe("a list without headings", () => {
  it("is made of the rows over the sums that add up to one of them", () => {
    const { data } = extractFields(
      textPage([
        [0.7, 0.05, "Malerbetrieb Gross GmbH"],
        [0.08, 0.2, "Rechnung Nr. 2026-118"],
        [0.08, 0.3, "1. Wände streichen, 42 m²"],
        [0.44, 0.3, "11 Std. à 48,00 €"],
        [0.8, 0.3, "528,00 €"],
        [0.08, 0.32, "2. Farbe, Material"],
        [0.8, 0.32, "146,50 €"],
        [0.08, 0.334, "seidenmatt"],
        [0.08, 0.36, "3. Anfahrt"],
        [0.812, 0.36, "25,00 €"],
        [0.08, 0.4, "Nettobetrag 699,50 €"],
        [0.08, 0.42, "zzgl. 19 % MwSt. 132,91 €"],
        [0.08, 0.44, "Gesamtbetrag 832,41 €"],
      ]),
      "invoice",
    );
    expect(data.lines).toMatchObject([
      { quantity: 11, unit_price: 48, total: 528 },
      { description: "Farbe, Material seidenmatt", total: 146.5 },
      { description: "Anfahrt", total: 25 },
    ]);
  });

  it("has no rows where nothing adds up", () => {
    const { data } = extractFields(
      textPage([
        [0.7, 0.05, "Malerbetrieb Gross GmbH"],
        [0.08, 0.2, "Rechnung Nr. 2026-118"],
        [0.08, 0.3, "Rahmenvertrag vom Mai"],
        [0.8, 0.3, "500,00 €"],
        [0.08, 0.32, "Abgerufen bisher"],
        [0.8, 0.32, "100,00 €"],
        [0.08, 0.4, "Gesamtbetrag"],
        [0.8, 0.4, "832,41 €"],
      ]),
      "invoice",
    );
    expect(data.lines).toEqual([]);
  });
});

it("a description may begin over the numbers of its row, and measures and codes are parts of it", () => {
  const { data } = extractFields(
    textPage([
      [0.08, 0.05, "Larch Joinery Ltd"],
      [0.6, 0.05, "Invoice 4471"],
      [0.08, 0.3, "Description"],
      [0.5, 0.3, "Qty"],
      [0.6, 0.3, "Unit price"],
      [0.8, 0.3, "Amount"],
      [0.08, 0.32, "Team plan (per seat)"],
      [0.5, 0.33, "2"],
      [0.6, 0.33, "$12.00"],
      [0.8, 0.33, "$24.00"],
      [0.08, 0.34, "Oct 3 – Nov 3"],
      [0.08, 0.38, "Pack of 12 cells AAA 1.5 V"],
      [0.5, 0.38, "1"],
      [0.6, 0.38, "$7.00"],
      [0.8, 0.38, "$7.00"],
      [0.6, 0.5, "Total"],
      [0.8, 0.5, "$31.00"],
    ]),
    "invoice",
  );
  expect(data.lines).toMatchObject([
    { description: "Team plan (per seat) Oct 3 – Nov 3", quantity: 2, total: 24 },
    { description: "Pack of 12 cells AAA 1.5 V", quantity: 1, total: 7 },
  ]);
});

it("a receipt that says whom it was billed to has the seller of an invoice", () => {
  const { data } = extractFields(
    textPage([
      [0.06, 0.05, "Receipt"],
      [0.06, 0.08, "Invoice number 5A3C1F0E-0007"],
      [0.06, 0.1, "Payment method Visa - 4242"],
      [0.06, 0.15, "Nimbus Notes, Inc."],
      [0.76, 0.15, "Bill to"],
      [0.06, 0.164, "548 Market Street"],
      [0.76, 0.164, "Clara Whitfield"],
      [0.06, 0.178, "San Francisco, California 94104"],
      [0.06, 0.3, "Total"],
      [0.8, 0.3, "$24.00"],
    ]),
    "receipt",
  );
  expect(data).toMatchObject({
    company: "Nimbus Notes, Inc.",
    address: "548 Market Street, San Francisco, California 94104",
  });
});
