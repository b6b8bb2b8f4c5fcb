import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

type Line = [left: number, top: number, text: string];

const read = (...lines: Line[]) => extractFields(textPage(lines), "invoice").data;

const goods: Line[] = [
  [0.08, 0.4, "Description"],
  [0.5, 0.4, "Qty"],
  [0.8, 0.4, "Subtotal"],
  [0.08, 0.42, "Oak table"],
  [0.5, 0.42, "2"],
  [0.8, 0.42, "341.00"],
  [0.08, 0.44, "Chair"],
  [0.5, 0.44, "4"],
  [0.8, 0.44, "212.00"],
];

describe("sums of an invoice", () => {
  it("are not read from a column of goods whose heading is a word for a sum", () => {
    const data = read([0.6, 0.05, "Invoice 4471"], ...goods, [0.6, 0.5, "Total"], [0.8, 0.5, "553.00"]);
    expect(data).toMatchObject({ net_total: null, grand_total: 553 });
  });

  it("are whole amounts where blanks or points group their thousands and nothing has decimals", () => {
    const czech = read(
      [0.6, 0.05, "Faktura č. 1138"],
      [0.6, 0.4, "Cena bez DPH"],
      [0.8, 0.4, "3 296 Kč"],
      [0.6, 0.42, "DPH"],
      [0.8, 0.42, "692 Kč"],
      [0.6, 0.44, "Celková cena"],
      [0.8, 0.44, "3 988 Kč"],
    );
    expect(czech).toMatchObject({ net_total: 3296, tax_total: 692, grand_total: 3988, currency: "CZK" });
    const african = read([0.6, 0.05, "Facture n° 871"], [0.6, 0.4, "Total TTC"], [0.8, 0.4, "216.512 FCFA"]);
    expect(african).toMatchObject({ grand_total: 216512, currency: "XOF" });
  });

  it("are not in ringgits because a town is in the province of Rome", () => {
    const data = read(
      [0.08, 0.05, "Via Torino 38, 00145 Ostia"],
      [0.08, 0.065, "(RM)"],
      [0.08, 0.08, "(RM) IT"],
      [0.6, 0.05, "Fattura n. 123"],
      [0.6, 0.08, "Valuta: EUR"],
      [0.6, 0.4, "Totale"],
      [0.8, 0.4, "30.50"],
    );
    expect(data.currency).toBe("EUR");
  });
});

describe("sums beside rows of goods", () => {
  const head: Line[] = [
    [0.6, 0.05, "Faktura VAT 118/2024"],
    [0.08, 0.3, "Nazwa usługi"],
    [0.3, 0.3, "Ilość"],
    [0.45, 0.3, "Wartość netto"],
    [0.6, 0.3, "VAT"],
    [0.7, 0.3, "Kwota VAT"],
    [0.83, 0.3, "Wartość brutto"],
    [0.08, 0.32, "Internet 300"],
    [0.3, 0.32, "1"],
    [0.45, 0.32, "56,91"],
    [0.6, 0.32, "23%"],
    [0.7, 0.32, "13,09"],
    [0.83, 0.32, "70,00"],
    [0.08, 0.34, "Telewizja M"],
    [0.3, 0.34, "1"],
    [0.45, 0.34, "37,04"],
    [0.6, 0.34, "8%"],
    [0.7, 0.34, "2,96"],
    [0.83, 0.34, "40,00"],
  ];

  it("are those of the last row and not those of an item with its tax", () => {
    const data = read(
      ...head,
      [0.08, 0.36, "Razem"],
      [0.45, 0.36, "93,95"],
      [0.7, 0.36, "16,05"],
      [0.83, 0.36, "110,00"],
      [0.08, 0.39, "Do zapłaty: 110,00 zł"],
    );
    expect(data).toMatchObject({ net_total: 93.95, tax_total: 16.05, grand_total: 110 });
  });

  it("hold no tax that is held back", () => {
    const data = read(
      [0.6, 0.05, "Invoice 2025-014"],
      [0.6, 0.4, "Subtotal"],
      [0.8, 0.4, "€3520.00"],
      [0.6, 0.42, "VAT (21%)"],
      [0.8, 0.42, "€739.20"],
      [0.6, 0.44, "Income Tax (15%)"],
      [0.8, 0.44, "-€528.00"],
      [0.6, 0.46, "TOTAL"],
      [0.8, 0.46, "€3731.20"],
    );
    expect(data).toMatchObject({ net_total: 3520, tax_total: 739.2, grand_total: 3731.2 });
  });
});

