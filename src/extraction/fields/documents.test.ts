import { describe, expect, it } from "vitest";
import type { ReadDocument, TextLine } from "../../ports/document-reader.ts";
import { extractFields } from "./extract-fields.ts";

/** Lines as [left, top, text]; everything is placed on one page. */
function page(
  lines: readonly (readonly [left: number, top: number, text: string])[],
  extra: Partial<ReadDocument> = {},
  source: "text" | "ocr" = "text",
): ReadDocument {
  const placed = lines.map(([left, top, text]): TextLine => {
    const box = [left, top, Math.min(0.99, left + text.length * 0.0085), top + 0.011] as const;
    return { text, box, words: [{ text, box }], confidence: source === "ocr" ? 0.97 : 1, source };
  });
  return {
    format: "pdf",
    pages: [{ number: 1, width: 595, height: 842, lines: placed, rulings: [] }],
    tables: [],
    formEntries: [],
    embeddedFiles: [],
    warnings: [],
    ...extra,
  };
}

describe("a receipt", () => {
  const receipt = page(
    [
      [0.3, 0.05, "GREEN LEAF GROCER SDN BHD"],
      [0.35, 0.07, "(123456-X)"],
      [0.3, 0.09, "NO. 12, JALAN BUNGA 3,"],
      [0.3, 0.11, "43300 SERI KEMBANGAN, SELANGOR."],
      [0.3, 0.13, "TEL: 03-1234567"],
      [0.1, 0.18, "Date: 04/02/2018 10:22"],
      [0.1, 0.22, "RICE 5KG"],
      [0.8, 0.22, "26.98"],
      [0.1, 0.26, "TOTAL"],
      [0.8, 0.26, "26.98"],
      [0.1, 0.28, "ROUNDING"],
      [0.8, 0.28, "0.02"],
      [0.1, 0.3, "TOTAL ROUNDED"],
      [0.8, 0.3, "27.00"],
      [0.1, 0.32, "CASH"],
      [0.8, 0.32, "50.00"],
      [0.1, 0.34, "CHANGE"],
      [0.8, 0.34, "23.00"],
    ],
    {},
    "ocr",
  );

  it("gives company, address, date and what was paid", () => {
    expect(extractFields(receipt)).toMatchObject({
      document_type: "receipt",
      data: {
        company: "GREEN LEAF GROCER SDN BHD",
        address: "NO. 12, JALAN BUNGA 3, 43300 SERI KEMBANGAN, SELANGOR.",
        date: "2018-02-04",
        total: 27,
      },
    });
  });

  it("says where each value stands", () => {
    expect(extractFields(receipt).fields.total).toMatchObject({
      page: 1,
      box: [0.8, 0.3, expect.any(Number), expect.any(Number)],
    });
  });
});

it("a bank statement's movements are checked against its running balance", () => {
  const statement = page([
    [0.08, 0.05, "First Harbor Bank"],
    [0.08, 0.08, "Account holder: Ada Lovelace"],
    [0.6, 0.08, "Statement period: 01/03/2024 - 31/03/2024"],
    [0.08, 0.1, "Account number: 64508744"],
    [0.6, 0.1, "Opening balance: 100.00"],
    [0.6, 0.12, "Closing balance: 130.00"],
    [0.08, 0.2, "Date"],
    [0.23, 0.2, "Description"],
    [0.62, 0.2, "Money out"],
    [0.74, 0.2, "Money in"],
    [0.88, 0.2, "Balance"],
    [0.08, 0.22, "02/03/2024"],
    [0.23, 0.22, "COFFEE"],
    [0.62, 0.22, "20.00"],
    [0.88, 0.22, "80.00"],
    [0.08, 0.24, "05/03/2024"],
    [0.23, 0.24, "REFUND"],
    [0.74, 0.24, "60.00"],
    [0.88, 0.24, "140.00"],
    [0.08, 0.26, "09/03/2024"],
    [0.23, 0.26, "LUNCH"],
    [0.62, 0.26, "10.00"],
    [0.88, 0.26, "130.00"],
  ]);
  const { document_type, data, checks } = extractFields(statement);
  expect(document_type).toBe("bank_statement");
  expect(data).toMatchObject({
    account_holder: "Ada Lovelace",
    account_number: "64508744",
    period_start: "2024-03-01",
    period_end: "2024-03-31",
    opening_balance: 100,
    closing_balance: 130,
  });
  expect(data.transactions).toEqual([
    { date: "2024-03-02", description: "COFFEE", debit: 20, credit: null, balance: 80 },
    { date: "2024-03-05", description: "REFUND", debit: null, credit: 60, balance: 140 },
    { date: "2024-03-09", description: "LUNCH", debit: 10, credit: null, balance: 130 },
  ]);
  expect(checks).toMatchObject([{ name: "running_balance", passed: true }]);
});

