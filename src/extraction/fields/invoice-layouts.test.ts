import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

describe("an invoice as people write them", () => {
  const lines: [number, number, string][] = [
    [0.08, 0.05, "Menuiserie Lambert SARL"],
    [0.08, 0.065, "12 rue des Lilas"],
    [0.08, 0.08, "69003 Lyon"],
    [0.08, 0.095, "Tél. 04 11 22 33 44"],
    [0.6, 0.05, "FACTURE"],
    [0.6, 0.08, "Numéro :"],
    [0.8, 0.08, "744785"],
    [0.6, 0.1, "Date :"],
    [0.8, 0.1, "25-02-2021"],
    [0.6, 0.12, "Paiement dû le"],
    [0.8, 0.12, "27-03-2021"],
    [0.08, 0.17, "Transports Giraud SAS"],
    [0.08, 0.185, "3 place du Marché"],
    [0.08, 0.2, "44000 Nantes"],
    [0.08, 0.26, "Réf."],
    [0.2, 0.26, "Prestation"],
    [0.55, 0.26, "Nb"],
    [0.65, 0.26, "Tarif"],
    [0.8, 0.26, "Montant"],
    [0.08, 0.28, "B5233"],
    [0.2, 0.28, "Escalier en chêne"],
    [0.55, 0.28, "3"],
    [0.64, 0.28, "5 705,00"],
    [0.79, 0.28, "17"],
    [0.81, 0.28, "115,00"],
    [0.6, 0.34, "Montant HT"],
    [0.79, 0.34, "17"],
    [0.81, 0.34, "115,00"],
    [0.6, 0.36, "TVA 20 %"],
    [0.8, 0.36, "3 423,00"],
    [0.6, 0.38, "Solde dû"],
    [0.79, 0.38, "20"],
    [0.81, 0.38, "538,00"],
  ];

  it("has its buyer found without a label, and amounts whose thousands stand apart", () => {
    const { data } = extractFields(textPage(lines), "invoice");
    expect(data).toMatchObject({
      invoice_number: "744785",
      issue_date: "2021-02-25",
      due_date: "2021-03-27",
      seller: { name: "Menuiserie Lambert SARL" },
      buyer: { name: "Transports Giraud SAS" },
      net_total: 17115,
      tax_total: 3423,
      grand_total: 20538,
      lines: [{ description: "Escalier en chêne", quantity: 3, unit_price: 5705, total: 17115 }],
    });
  });

  it("takes the name under a heading, not the heading of the next column", () => {
    const { data } = extractFields(
      textPage([
        [0.08, 0.05, "Customer"],
        [0.3, 0.05, "Our ref"],
        [0.6, 0.05, "Invoice date"],
        [0.08, 0.065, "Oakham Landscapes PLC"],
        [0.3, 0.065, "INV-778"],
        [0.6, 0.065, "12 March 2024"],
        [0.08, 0.08, "27 High Street"],
        [0.08, 0.095, "Leeds LS1 4AP"],
        [0.6, 0.3, "Total due"],
        [0.8, 0.3, "£120.00"],
      ]),
      "invoice",
    );
    expect(data).toMatchObject({ buyer: { name: "Oakham Landscapes PLC" }, invoice_number: "INV-778" });
  });

  it("keeps the items of the next page when a note under the last one reads like a heading", () => {
    const header = (top: number): [number, number, string][] => [
      [0.08, top, "Concepto"],
      [0.5, top, "Cantidad"],
      [0.65, top, "Precio"],
      [0.8, top, "Importe"],
    ];
    const item = (top: number, name: string): [number, number, string][] => [
      [0.08, top, name],
      [0.5, top, "2"],
      [0.65, top, "10,00"],
      [0.8, top, "20,00"],
    ];
    const first = textPage([...header(0.3), ...item(0.32, "Grifo"), [0.08, 0.335, "Forma de pago: transferencia"]]);
    const second = textPage([...header(0.05), ...item(0.07, "Cable"), [0.6, 0.12, "Total"], [0.8, 0.12, "40,00"]]);
    const { data } = extractFields(
      { ...first, pages: [first.pages[0]!, { ...second.pages[0]!, number: 2 }] },
      "invoice",
    );
    expect((data.lines as { description: string }[]).map(({ description }) => description.split(" ")[0])).toEqual([
      "Grifo",
      "Cable",
    ]);
  });

  it("in one line for each party and with its totals side by side is read as well", () => {
    const { data } = extractFields(
      textPage([
        [0.4, 0.05, "Stolarnia Kowalski Sp. z o.o."],
        [0.08, 0.1, "Faktura nr 67/2025 z dnia 12.03.2025"],
        [0.08, 0.14, "Nabywca: Jan Malinowski, ul. Długa 5/12, 50-069 Wrocław"],
        [0.08, 0.2, "Nazwa"],
        [0.45, 0.2, "Ilość"],
        [0.6, 0.2, "Cena netto"],
        [0.8, 0.2, "Wartość netto"],
        [0.08, 0.22, "Blat dębowy"],
        [0.45, 0.22, "2"],
        [0.6, 0.22, "100,00"],
        [0.8, 0.22, "200,00"],
        [0.08, 0.3, "Razem netto"],
        [0.3, 0.3, "VAT 23%"],
        [0.5, 0.3, "VAT 8%"],
        [0.7, 0.3, "Do zapłaty"],
        [0.08, 0.315, "200,00"],
        [0.3, 0.315, "23,00"],
        [0.5, 0.315, "8,00"],
        [0.7, 0.315, "231,00"],
        [0.08, 0.34, "NIP: 526-025-02-74"],
      ]),
      "invoice",
    );
    expect(data).toMatchObject({
      invoice_number: "67/2025",
      issue_date: "2025-03-12",
      currency: "PLN",
      seller: { name: "Stolarnia Kowalski Sp. z o.o.", vat_id: "5260250274" },
      buyer: { name: "Jan Malinowski", address: "ul. Długa 5/12, 50-069 Wrocław" },
      net_total: 200,
      // The page has the tax of each rate and no sum of them.
      tax_total: null,
      grand_total: 231,
    });
  });

  it("with an IBAN of the wrong length is not sure of it", () => {
    const { fields } = extractFields(
      textPage([
        [0.08, 0.05, "Invoice no. 4711"],
        [0.08, 0.3, "IBAN: NL30 INGB 4138 9519"],
      ]),
      "invoice",
    );
    expect(fields.iban!.confidence).toBeLessThan(0.7);
  });
});