describe("the parties of an invoice", () => {
  it("stand under headings that say no more than whose data these are", () => {
    const data = read(
      [0.08, 0.05, "LOCADORA PARANÁ"],
      [0.6, 0.05, "Fatura 333"],
      [0.08, 0.2, "Informações do cliente"],
      [0.08, 0.22, "João Ramalho"],
      [0.08, 0.235, "Endereço: Avenida Brasilia, 4606"],
      [0.5, 0.2, "Detalhes do pagamento"],
      [0.5, 0.22, "Total: R$ 4.600,00"],
    );
    expect(data.buyer).toMatchObject({ name: "João Ramalho" });
  });

  it("may be named behind the title", () => {
    const data = read([0.08, 0.05, "FACTURE - Parfumerie Xavier SARL"], [0.08, 0.09, "Client : Jean Dupont"], ...goods);
    expect(data).toMatchObject({ seller: { name: "Parfumerie Xavier SARL" }, buyer: { name: "Jean Dupont" } });
  });

  it("keep a name that goes on in the line before the next label", () => {
    const data = read(
      [0.6, 0.05, "Faktura nr 14/03/2023"],
      [0.08, 0.1, "Sprzedawca: Adam Nowakowski Usługi"],
      [0.08, 0.115, "Stolarskie"],
      [0.08, 0.13, "Adres: ul. Nowoczesna 125, 12-345 Warszawa"],
      [0.5, 0.1, "Nabywca: Krzysztof Maj"],
      [0.5, 0.13, "Adres: Księgowa 20, 12-345 Warszawa"],
      ...goods,
    );
    expect(data.seller).toMatchObject({ name: "Adam Nowakowski Usługi Stolarskie" });
  });

  it("are not what stands under a label that has its name beside it", () => {
    const data = read(
      [0.08, 0.05, "Facture n° 871"],
      [0.08, 0.2, "Assuré :"],
      [0.25, 0.2, "Inès Hounkpatin"],
      [0.08, 0.22, "Assureur :"],
      [0.25, 0.22, "Littoral Assurances"],
      [0.08, 0.24, "DÉCOMPTE DE PRIME"],
      ...goods,
    );
    expect(data).toMatchObject({ seller: { name: "Littoral Assurances" }, buyer: { name: "Inès Hounkpatin" } });
  });

  it("may have a heading whose letters are set apart", () => {
    const data = read(
      [0.6, 0.05, "Faktura č. 1138"],
      [0.08, 0.1, "D o d a v a t e l"],
      [0.08, 0.115, "Pavel Kopal"],
      [0.08, 0.13, "110 00 Praha 1"],
      [0.5, 0.1, "O d b ě r a t e l"],
      [0.5, 0.115, "Eva Malá"],
      [0.5, 0.13, "152 00 Praha 5"],
      ...goods,
    );
    expect(data).toMatchObject({ seller: { name: "Pavel Kopal" }, buyer: { name: "Eva Malá" } });
  });

  it("are the large print on top and the company in the block of the address, where no heading tells", () => {
    const data = read(
      [0.08, 0.05, "Publysher"],
      [0.08, 0.12, "Drukkerij Zonnebloem BV"],
      [0.08, 0.135, "Keizersgracht 277"],
      [0.08, 0.15, "1016 EC Amsterdam"],
      [0.7, 0.12, "Factuurnummer: 2025-001"],
      ...goods,
    );
    expect(data).toMatchObject({ seller: { name: "Publysher" }, buyer: { name: "Drukkerij Zonnebloem BV" } });
  });
});

