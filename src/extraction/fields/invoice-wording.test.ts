import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";
import { isNameLike, isStreetLine } from "./invoice/address.ts";

type Line = [left: number, top: number, text: string];

const read = (...lines: Line[]) => extractFields(textPage(lines), "invoice").data;

describe("an amount", () => {
  it("may have blanks between its thousands and a point, behind its currency", () => {
    const data = read([0.6, 0.05, "Invoice INV-014"], [0.08, 0.4, "Total Due"], [0.6, 0.4, "R 11 270.00"]);
    expect(data).toMatchObject({ grand_total: 11270, currency: "ZAR" });
  });

  it("may have one decimal, where every amount has", () => {
    const data = read(
      [0.4, 0.05, "Invoice #INV-77"],
      [0.08, 0.3, "Description"],
      [0.4, 0.3, "Quantity"],
      [0.6, 0.3, "Unit Price"],
      [0.8, 0.3, "Total Price"],
      [0.08, 0.33, "Window cleaning"],
      [0.4, 0.33, "12"],
      [0.6, 0.33, "75.0"],
      [0.8, 0.33, "900.0"],
      [0.65, 0.4, "Total Amount: 900.0"],
    );
    expect(data).toMatchObject({ grand_total: 900, lines: [{ quantity: 12, unit_price: 75, total: 900 }] });
  });

  it("is in pesos or reais where the page is from a country that writes them with a dollar", () => {
    expect(
      read([0.1, 0.05, "Factura A-12"], [0.1, 0.1, "CUIT 30-71234567-1"], [0.1, 0.4, "Total $ 1.250,00"]),
    ).toMatchObject({ currency: "ARS" });
    expect(read([0.1, 0.05, "Fatura 12"], [0.1, 0.4, "Total RS 1.250,00"])).toMatchObject({ currency: "BRL" });
  });

  it("in dinars has three decimals", () => {
    const data = read(
      [0.4, 0.05, "Facture N° 31"],
      [0.5, 0.4, "Total HT (DT)"],
      [0.8, 0.4, "1 050,500"],
      [0.5, 0.42, "TVA 19%"],
      [0.8, 0.42, "199,595"],
      [0.5, 0.44, "Total TTC"],
      [0.8, 0.44, "1 250,095"],
    );
    expect(data).toMatchObject({ net_total: 1050.5, tax_total: 199.595, grand_total: 1250.095, currency: "TND" });
  });

  it("has its currency from signs such as Tsh and S/", () => {
    expect(read([0.1, 0.05, "Invoice 12"], [0.1, 0.4, "Total Tsh 45,000"])).toMatchObject({ currency: "TZS" });
    expect(read([0.1, 0.05, "Factura F001-12"], [0.1, 0.4, "Total S/ 1,250.00"])).toMatchObject({ currency: "PEN" });
    expect(
      read([0.1, 0.03, "Kedai Maju Sdn. Bhd."], [0.1, 0.05, "Invoice 12"], [0.1, 0.4, "Total 45.00"]),
    ).toMatchObject({ currency: null });
  });

  it("before a discount is no net total, though the goods sum up to it", () => {
    const data = read(
      [0.6, 0.05, "Facture n° 213"],
      [0.08, 0.3, "Désignation"],
      [0.5, 0.3, "Quantité"],
      [0.65, 0.3, "PU HT"],
      [0.85, 0.3, "Total HT"],
      [0.08, 0.32, "Entretien"],
      [0.5, 0.32, "2"],
      [0.65, 0.32, "500,00"],
      [0.85, 0.32, "1 000,00"],
      [0.6, 0.4, "Total HT"],
      [0.85, 0.4, "1 000,00"],
      [0.6, 0.42, "Remise"],
      [0.85, 0.42, "100,00"],
      [0.6, 0.44, "Total net HT"],
      [0.85, 0.44, "900,00"],
      [0.6, 0.46, "TVA 20%"],
      [0.85, 0.46, "180,00"],
      [0.6, 0.48, "Total TTC"],
      [0.85, 0.48, "1 080,00"],
    );
    expect(data).toMatchObject({ net_total: 900, tax_total: 180, grand_total: 1080 });
  });
});

describe("a label", () => {
  it("that fills two lines has its value beside the first", () => {
    const data = read(
      [0.4, 0.05, "Invoice 4471"],
      [0.08, 0.2, "Number of your"],
      [0.5, 0.2, "4500091722"],
      [0.08, 0.212, "purchase order:"],
    );
    expect(data).toMatchObject({ purchase_order: "4500091722" });
  });

  it("within a long sentence means nothing beside or under it", () => {
    const data = read(
      [0.4, 0.05, "Facture n° 4471"],
      [0.08, 0.1, "Date : 03/01/2013"],
      [
        0.08,
        0.8,
        "Tout défaut de paiement d'une facture à son échéance entraîne de plein droit une pénalité de 20 pour cent",
      ],
      [0.08, 0.82, "selon le décret du 2 octobre 2012"],
    );
    expect(data).toMatchObject({ issue_date: "2013-01-03", due_date: null });
  });

  it("may speak of the buyer's order", () => {
    const data = read([0.4, 0.05, "Tax Invoice"], [0.08, 0.2, "Buyer's Order No."], [0.5, 0.2, "PO-6612"]);
    expect(data).toMatchObject({ purchase_order: "PO-6612" });
  });

  it("of a post box is no label of an order", () => {
    const data = read([0.4, 0.05, "Invoice 4471"], [0.08, 0.1, "PO Box: 6027 Hawthorn West"]);
    expect(data).toMatchObject({ purchase_order: null });
  });
});

