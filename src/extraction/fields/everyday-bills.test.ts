import { expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { findCurrency } from "../reading/currency.ts";
import { extractFields } from "./extract-fields.ts";
import { identifiersIn } from "./identifiers.ts";

type Line = [left: number, top: number, text: string];

const hotel: Line[] = [
  [0.36, 0.05, "THE LARKSPUR HOTEL"],
  [0.28, 0.07, "1820 Congress Avenue, Austin, TX 78701"],
  [0.09, 0.12, "Orbit Analytics LLC"],
  [0.09, 0.14, "2200 Mission College Blvd"],
  [0.09, 0.16, "Santa Clara, CA 95054"],
  [0.55, 0.12, "Folio No."],
  [0.73, 0.12, "448213"],
  [0.41, 0.2, "GUEST FOLIO / INVOICE"],
  [0.1, 0.24, "Date"],
  [0.25, 0.24, "Description"],
  [0.71, 0.24, "Charges"],
  [0.84, 0.24, "Credits"],
  [0.1, 0.26, "02-10-25"],
  [0.25, 0.26, "Room Charge"],
  [0.72, 0.26, "189.00"],
  [0.1, 0.28, "02-11-25"],
  [0.25, 0.28, "Room Charge"],
  [0.72, 0.28, "189.00"],
  [0.1, 0.3, "02-12-25"],
  [0.25, 0.3, "Visa XXXXXXXXXXXX1881"],
  [0.84, 0.3, "378.00"],
  [0.25, 0.33, "Total"],
  [0.72, 0.33, "378.00"],
  [0.84, 0.33, "378.00"],
  [0.25, 0.35, "Balance"],
  [0.74, 0.35, "0.00"],
];

it("a hotel's folio that calls itself an invoice is one, and what is left to pay is not its total", () => {
  const { document_type, data } = extractFields(textPage(hotel));
  expect(document_type).toBe("invoice");
  expect(data.grand_total).not.toBe(0);
});

it('"due upon receipt" makes no receipt of an invoice', () => {
  const lines: Line[] = [
    [0.1, 0.05, "HOLLOWAY & PIKE LLP"],
    [0.1, 0.07, "400 Capitol Mall, Sacramento, CA 95814"],
    [0.1, 0.12, "Meridian Housing Cooperative"],
    [0.1, 0.14, "Davis, CA 95616"],
    [0.6, 0.12, "Invoice #: 18842"],
    [0.6, 0.14, "Due upon receipt"],
    [0.1, 0.3, "Draft settlement letter"],
    [0.8, 0.3, "725.00"],
    [0.6, 0.34, "BALANCE DUE"],
    [0.8, 0.34, "$725.00"],
  ];
  expect(extractFields(textPage(lines)).document_type).toBe("invoice");
});

it('groups of digits up to the end are one number, and "PO" is the word for an order', () => {
  const values = (text: string): string[] => identifiersIn(text).map(({ value }) => value);
  expect(values("78 1203 4451 9902")).toEqual(["78 1203 4451 9902"]);
  expect(values("Rechnungsnummer: 78 1203 4451 9902")).toEqual(["78 1203 4451 9902"]);
  const lines: Line[] = [
    [0.6, 0.05, "Invoice no: 2025-031"],
    [0.6, 0.07, "PO: SBP-7741"],
    [0.1, 0.09, "PO Box 6027"],
    [0.6, 0.3, "Total"],
    [0.8, 0.3, "20.00"],
  ];
  expect(extractFields(textPage(lines), "invoice").data.purchase_order).toBe("SBP-7741");
});

it("a company of Malaysia with its number on the next line is not paid in dinars of Bahrain", () => {
  expect(findCurrency("WAHIN HARDWARE SDN BHD\n148481-U\nTotal (RM) : 42.40")?.code).toBe("MYR");
});

it("how many bottles are in a pack is no count of packs", () => {
  const lines: Line[] = [
    [0.1, 0.05, "Merkur Markt"],
    [0.1, 0.1, "MINERALW. 6X1,5L"],
    [0.8, 0.1, "2,94"],
    [0.1, 0.12, "SPÜLMITTEL"],
    [0.8, 0.12, "4,90"],
    [0.1, 0.16, "SUMME EUR"],
    [0.8, 0.16, "7,84"],
  ];
  expect(extractFields(textPage(lines), "receipt").data.lines).toMatchObject([
    { description: "MINERALW. 6X1,5L", quantity: 1, total: 2.94 },
    { description: "SPÜLMITTEL", quantity: 1, total: 4.9 },
  ]);
});

it("what stands on top of a slip sells, like a street as it sounds", () => {
  const lines: Line[] = [
    [0.3, 0.05, "CITYPARK GARAGEN"],
    [0.3, 0.07, "Domplatz 2"],
    [0.3, 0.09, "4020 Linz"],
    [0.1, 0.14, "Kurzparker 4 Std"],
    [0.8, 0.14, "11,20"],
    [0.1, 0.18, "Gesamt EUR"],
    [0.8, 0.18, "11,20"],
  ];
  expect(extractFields(textPage(lines), "receipt").data).toMatchObject({
    company: "CITYPARK GARAGEN",
    address: "Domplatz 2 4020 Linz",
  });
});

it("shipping behind goods with quantities and prices is a sum and none of the goods", () => {
  const lines: Line[] = [
    [0.6, 0.05, "Invoice 4471"],
    [0.08, 0.3, "Description"],
    [0.5, 0.3, "Qty"],
    [0.62, 0.3, "Unit price"],
    [0.8, 0.3, "Amount"],
    [0.08, 0.32, "Desk lamp"],
    [0.5, 0.32, "2"],
    [0.62, 0.32, "20.00"],
    [0.8, 0.32, "40.00"],
    [0.08, 0.34, "Shipping"],
    [0.8, 0.34, "5.00"],
    [0.62, 0.38, "Total"],
    [0.8, 0.38, "45.00"],
  ];
  const { data } = extractFields(textPage(lines), "invoice");
  expect(data.lines).toMatchObject([{ description: "Desk lamp", quantity: 2, total: 40 }]);
});