describe("names and what stands around them", () => {
  it("go on in the second line of a sign", () => {
    const sign = (top: number, text: string) => ({ ...textPage([[0.08, top, text]]).pages[0]!.lines[0]! });
    const page = textPage([[0.6, 0.05, "Factura 003"], [0.08, 0.2, "Diego Sanz"], ...goods]);
    const large = ["ESTUDIOS", "CREATIVOS"].map((text, index) => {
      const line = sign(0.05 + index * 0.024, text);
      const [left, top, right] = line.box;
      return { ...line, box: [left, top, right, top + 0.022] as typeof line.box };
    });
    const lines = [...large, ...page.pages[0]!.lines];
    const { data } = extractFields({ ...page, pages: [{ ...page.pages[0]!, lines }] }, "invoice");
    expect(data.seller).toMatchObject({ name: "ESTUDIOS CREATIVOS" });
  });

  it("are told from the street in the same line by the legal form", () => {
    const data = read([0.08, 0.05, "Wouri Components Inc, 45 Northwest"], [0.6, 0.05, "Invoice 31"], ...goods);
    expect(data.seller).toMatchObject({ name: "Wouri Components Inc", address: "45 Northwest" });
  });

  it("are the seller's under the word for a company beside the word for the client", () => {
    const data = read(
      [0.6, 0.05, "Invoice 419"],
      [0.08, 0.1, "CLIENT"],
      [0.08, 0.12, "Skylark Learning Ltd"],
      [0.5, 0.1, "COMPANY"],
      [0.5, 0.12, "Meera Iyer"],
      [0.5, 0.135, "21 Temple Road, Mysuru"],
      ...goods,
    );
    expect(data).toMatchObject({ seller: { name: "Meera Iyer" }, buyer: { name: "Skylark Learning Ltd" } });
  });

  it("are the seller's at the foot of the page", () => {
    const data = read(
      [0.6, 0.05, "Rechnung 519"],
      [0.08, 0.08, "Tischlerei Kolbe"],
      [0.08, 0.095, "Dorfstraße 33"],
      [0.08, 0.11, "01796 Pirna"],
      ...goods,
      [0.08, 0.86, "Beschlagwelt Handels GmbH"],
      [0.08, 0.875, "Hafenstr. 8"],
      [0.08, 0.89, "01662 Meißen"],
    );
    expect(data).toMatchObject({ seller: { name: "Beschlagwelt Handels GmbH" }, buyer: { name: "Tischlerei Kolbe" } });
  });

  it("stand under headings in two languages", () => {
    const data = read(
      [0.6, 0.05, "Faktura (invoice) nr 3/04/2024"],
      [0.08, 0.1, "Sprzedawca (seller)"],
      [0.08, 0.12, "Marta Zielona"],
      [0.08, 0.135, "30-702 Kraków"],
      [0.5, 0.1, "Nabywca (buyer)"],
      [0.5, 0.12, "Lindqvist Translations"],
      [0.5, 0.135, "211 41 Malmö"],
      ...goods,
    );
    expect(data).toMatchObject({ seller: { name: "Marta Zielona" }, buyer: { name: "Lindqvist Translations" } });
  });

  it("are the buyer's behind the only word for a name", () => {
    const data = read(
      [0.4, 0.05, "Lakeside Water Works"],
      [0.08, 0.1, "Bill No.: 012345"],
      [0.08, 0.12, "Name: Ram Aryal"],
      ...goods,
    );
    expect(data.buyer).toMatchObject({ name: "Ram Aryal" });
  });

  it("are said with doubt where each could be the other", () => {
    const { fields } = extractFields(
      textPage([
        [0.08, 0.05, "Invoice 7723"],
        [0.08, 0.1, "Brightwick Studio, Inc."],
        [0.08, 0.115, "12345 Sunny Road"],
        [0.08, 0.13, "Sunnyville, CA 94085"],
        [0.5, 0.1, "Cobalt Harbor Corp."],
        [0.5, 0.115, "jane@cobalt.example"],
        ...goods,
      ]),
      "invoice",
    );
    expect(fields["buyer.name"]!.confidence).toBeLessThan(0.9);
  });

  it("are no questions and no thanks", () => {
    const data = read(
      [0.08, 0.05, "Bodegas Río Seco SL"],
      [0.6, 0.05, "Factura 12"],
      ...goods,
      [0.08, 0.6, "¿Alguna pregunta?"],
      [0.08, 0.62, "Grazie per la fiducia accordata."],
      [0.08, 0.635, "Via Roma 3"],
    );
    expect(data.buyer).toMatchObject({ name: null });
  });
});