it("an IBAN that goes on in the next line is whole", () => {
  const data = read([0.4, 0.05, "Rechnung 4471"], [0.08, 0.8, "IBAN: DE89 3704 0044"], [0.08, 0.812, "0532 0130 00"]);
  expect(data).toMatchObject({ iban: "DE89370400440532013000" });
});

it("a number may have blanks around its stroke", () => {
  expect(read([0.08, 0.05, "Fatura No: AVS2025 / 00042"])).toMatchObject({ invoice_number: "AVS2025 / 00042" });
});

describe("a party", () => {
  it("is named beside the kind of document, before or behind it", () => {
    expect(read([0.3, 0.05, "Energia Chiara S.p.A. - Bolletta"], [0.08, 0.1, "Cliente: Giulia Ferri"])).toMatchObject({
      seller: { name: "Energia Chiara S.p.A." },
    });
  });

  it("that somebody is to be asked for at buys", () => {
    const data = read(
      [0.08, 0.05, "Publica"],
      [0.08, 0.1, "Voorbeeld BV"],
      [0.08, 0.115, "t.a.v. J. de Groot"],
      [0.08, 0.13, "Dorpsstraat 27"],
      [0.08, 0.145, "1028 QX Amsterdam"],
      [0.6, 0.05, "Factuur 2020017"],
    );
    expect(data).toMatchObject({ buyer: { name: "Voorbeeld BV" } });
  });

  it("has its register's number or its street behind its name", () => {
    const data = read(
      [0.4, 0.05, "Счет на оплату № 1187"],
      [0.08, 0.1, "Поставщик:"],
      [0.25, 0.1, "ООО Волга-Снаб, ИНН 6452101234, 410012, Саратов, ул. Московская, 85"],
      [0.08, 0.15, "Покупатель:"],
      [0.25, 0.15, "ИП Кузнецова, ИНН 645301987654, 413100, Энгельс, ул. Тельмана, 12"],
    );
    expect(data).toMatchObject({ seller: { name: "ООО Волга-Снаб" }, buyer: { name: "ИП Кузнецова" } });
  });

  it("is not whoever is paid into an account", () => {
    const data = read(
      [0.08, 0.05, "Vula Solutions"],
      [0.6, 0.05, "Invoice INV-014"],
      [0.08, 0.2, "Client Name"],
      [0.4, 0.2, "Thandeka Mokoena"],
      [0.08, 0.8, "Account Name"],
      [0.4, 0.8, "Vula Solutions (Pty) Ltd"],
      [0.08, 0.815, "Branch Code"],
      [0.4, 0.815, "250655"],
    );
    expect(data).toMatchObject({ buyer: { name: "Thandeka Mokoena" } });
  });
});

describe("a company at the foot of the page", () => {
  const page = [
    [0.6, 0.05, "Faktura 2210"],
    [0.08, 0.12, "Fjällmekano Industri AB"],
    [0.08, 0.135, "Verkstadsgatan 3"],
    [0.08, 0.15, "981 38 Kiruna"],
    [0.08, 0.2, "VAT nr: SE556677889901"],
    [0.6, 0.12, "Datum: 2024-03-05"],
    [0.6, 0.135, "Villkor: 30 dagar"],
    [0.08, 0.3, "Beskrivning"],
    [0.5, 0.3, "Antal"],
    [0.65, 0.3, "Pris"],
    [0.85, 0.3, "Belopp"],
    [0.08, 0.32, "Service"],
    [0.5, 0.32, "2"],
    [0.65, 0.32, "500,00"],
    [0.85, 0.32, "1 000,00"],
    [0.65, 0.4, "Netto"],
    [0.85, 0.4, "1 000,00"],
    [0.65, 0.42, "Moms 25 %"],
    [0.85, 0.42, "250,00"],
    [0.65, 0.44, "Att betala"],
    [0.85, 0.44, "1 250,00"],
    [0.08, 0.9, "Nordsken Konsult AB"],
    [0.08, 0.915, "Storgatan 12"],
    [0.08, 0.93, "903 26 Umeå"],
    [0.5, 0.915, "VAT nr: SE559012345601"],
  ] satisfies Line[];

  it("sells, and the tax number there is its own", () => {
    expect(read(...page)).toMatchObject({
      seller: { name: "Nordsken Konsult AB", vat_id: "SE559012345601" },
      buyer: { name: "Fjällmekano Industri AB" },
    });
  });
});