it("a summary by tax rates gives its parts, and neither a net nor a tax that no line states", () => {
  const { data } = extractFields(
    textPage([
      [0.08, 0.05, "Van Dijk Installaties B.V."],
      [0.08, 0.07, "Factuur 2024-17"],
      [0.09, 0.3, "%"],
      [0.3, 0.3, "Totaal excl. btw"],
      [0.55, 0.3, "Btw"],
      [0.09, 0.32, "21 %"],
      [0.38, 0.32, "100,00"],
      [0.55, 0.32, "21,00"],
      [0.09, 0.34, "9 %"],
      [0.38, 0.34, "200,00"],
      [0.55, 0.34, "18,00"],
      [0.09, 0.38, "Te betalen: 339,00"],
    ]),
    "invoice",
  );
  expect(data).toMatchObject({
    net_total: null,
    tax_total: null,
    grand_total: 339,
    tax_breakdown: [
      { rate: 21, base: 100, tax: 21 },
      { rate: 9, base: 200, tax: 18 },
    ],
  });
});

describe("the sums of an invoice", () => {
  const read = (items: [string, string, string, string][], sums: [string, string][]): Record<string, unknown> =>
    extractFields(
      textPage([
        [0.08, 0.05, "Alder Wine Ltd"],
        [0.6, 0.05, "INVOICE"],
        [0.6, 0.08, "Invoice number: T-1"],
        ...["Description", "Qty", "Unit price", "Amount"].map((text, column): [number, number, string] => [
          [0.08, 0.5, 0.62, 0.82][column]!,
          0.2,
          text,
        ]),
        ...items.flatMap((cells, row) =>
          cells.map((text, column): [number, number, string] => [
            [0.08, 0.5, 0.62, 0.82][column]!,
            0.23 + row * 0.02,
            text,
          ]),
        ),
        ...sums.flatMap(([label, amount], row): [number, number, string][] => [
          [0.5, 0.4 + row * 0.02, label],
          [0.82, 0.4 + row * 0.02, amount],
        ]),
      ]),
      "invoice",
    ).data;

  it("are told apart by rates, discount, shipping, rounding, deposit and what is still due", () => {
    const data = read(
      [
        ["Wine", "10", "10.00", "100.00"],
        ["Bread", "5", "4.00", "20.00"],
      ],
      [
        ["Subtotal", "120.00"],
        ["Discount", "-12.00"],
        ["Shipping", "8.00"],
        ["Total excl. VAT", "116.00"],
        ["VAT 20% on 96.00", "19.20"],
        ["VAT 5% on 20.00", "1.00"],
        ["VAT total", "20.20"],
        ["Rounding", "-0.20"],
        ["Grand total", "136.00"],
        ["Deposit paid", "-36.00"],
        ["Amount due", "100.00"],
      ],
    );
    expect(data).toMatchObject({
      net_total: 116,
      tax_total: 20.2,
      grand_total: 136,
      discount_total: -12,
      shipping_total: 8,
      rounding: -0.2,
      prepaid_total: -36,
      amount_due: 100,
    });
  });

  it("are null where the page prints only their total, and names keep their shares", () => {
    const data = read([["Less: 10% on seats", "12", "10.00", "120.00"]], [["Total incl. VAT 20%", "120.00"]]);
    expect(data).toMatchObject({ net_total: null, tax_total: null, grand_total: 120 });
    expect(data.lines).toMatchObject([{ description: "Less: 10% on seats", quantity: 12, total: 120 }]);
  });
});