it("a statement with signed amounts in one column and dates without a year is read too", () => {
  const statement = page([
    [0.08, 0.05, "Sparkasse Neustadt"],
    [0.08, 0.07, "Kontoauszug"],
    [0.08, 0.09, "Kontoinhaber: Karl Weber"],
    [0.08, 0.11, "IBAN: DE89 3704 0044 0532 0130 00"],
    [0.55, 0.09, "Zeitraum: 01.12.2023 - 31.01.2024"],
    [0.55, 0.11, "Anfangssaldo: 1.000,00"],
    [0.55, 0.13, "Endsaldo: 1.140,50"],
    [0.08, 0.2, "Datum"],
    [0.2, 0.2, "Verwendungszweck"],
    [0.7, 0.2, "Betrag"],
    [0.88, 0.2, "Saldo"],
    [0.08, 0.22, "28.12."],
    [0.2, 0.22, "Miete"],
    [0.69, 0.22, "-859,50"],
    [0.88, 0.22, "140,50"],
    [0.08, 0.24, "02.01."],
    [0.2, 0.24, "Gehalt"],
    [0.68, 0.24, "1.500,00"],
    [0.87, 0.24, "1.640,50"],
    [0.08, 0.26, "15.01."],
    [0.2, 0.26, "Bar"],
    [0.69, 0.26, "-500,00"],
    [0.87, 0.26, "1.140,50"],
  ]);
  const { data } = extractFields(statement);
  expect(data).toMatchObject({
    bank: "Sparkasse Neustadt",
    account_holder: "Karl Weber",
    account_number: "DE89370400440532013000",
    period_start: "2023-12-01",
    period_end: "2024-01-31",
    opening_balance: 1000,
    closing_balance: 1140.5,
  });
  expect(data.transactions).toEqual([
    { date: "2023-12-28", description: "Miete", debit: 859.5, credit: null, balance: 140.5 },
    { date: "2024-01-02", description: "Gehalt", debit: null, credit: 1500, balance: 1640.5 },
    { date: "2024-01-15", description: "Bar", debit: 500, credit: null, balance: 1140.5 },
  ]);
});

it("a form gives its keys with the values beside and below them", () => {
  const form = page([
    [0.1, 0.1, "APPLICATION FORM"],
    [0.1, 0.15, "Name:"],
    [0.3, 0.15, "Grace Hopper"],
    [0.1, 0.18, "Date of birth: 9 December 1906"],
    [0.1, 0.21, "City:"],
    [0.3, 0.21, "New York"],
    [0.1, 0.24, "Rank:"],
    [0.3, 0.24, "Rear Admiral"],
  ]);
  const { data } = extractFields(form);
  expect(data.pairs).toEqual([
    { key: "Name:", value: "Grace Hopper" },
    { key: "Date of birth:", value: "9 December 1906" },
    { key: "City:", value: "New York" },
    { key: "Rank:", value: "Rear Admiral" },
  ]);
});

