import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

describe("a receipt", () => {
  const receipt = textPage(
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

describe("a receipt from elsewhere", () => {
  const receipt = (head: readonly string[], rows: readonly (readonly [string, string])[]) =>
    extractFields(
      textPage([
        ...head.map((text, index): [number, number, string] => [0.3, 0.05 + index * 0.02, text]),
        ...rows.flatMap(([text, amount], index): [number, number, string][] => [
          [0.1, 0.3 + index * 0.02, text],
          [0.8, 0.3 + index * 0.02, amount],
        ]),
      ]),
      "receipt",
    ).data;

  it.each([
    ["Bageri Ros", "Storgatan 14", "111 51 Stockholm", "Momsreg.nr 556677889901", "Kvitto 65407 Kassa 2"],
    ["Bakkerij Smit", "Kerkstraat 5", "3511 KT Utrecht", "BTW-nr. 812345678", "Kassabon 92026 Kassa 4"],
    ["Kwiaciarnia Róża", "ul. Długa 15/3", "80-831 Gdańsk", "NIP 5861234567", "PARAGON FISKALNY 20268 Kasa 1"],
    ["Trattoria da Gino", "Corso Umberto I, 88", "80138 Napoli", "P. IVA 01234567890", "Scontrino 5512 Cassa 1"],
    ["Café Imperial", "Travessa do Carmo 9", "3000-050 Coimbra", "NIF 512345678", "Fatura simplificada 36449 Caixa 2"],
    ["GREEN LEAF MARKET", "3/21 Collins Street", "Melbourne VIC 3000", "Tel: 03 9123 4567", "Receipt 4411 Till 3"],
  ])("has the address of %s in its street and town", (company, street, town, ...rest) => {
    const data = receipt([company, street, town, ...rest], [["Total", "12.50"]]);
    expect(data).toMatchObject({ company, address: `${street} ${town}` });
  });

  it.each([
    ["SUMA PLN", "Gotówka", "Reszta"],
    ["SUMMA", "Kontant", "Växel"],
    ["Do zapłaty", "Gotówka", "Reszta"],
    ["Att betala", "Kontant", "Tillbaka"],
    ["Celkem", "Hotovost", "Vráceno"],
  ])("takes what stands behind %s, not what was handed over", (total, cash, change) => {
    const rows: [string, string][] = [
      ["Kawa", "18,15"],
      ["Chleb", "40,00"],
      [total, "58,15"],
      [cash, "70,00"],
      [change, "11,85"],
    ];
    expect(receipt(["Kawiarnia"], rows).total).toBe(58.15);
  });
});

it("what Spain calls a simplified invoice is a receipt", () => {
  const slip = textPage([
    [0.3, 0.05, "Cafetería La Plaza S.L."],
    [0.3, 0.07, "Plaza Mayor 3"],
    [0.3, 0.09, "40001 Segovia"],
    [0.1, 0.13, "Factura simplificada 2023/8812"],
    [0.1, 0.15, "15/08/2023 13:22"],
    [0.1, 0.2, "2 Café con leche"],
    [0.8, 0.2, "3,60"],
    [0.1, 0.22, "1 Bocadillo jamón"],
    [0.8, 0.22, "6,80"],
    [0.1, 0.24, "Base imponible"],
    [0.8, 0.24, "9,45"],
    [0.1, 0.26, "IVA 10%"],
    [0.8, 0.26, "0,95"],
    [0.1, 0.28, "TOTAL"],
    [0.8, 0.28, "10,40"],
    [0.1, 0.3, "Efectivo"],
    [0.8, 0.3, "20,00"],
    [0.1, 0.32, "Cambio"],
    [0.8, 0.32, "9,60"],
  ]);
  expect(extractFields(slip)).toMatchObject({ document_type: "receipt", data: { total: 10.4, date: "2023-08-15" } });
});

it("a bank statement's movements are checked against its running balance", () => {
  const statement = textPage([
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
  expect(checks).toMatchObject([
    { name: "running_balance", passed: true },
    { name: "closing_balance", passed: true },
  ]);
});

it("a statement with signed amounts in one column and dates without a year is read too", () => {
  const statement = textPage([
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
  const form = textPage([
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

it("a question of a form may fill three lines", () => {
  const { data } = extractFields(
    textPage([
      [0.1, 0.1, "NUMBER OF"],
      [0.1, 0.115, "SAMPLING"],
      [0.1, 0.13, "PERSONNEL:"],
      [0.3, 0.13, "24 per day"],
      [0.1, 0.2, "Place:"],
      [0.3, 0.2, "Boston"],
    ]),
    "form",
  );
  expect(data.pairs).toEqual([
    { key: "NUMBER OF SAMPLING PERSONNEL:", value: "24 per day" },
    { key: "Place:", value: "Boston" },
  ]);
});

it("a colon within a sentence asks nothing, and a town with its postcode is an answer", () => {
  const { data } = extractFields(
    textPage([
      [0.1, 0.1, "Quotation To:"],
      [0.3, 0.1, "Lorillard"],
      [0.1, 0.14, "New York, NY 10016"],
      [0.4, 0.14, "4854-5"],
      [0.1, 0.18, "Buyer:"],
      [0.3, 0.18, "Toumey"],
      [0.1, 0.22, "Place:"],
      [0.3, 0.22, "Boston"],
      [0.1, 0.3, "Scope: all parts of the study, including the: final report"],
    ]),
    "form",
  );
  expect((data.pairs as { key: string }[]).map(({ key }) => key)).toEqual([
    "Quotation To:",
    "Buyer:",
    "Place:",
    "Scope:",
  ]);
});

it("headings of a list, titles and headings beside headings ask for nothing", () => {
  const { data } = extractFields(
    textPage([
      [0.1, 0.1, "PURCHASE ORDER"],
      [0.1, 0.13, "Maple Court HOA"],
      [0.6, 0.1, "PO Number: 2026-118"],
      [0.1, 0.2, "VENDOR"],
      [0.3, 0.2, "SHIP TO"],
      [0.1, 0.3, "Date"],
      [0.3, 0.3, "Due date"],
      [0.1, 0.4, "Description"],
      [0.3, 0.4, "Quantity"],
      [0.5, 0.4, "Unit price"],
    ]),
  );
  expect(data.pairs).toEqual([{ key: "PO Number:", value: "2026-118" }]);
});

describe("a form without colons", () => {
  const { data } = extractFields(
    textPage([
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

it("a statement's account is its IBAN when no label says so", () => {
  const { data } = extractFields(
    textPage([
      [0.08, 0.05, "Banco do Norte"],
      [0.08, 0.09, "Conta à ordem n/ PT50 0002 0123 1234 5678 9015 4"],
      [0.08, 0.2, "Data"],
      [0.2, 0.2, "Descrição"],
      [0.7, 0.2, "Montante"],
      [0.88, 0.2, "Saldo"],
      [0.08, 0.22, "02/01/2024"],
      [0.2, 0.22, "Renda"],
      [0.69, 0.22, "-500,00"],
      [0.87, 0.22, "1.140,50"],
    ]),
    "bank_statement",
  );
  expect(data.account_number).toBe("PT50000201231234567890154");
});