describe("the number of an invoice", () => {
  const read = (...lines: [number, number, string][]): unknown =>
    extractFields(
      textPage([[0.08, 0.05, "Brückner Elektro GmbH"], ...lines, [0.7, 0.5, "Gesamtbetrag: 120,00 €"]]),
      "invoice",
    ).data.invoice_number;

  it("is no number amid words under its title", () => {
    const number = read(
      [0.87, 0.126, "LASKU"],
      [0.61, 0.143, "Päivä:"],
      [0.81, 0.143, "28.03.2025"],
      [0.61, 0.16, "Viite:"],
      [0.81, 0.16, "1232"],
      [0.61, 0.177, "Maksuehto:"],
      [0.81, 0.177, "NETTO 14 PV"],
    );
    expect(number).toBeNull();
  });

  it("is no postcode under the words for who pays", () => {
    expect(
      read(
        [0.08, 0.12, "Rechnung an:"],
        [0.08, 0.137, "Stadtbäckerei Hagemann e.K."],
        [0.08, 0.154, "Königstraße 8"],
        [0.08, 0.171, "73728 Esslingen"],
        [0.6, 0.154, "Rechnungsdatum: 06.05.2025"],
        [0.08, 0.3, "Rechnung RE2025118"],
      ),
    ).toBe("RE2025118");
  });

  it("does not begin with what stands for number", () => {
    expect(read([0.08, 0.2, "Rechnung Nr.25-0788"], [0.4, 0.2, "Kunde Nr.1042"])).toBe("25-0788");
  });
});

it("sums in a row under their names are no goods", () => {
  const row = (top: number, ...cells: [number, string][]): [number, number, string][] =>
    cells.map(([left, text]) => [left, top, text]);
  const { data } = extractFields(
    textPage([
      [0.08, 0.05, "Transports Lemoine SARL"],
      [0.6, 0.05, "Facture n° 213487"],
      ...row(0.3, [0.08, "Désignation"], [0.5, "Quantité"], [0.65, "PU HT"], [0.82, "Total HT"]),
      ...row(0.32, [0.08, "Forfait transport"], [0.5, "3"], [0.65, "410,00 €"], [0.82, "1 230,00 €"]),
      ...row(0.4, [0.08, "Remise"], [0.3, "Total Net HT"], [0.55, "TVA"], [0.8, "Total TTC"]),
      ...row(0.42, [0.08, "30,00 €"], [0.3, "1 200,00 €"], [0.55, "240,00 €"], [0.8, "1 440,00 €"]),
    ]),
    "invoice",
  );
  expect(data).toMatchObject({ net_total: 1200, tax_total: 240, grand_total: 1440 });
});

it("an item with nothing but a price costs that", () => {
  const { data } = extractFields(
    textPage([
      [0.08, 0.05, "Bluefin Web Studio, Inc."],
      [0.6, 0.05, "Invoice #: 20417"],
      [0.1, 0.3, "Item"],
      [0.8, 0.3, "Price"],
      [0.1, 0.32, "Website redesign"],
      [0.8, 0.32, "$2,850.00"],
      [0.1, 0.34, "Hosting (12 months)"],
      [0.8, 0.34, "$216.00"],
      [0.75, 0.38, "Total: $3,066.00"],
    ]),
    "invoice",
  );
  expect(data.lines).toMatchObject([
    { description: "Website redesign", total: 2850 },
    { description: "Hosting (12 months)", total: 216 },
  ]);
});