describe("an e-invoice", () => {
  const xml = `<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="r" xmlns:ram="a" xmlns:udt="u">
    <rsm:ExchangedDocument><ram:ID>R-1</ram:ID><ram:IssueDateTime><udt:DateTimeString>20240305</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
    <rsm:SupplyChainTradeTransaction>
      <ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:Name>Drill</ram:Name></ram:SpecifiedTradeProduct>
        <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>50.00</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
        <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity>2</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
        <ram:SpecifiedLineTradeSettlement><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>100.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
      </ram:IncludedSupplyChainTradeLineItem>
      <ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Kraxi GmbH</ram:Name></ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Papier KG</ram:Name></ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement>
      <ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
        <ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">19.00</ram:TaxTotalAmount><ram:GrandTotalAmount>119.00</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
      </ram:ApplicableHeaderTradeSettlement>
    </rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;

  it("is taken from its embedded data, and the page is checked against it", () => {
    const { data, checks } = extractFields(
      page([[0.1, 0.1, "Rechnung Nr. R-2"]], { embeddedFiles: [{ name: "factur-x.xml", text: xml }] }),
    );
    expect(data).toMatchObject({
      invoice_number: "R-1",
      issue_date: "2024-03-05",
      currency: "EUR",
      net_total: 100,
      tax_total: 19,
      grand_total: 119,
      seller: { name: "Kraxi GmbH" },
      buyer: { name: "Papier KG" },
      lines: [{ description: "Drill", quantity: 2, unit_price: 50, total: 100 }],
    });
    expect(checks).toContainEqual(expect.objectContaining({ name: "page_agrees_on_invoice_number", passed: false }));
  });

  it("that declares a document type is not believed", () => {
    const hostile = xml.replace('<?xml version="1.0"?>', '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>');
    const { data } = extractFields(
      page([[0.1, 0.1, "Rechnung Nr. R-2"]], { embeddedFiles: [{ name: "factur-x.xml", text: hostile }] }),
      "invoice",
    );
    expect(data.invoice_number).toBe("R-2");
  });
});

describe("an invoice that is XML alone", () => {
  it("in UBL is read", () => {
    const text = `<Invoice xmlns="urn:x" xmlns:cbc="c" xmlns:cac="a"><cbc:ID>U-9</cbc:ID><cbc:IssueDate>2024-02-01</cbc:IssueDate><cbc:DueDate>2024-03-02</cbc:DueDate><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
      <cac:OrderReference><cbc:ID>PO-1</cbc:ID></cac:OrderReference>
      <cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Trade name</cbc:Name></cac:PartyName><cac:PostalAddress><cbc:StreetName>Kade 1</cbc:StreetName><cbc:CityName>Gent</cbc:CityName><cbc:PostalZone>9000</cbc:PostalZone></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>BE0403019261</cbc:CompanyID></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Seller NV</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
      <cac:AccountingCustomerParty><cac:Party><cac:PartyLegalEntity><cbc:RegistrationName>Buyer BV</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingCustomerParty>
      <cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:ID>BE68539007547034</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
      <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">2.10</cbc:TaxAmount></cac:TaxTotal>
      <cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount>10.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount>12.10</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal>
      <cac:InvoiceLine><cbc:InvoicedQuantity>2</cbc:InvoicedQuantity><cbc:LineExtensionAmount>10.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Pen</cbc:Name></cac:Item><cac:Price><cbc:PriceAmount>5.00</cbc:PriceAmount></cac:Price></cac:InvoiceLine></Invoice>`;
    const { data } = extractFields(page([], { format: "xml", embeddedFiles: [{ name: "invoice.xml", text }] }));
    expect(data).toMatchObject({
      document_type: "invoice",
      invoice_number: "U-9",
      due_date: "2024-03-02",
      purchase_order: "PO-1",
      iban: "BE68539007547034",
      seller: { name: "Seller NV", address: "Kade 1, 9000 Gent", vat_id: "BE0403019261" },
      buyer: { name: "Buyer BV" },
      net_total: 10,
      tax_total: 2.1,
      grand_total: 12.1,
      lines: [{ description: "Pen", quantity: 2, unit_price: 5, total: 10 }],
    });
  });

  it("in FatturaPA is read", () => {
    const text = `<p:FatturaElettronica xmlns:p="x"><FatturaElettronicaHeader><CedentePrestatore><DatiAnagrafici><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>01234567890</IdCodice></IdFiscaleIVA><Anagrafica><Denominazione>Alfa Srl</Denominazione></Anagrafica></DatiAnagrafici><Sede><Indirizzo>Via Roma</Indirizzo><NumeroCivico>1</NumeroCivico><CAP>20100</CAP><Comune>Milano</Comune></Sede></CedentePrestatore><CessionarioCommittente><DatiAnagrafici><Anagrafica><Nome>Ada</Nome><Cognome>Rossi</Cognome></Anagrafica></DatiAnagrafici></CessionarioCommittente></FatturaElettronicaHeader>
      <FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento><Divisa>EUR</Divisa><Data>2024-01-09</Data><Numero>12/A</Numero></DatiGeneraliDocumento></DatiGenerali><DatiBeniServizi><DettaglioLinee><Descrizione>Consulenza</Descrizione><Quantita>1.00</Quantita><PrezzoUnitario>100.00</PrezzoUnitario><PrezzoTotale>100.00</PrezzoTotale></DettaglioLinee><DatiRiepilogo><ImponibileImporto>100.00</ImponibileImporto><Imposta>22.00</Imposta></DatiRiepilogo></DatiBeniServizi></FatturaElettronicaBody></p:FatturaElettronica>`;
    const { data } = extractFields(page([], { format: "xml", embeddedFiles: [{ name: "invoice.xml", text }] }));
    expect(data).toMatchObject({
      invoice_number: "12/A",
      issue_date: "2024-01-09",
      seller: { name: "Alfa Srl", address: "Via Roma 1, 20100 Milano", vat_id: "IT01234567890" },
      buyer: { name: "Ada Rossi" },
      net_total: 100,
      tax_total: 22,
      grand_total: 122,
    });
  });
});

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
    const { data } = extractFields(page(lines), "invoice");
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
      page([
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

  it("recognised without the dots of its sender line still has its buyer under it", () => {
    const { data } = extractFields(
      page(
        [
          [0.6, 0.05, "Harbor Print Shop LLC"],
          [0.66, 0.065, "1420 Oak Street"],
          [0.08, 0.14, "HarborPrintShopLLC1420OakStreetBoise,Idaho83702"],
          [0.08, 0.155, "Sunset Web Design"],
          [0.08, 0.17, "Co."],
          [0.08, 0.185, "P.O. Box 4410"],
          [0.08, 0.2, "Austin, TX 78701"],
          [0.6, 0.22, "Invoice # 5512"],
          [0.6, 0.3, "Total"],
          [0.8, 0.3, "$120.00"],
        ],
        {},
        "ocr",
      ),
      "invoice",
    );
    expect(data).toMatchObject({
      seller: { name: "Harbor Print Shop LLC" },
      buyer: { name: "Sunset Web Design Co." },
      purchase_order: null,
    });
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
    const first = page([...header(0.3), ...item(0.32, "Grifo"), [0.08, 0.335, "Forma de pago: transferencia"]]);
    const second = page([...header(0.05), ...item(0.07, "Cable"), [0.6, 0.12, "Total"], [0.8, 0.12, "40,00"]]);
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
      page([
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
      tax_total: 31,
      grand_total: 231,
    });
  });

  it("with an IBAN of the wrong length is not sure of it", () => {
    const { fields } = extractFields(
      page([
        [0.08, 0.05, "Invoice no. 4711"],
        [0.08, 0.3, "IBAN: NL30 INGB 4138 9519"],
      ]),
      "invoice",
    );
    expect(fields.iban!.confidence).toBeLessThan(0.7);
  });
});

describe("a form without colons", () => {
  const { data } = extractFields(
    page([
      [0.3, 0.05, "INSPECTION REPORT"],
      [0.08, 0.1, "MARKET Lakeland Metro"],
      [0.5, 0.1, "DATE3/17/82"],
      [0.08, 0.14, "LOT CODE"],
      [0.4, 0.14, "RECEIPT DATE"],
      [0.08, 0.155, "B73"],
      [0.4, 0.155, "May 27, 1982"],
      [0.08, 0.2, "Facility:"],
      [0.2, 0.2, "Fuller Company"],
      [0.08, 0.24, "EXPLOSIVE"],
      [0.2, 0.24, "FLAMMABLE"],
      [0.08, 0.28, "COMMENTS:"],
      [0.2, 0.28, "(Condition of the copy)"],
    ]),
    "form",
  );

  it("has the answer behind a heading in capitals, below one, and behind a colon whatever it reads like", () => {
    expect(data.pairs).toEqual([
      { key: "MARKET", value: "Lakeland Metro" },
      { key: "DATE", value: "3/17/82" },
      { key: "LOT CODE", value: "B73" },
      { key: "RECEIPT DATE", value: "May 27, 1982" },
      { key: "Facility:", value: "Fuller Company" },
    ]);
  });
});