describe("a label and its value in one run of text", () => {
  it("are as sure as beside each other", () => {
    const data = read(
      [0.08, 0.05, "Invoice 93"],
      [0.08, 0.28, "Subtotal: 1755.00"],
      [0.08, 0.295, "Tax: 136.00"],
      [0.08, 0.31, "Total: 1836.00"],
    );
    expect(data).toMatchObject({ net_total: 1755, tax_total: 136, grand_total: 1836 });
  });

  it("may hold a half of the tax, which is not the tax", () => {
    const data = read(
      [0.08, 0.05, "Invoice 118"],
      [0.7, 0.28, "CGST (9%): 3735.00"],
      [0.7, 0.295, "SGST (9%): 3735.00"],
      [0.7, 0.4, "Grand Total: 48970.00"],
    );
    expect(data).toMatchObject({ tax_total: null, grand_total: 48970 });
  });

  it("leave what stands beside them to others", () => {
    const data = read(
      [0.08, 0.05, "Invoice #2015-11-04"],
      [0.6, 0.05, "Havneby, November 4, 2015"],
      [0.6, 0.4, "Total"],
      [0.8, 0.4, "1128.00"],
    );
    expect(data).toMatchObject({ invoice_number: "2015-11-04", issue_date: "2015-11-04" });
  });
});

it("a whole number is not the total because it is the largest", () => {
  const data = read([0.08, 0.05, "Invoice 7723"], [0.08, 0.3, "Cheque"], [0.8, 0.3, "1000"], ...goods, [
    0.8,
    0.5,
    "Total: $553.00",
  ]);
  expect(data.grand_total).toBe(553);
});

it("an amount with grouped thousands and a comma is read although points mark the decimals of others", () => {
  const data = read(
    [0.08, 0.05, "Faktura: 20240056"],
    [0.8, 0.3, "850.00 Kc"],
    [0.8, 0.32, "6500.00 Kc"],
    [0.5, 0.36, "Celkem k úhradě 9 900,00 Kc"],
  );
  expect(data.grand_total).toBe(9900);
});

describe("the number of an invoice", () => {
  it("may be a year behind its sign, or hold a date that is none of the invoice", () => {
    expect(read([0.08, 0.05, "Fatura #2031"], ...goods)).toMatchObject({ invoice_number: "2031" });
    const data = read([0.08, 0.05, "FATURA"], [0.08, 0.07, "Nº: FAT-2025-02-11-004"], ...goods);
    expect(data).toMatchObject({ invoice_number: "FAT-2025-02-11-004", issue_date: null });
  });

  it("may look like a date behind the word for a number", () => {
    const data = read([0.6, 0.05, "Faktura nr 14/03/2023"], ...goods);
    expect(data).toMatchObject({ invoice_number: "14/03/2023", issue_date: null });
  });

  it("is no part of a telephone number", () => {
    const data = read([0.08, 0.05, "Invoice"], [0.08, 0.065, "+370 5 212 0044"], ...goods);
    expect(data.invoice_number).toBeNull();
  });
});

it("a list may have headings for its prices only", () => {
  const data = read(
    [0.08, 0.05, "Rechnung 2411-087"],
    [0.5, 0.3, "Einzelpreis:"],
    [0.8, 0.3, "Teilsumme:"],
    [0.08, 0.32, "Mahlzeiten im November"],
    [0.5, 0.32, "4,20 €"],
    [0.8, 0.32, "71,40 €"],
    [0.6, 0.36, "Rechnungsbetrag"],
    [0.8, 0.36, "71,40 €"],
  );
  expect(data.lines).toMatchObject([{ unit_price: 4.2, total: 71.4 }]);
});