it("of two boxes side by side a name is of the one whose heading begins where it does", () => {
  const data = read(
    [0.4, 0.05, "Factura N° 001-123"],
    [0.08, 0.2, "Datos de la empresa"],
    [0.5, 0.2, "Datos del cliente"],
    [0.08, 0.22, "Nombre: Papelera DAFA"],
    [0.5, 0.22, "Nombre: Juan Pérez"],
    [0.08, 0.24, "RUC: 1234567890"],
  );
  expect(data).toMatchObject({ seller: { name: "Papelera DAFA" }, buyer: { name: "Juan Pérez" } });
});

it("a tax number is no date, and has its country's letters", () => {
  const data = read(
    [0.6, 0.05, "Sąskaita faktūra ARV-0219"],
    [0.08, 0.05, "UAB Sargas"],
    [0.08, 0.1, "PVM kodas: LT100001234567"],
    [0.6, 0.1, "Data: 2025-03-31"],
  );
  expect(data).toMatchObject({ seller: { vat_id: "LT100001234567" }, issue_date: "2025-03-31" });
});

it("a doctor is no street", () => {
  expect(isStreetLine("Dr Claire Aubry")).toBe(false);
  expect(isStreetLine("Palm Dr")).toBe(true);
});

it("an issue date is not the date of a permit at the foot of the page", () => {
  const goods = Array.from({ length: 10 }, (_, index): Line => [0.08, 0.3 + index * 0.02, `Part ${index}`]);
  const data = read(
    [0.4, 0.05, "Sales invoice"],
    [0.7, 0.1, "Date. : Apr 17, 2019"],
    ...goods,
    [0.08, 0.9, "Payment Date : Apr 17, 2019"],
    [0.08, 0.95, "Permit no. 1214-052-004 Date Issued : February 21, 2014"],
  );
  expect(data).toMatchObject({ issue_date: "2019-04-17" });
});

it("the end of a sentence names nobody", () => {
  expect(isNameLike("viestiin.")).toBe(false);
  expect(isNameLike("och ange alltid fakturans nummer")).toBe(false);
  expect(isNameLike("boulanger")).toBe(true);
});

describe("goods", () => {
  it("have a price under the heading for it, and another total where tax is added to each", () => {
    const data = read(
      [0.08, 0.05, "Invoice INV-001"],
      [0.08, 0.3, "Item"],
      [0.5, 0.3, "Qty"],
      [0.65, 0.3, "Price"],
      [0.85, 0.3, "Total"],
      [0.08, 0.33, "Butter naan"],
      [0.5, 0.33, "4.00"],
      [0.65, 0.33, "₹ 40.00"],
      [0.85, 0.33, "₹ 168.00"],
    );
    expect(data.lines).toMatchObject([{ quantity: 4, unit_price: 40, total: 168 }]);
  });

  it("may have their discount with a minus", () => {
    const data = read(
      [0.08, 0.05, "Rechnung 77"],
      [0.08, 0.3, "Position"],
      [0.45, 0.3, "Anz."],
      [0.6, 0.3, "Stückpreis"],
      [0.85, 0.3, "Preis"],
      [0.08, 0.33, "Messkopf"],
      [0.45, 0.33, "3,00"],
      [0.6, 0.33, "1 250,00"],
      [0.75, 0.33, "-5%"],
      [0.85, 0.33, "3 562,50"],
    );
    expect(data.lines).toMatchObject([{ quantity: 3, unit_price: 1250, total: 3562.5 }]);
  });

  it("end before sums that have a note on their left, or amounts in many columns", () => {
    const data = read(
      [0.08, 0.05, "Commercial invoice 420"],
      [0.08, 0.3, "Description"],
      [0.35, 0.3, "Unit price"],
      [0.5, 0.3, "Net qty"],
      [0.65, 0.3, "Cases"],
      [0.85, 0.3, "Total"],
      [0.08, 0.33, "Frozen peas"],
      [0.35, 0.33, "USD 2.50"],
      [0.5, 0.33, "1,000"],
      [0.65, 0.33, "100"],
      [0.85, 0.33, "USD 2,500.00"],
      [0.08, 0.36, "Total container"],
      [0.35, 0.36, "28,000.000"],
      [0.5, 0.36, "1,000"],
      [0.65, 0.36, "100"],
      [0.85, 0.36, "USD 2,500.00"],
    );
    expect(data.lines).toHaveLength(1);
  });

  it("are no sums beside a sentence, though the currency is a word", () => {
    const data = read(
      [0.08, 0.05, "Factuur 2417"],
      [0.1, 0.3, "Omschrijving"],
      [0.8, 0.3, "Bedrag"],
      [0.1, 0.33, "Stroomaansluiting"],
      [0.8, 0.33, "120,00 EURO"],
      [0.1, 0.4, "Gelieve binnen 30 dagen na"],
      [0.5, 0.4, "NETTO"],
      [0.8, 0.4, "120,00 EURO"],
      [0.1, 0.42, "factuurdatum te betalen."],
      [0.5, 0.42, "BTW"],
      [0.8, 0.42, "25,20 EURO"],
    );
    expect(data.lines).toHaveLength(1);
  });
});
