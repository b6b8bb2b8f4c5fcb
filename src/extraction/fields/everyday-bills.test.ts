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

it("rows over a tax and a total add up to what the total is without the tax", () => {
  const { data, warnings } = extractFields(
    textPage([
      [0.1, 0.05, "Ash & Elm Studio"],
      [0.6, 0.05, "Invoice # 00318"],
      [0.1, 0.1, "Bill to: Priya Raman"],
      [0.1, 0.3, "Logo exploration (12 h @ $75)"],
      [0.8, 0.3, "$900.00"],
      [0.1, 0.33, "Business cards, 250 pcs"],
      [0.8, 0.33, "$300.00"],
      [0.1, 0.36, "Sales tax 5%"],
      [0.8, 0.36, "$60.00"],
      [0.1, 0.39, "Total"],
      [0.8, 0.39, "$1,260.00"],
    ]),
  );
  expect(data.lines).toEqual([
    { description: "Logo exploration", quantity: 12, unit_price: 75, total: 900 },
    { description: "Business cards, 250 pcs", quantity: null, unit_price: null, total: 300 },
  ]);
  expect(warnings).toEqual([]);
});

it("numbers behind the name of an item that are nothing else belong to the name", () => {
  const { data } = extractFields(
    textPage([
      [0.1, 0.05, "Invoice 8A2F-0031"],
      [0.1, 0.3, "Pro plan (Mar 1 - Apr 1, 2026) x 2"],
      [0.8, 0.3, "$58.00"],
      [0.1, 0.33, "Extra storage 10 GB"],
      [0.8, 0.33, "$1.00"],
      [0.1, 0.36, "Total"],
      [0.8, 0.36, "$59.00"],
    ]),
  );
  const names = (data.lines as { description: string }[]).map(({ description }) => description);
  expect(names).toEqual(["Pro plan (Mar 1 - Apr 1, 2026) x 2", "Extra storage 10 GB"]);
});

it("a table of rates behind the total names net and tax, if it has one rate", () => {
  const { data } = extractFields(
    textPage([
      [0.1, 0.05, "Factura"],
      [0.6, 0.05, "Número de la factura INV-2026-118"],
      [0.7, 0.3, "Total"],
      [0.8, 0.3, "72,96 €"],
      [0.4, 0.36, "IVA %"],
      [0.5, 0.36, "Precio total"],
      [0.5, 0.38, "(IVA excluido)"],
      [0.7, 0.37, "Subtotal IVA"],
      [0.4, 0.4, "21%"],
      [0.5, 0.4, "60,30 €"],
      [0.7, 0.4, "12,66 €"],
    ]),
  );
  expect(data).toMatchObject({ net_total: 60.3, tax_total: 12.66, grand_total: 72.96 });
});

it("rows without headings are lines also where a tax amid them is one of the charges", () => {
  const { data } = extractFields(
    textPage([
      [0.1, 0.05, "Factura 21261018004417"],
      [0.1, 0.1, "Titular: Peluquería Rosa Iglesias, S.L. NIF: B33918204"],
      [0.1, 0.3, "Potencia facturada"],
      [0.4, 0.3, "3,45 kW x 0,094118 Eur/kW x 31 días"],
      [0.85, 0.3, "10,07 €"],
      [0.1, 0.33, "Impuesto sobre electricidad"],
      [0.85, 0.33, "2,08 €"],
      [0.1, 0.36, "Alquiler equipos de medida"],
      [0.85, 0.36, "0,83 €"],
      [0.1, 0.39, "Base imponible"],
      [0.85, 0.39, "12,98 €"],
      [0.1, 0.42, "IVA 21%"],
      [0.85, 0.42, "2,73 €"],
      [0.1, 0.45, "Total importe factura"],
      [0.85, 0.45, "15,71 €"],
    ]),
  );
  expect(data.lines).toMatchObject([
    { description: "Potencia facturada", total: 10.07 },
    { description: "Impuesto sobre electricidad", total: 2.08 },
    { description: "Alquiler equipos de medida", total: 0.83 },
  ]);
  expect((data.buyer as { name: string }).name).toBe("Peluquería Rosa Iglesias, S.L.");
});

it("the number of a quote in large print or capitals is its title", () => {
  const { document_type } = extractFields(
    textPage([
      [0.1, 0.05, "Menuiserie Tréguier SARL"],
      [0.1, 0.1, "DEVIS N° D-2026-118"],
      [0.1, 0.3, "Désignation"],
      [0.5, 0.3, "Qté"],
      [0.65, 0.3, "P.U. HT"],
      [0.85, 0.3, "Total HT"],
      [0.1, 0.33, "Fenêtre PVC"],
      [0.5, 0.33, "3"],
      [0.65, 0.33, "412,00 €"],
      [0.85, 0.33, "1 236,00 €"],
      [0.65, 0.36, "Montant HT"],
      [0.85, 0.36, "1 236,00 €"],
      [0.65, 0.39, "TVA"],
      [0.85, 0.39, "123,60 €"],
      [0.65, 0.42, "TOTAL TTC"],
      [0.85, 0.42, "1 359,60 €"],
      [0.1, 0.5, "Bon pour accord et signature"],
    ]),
  );
  expect(document_type).toBe("quote");
});
