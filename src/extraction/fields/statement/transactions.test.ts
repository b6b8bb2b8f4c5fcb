import { describe, expect, it } from "vitest";
import { textPage } from "../../../../tests/support/text-page.ts";
import { extractFields } from "../extract-fields.ts";

/** Rows of cells under each other; an empty row leaves a gap. */
const rows = (cells: readonly (readonly string[])[], from = 0.2): [number, number, string][] =>
  cells.flatMap((row, index) =>
    row.flatMap((text, at): [number, number, string][] =>
      text ? [[[0.05, 0.2, 0.5, 0.68, 0.85][at]!, from + index * 0.03, text]] : [],
    ),
  );
const read = (head: string, cells: readonly (readonly string[])[]) =>
  extractFields(textPage([[0.05, 0.04, "Pennine Bank"], [0.05, 0.1, head], ...rows(cells)]), "bank_statement").data;

describe("the direction of a movement", () => {
  it("is a letter or a word in a cell beside an unsigned amount", () => {
    for (const [out, into] of [
      ["Af", "Bij"],
      ["S", "H"],
      ["D", "C"],
      ["-", "+"],
    ])
      expect(
        read("Period 01/07/2024 - 31/07/2024", [
          ["Datum", "Omschrijving", "Bedrag"],
          ["02/07/2024", "Colruyt", "58,40", out!],
          ["14/07/2024", "Storting", "450,00", into!],
        ]).transactions,
      ).toMatchObject([
        { description: "Colruyt", debit: 58.4 },
        { description: "Storting", credit: 450 },
      ]);
  });

  it("is debit where only credits are marked, with a blank or without one", () => {
    const { transactions } = read("1 May 2024 - 31 May 2024", [
      ["Date", "Details", "Amount"],
      ["02 May", "Coles", "71.20"],
      ["15 May", "Salary", "1,200.00Cr"],
      ["20 May", "Transfer", "200.00"],
    ]);
    expect(transactions).toMatchObject([{ debit: 71.2 }, { credit: 1200 }, { debit: 200 }]);
  });

  it("is its sign under a heading that names both", () => {
    const { transactions } = read("Kontoauszug vom 01.12.2023 bis 31.12.2023", [
      ["Buchung", "Buchungstext", "Ausgang / Eingang EUR"],
      ["04.12.", "Bankomat", "-80,00"],
      ["15.12.", "Gehalt", "1.870,00"],
      ["", "Kontostand am 31.12.2023", "1.600,00"],
    ]);
    expect(transactions).toMatchObject([{ debit: 80 }, { credit: 1870 }]);
  });

  it("is said by the heading over it, and sums under it are no movements", () => {
    const { transactions } = read("Relevé de compte du 1 au 31 mars 2024", [
      ["Virements reçus"],
      ["Date", "Libellé", "Montant"],
      ["05/03", "CAF", "152,00"],
      ["", "Total des virements reçus", "152,00"],
      ["Paiements par carte"],
      ["Date", "Libellé", "Montant"],
      ["02/03", "Carrefour", "380,00"],
      ["", "Totaux", "380,00"],
    ]);
    expect(transactions).toMatchObject([
      { date: "2024-03-05", credit: 152 },
      { date: "2024-03-02", debit: 380 },
    ]);
  });

  it("is said by English headings, and balances of days are no movements", () => {
    const { transactions } = read("March 01, 2024 through March 29, 2024", [
      ["Deposits and Additions"],
      ["Date", "Description", "Amount"],
      ["03/05", "Payroll", "2,900.00"],
      ["Total Deposits and Additions", "", "2,900.00"],
      ["Checks Paid"],
      ["Check no.", "Date paid", "Amount"],
      ["1042", "03/06", "1,200.00"],
      ["Daily Ending Balance"],
      ["03/05", "", "5,210.55"],
      ["03/06", "", "4,010.55"],
    ]);
    expect(transactions).toMatchObject([{ credit: 2900 }, { debit: 1200 }]);
  });
});

describe("a movement", () => {
  it("may be a transfer that is called like what is carried over", () => {
    const { transactions } = read("Kontoauszug 01.09.2024 - 30.09.2024", [
      ["Datum", "Text", "Belastung", "Gutschrift", "Saldo"],
      ["01.09.2024", "Saldovortrag", "", "", "8120.40"],
      ["03.09.2024", "Übertrag auf Sparkonto", "1000.00", "", "7120.40"],
      ["", "Übertrag", "1000.00", "", "7120.40"],
      ["25.09.2024", "Übertrag", "", "300.00", "7420.40"],
    ]);
    expect(transactions).toMatchObject([{ debit: 1000 }, { credit: 300 }]);
  });

  it("without a year has that of the period, also where it was booked before it", () => {
    const { transactions } = read("12 December 2023 to 11 January 2024", [
      ["Date", "Details", "Amount"],
      ["11 Dec", "Card", "-5.00"],
      ["29 Dec", "Salary", "2,100.00"],
      ["02 Jan", "Rent", "-850.00"],
    ]);
    expect(transactions).toMatchObject([{ date: "2023-12-11" }, { date: "2023-12-29" }, { date: "2024-01-02" }]);
  });
});

describe("a list of movements", () => {
  it("may owe the bank, which a letter behind the balance says", () => {
    const { transactions } = read("28 September to 27 October 2024", [
      ["Date", "Details", "£ Paid out", "£ Paid in", "£ Balance"],
      ["30 Sep 24", "Water", "60.00", "", "60.00"],
      ["", "Asda", "110.00", "", "50.00 D"],
      ["15 Oct 24", "Benefit", "", "400.00", "350.00"],
    ]);
    expect(transactions).toMatchObject([
      { debit: 60, balance: 60 },
      { date: "2024-09-30", debit: 110, balance: -50 },
      { credit: 400, balance: 350 },
    ]);
  });

  it("may have headings of three lines", () => {
    const line = (at: number, y: number, text: string): [number, number, string] => [at, y, text];
    const { transactions } = extractFields(
      textPage([
        line(0.05, 0.04, "Prairie Bank"),
        line(0.05, 0.1, "March 1, 2024 to March 31, 2024"),
        ...["Date", "Description"].map((text, at) => line(0.05 + at * 0.15, 0.2, text)),
        line(0.5, 0.2, "Deposits/"),
        line(0.65, 0.2, "Withdrawals/"),
        line(0.85, 0.2, "Ending"),
        line(0.5, 0.212, "Additions"),
        line(0.65, 0.212, "Subtractions"),
        line(0.85, 0.212, "daily"),
        line(0.85, 0.224, "balance"),
        ...rows(
          [
            ["3/4", "Groceries", "", "60.45", "941.65"],
            ["3/8", "Payroll", "2,500.00", "", "3,441.65"],
          ],
          0.25,
        ),
      ]),
      "bank_statement",
    ).data;
    expect(transactions).toMatchObject([
      { debit: 60.45, balance: 941.65 },
      { credit: 2500, balance: 3441.65 },
    ]);
  });

  it("may stand beside another one", () => {
    const { transactions } = read("Statement Period 06/01/2024 - 06/30/2024", [
      ["CHECKS"],
      ["Date", "Check", "Amount", "Date", "Amount"],
      ["06/05", "3301", "200.00", "06/11", "75.25"],
      ["06/07", "3302", "150.00", "06/18", "1,000.00"],
    ]);
    expect(transactions).toMatchObject([
      { date: "2024-06-05", debit: 200 },
      { date: "2024-06-11", debit: 75.25 },
      { date: "2024-06-07", debit: 150 },
      { date: "2024-06-18", debit: 1000 },
    ]);
  });

  it("of a card has payments below nought under the heading of credits", () => {
    const { transactions } = read("Billing period 02/11/2024 - 03/10/2024", [
      ["PAYMENTS AND OTHER CREDITS"],
      ["Date", "Description", "$ Amount"],
      ["02/28", "Payment", "-620.00"],
      ["PURCHASES"],
      ["Date", "Description", "$ Amount"],
      ["02/14", "Store", "114.70"],
    ]);
    expect(transactions).toMatchObject([{ credit: 620 }, { debit: 114.7 }]);
  });

  it("ends where something else begins, and writes months first beside dates that do", () => {
    const { transactions } = read("2024-06-01 a 2024-06-30", [
      ["Data", "Descritivo", "Montante"],
      ["06-03", "Compra", "-45,10"],
      [],
      [],
      ["", "Resumo"],
      ["", "Pagamentos", "45,10"],
    ]);
    expect(transactions).toMatchObject([{ date: "2024-06-03", debit: 45.1 }]);
  });

  it("takes no day for an amount, and no balance or sums of both columns for a movement", () => {
    const { transactions } = read("Periode 31.05.2024 - 30.06.2024", [
      ["Dato", "Tekst", "Hævet", "Indsat", "Saldo"],
      ["31.05", "Saldo fra forrige", "", "", "4.210,00"],
      ["03.06", "Netto", "215,50", "", "3.994,50"],
      ["28.06", "Løn", "", "450,00", "4.444,50"],
      ["", "Bevægelser", "215,50", "450,00", ""],
      ["30.06", "Totali", "215,50", "450,00", ""],
    ]);
    expect(transactions).toMatchObject([{ debit: 215.5 }, { credit: 450 }]);
  });

  it("has its balance under whatever ends in the word for one", () => {
    const { transactions } = read("Statement Period: 04/01/24 thru 04/30/24", [
      ["Post Date", "Description", "Amount", "New Balance"],
      ["04/02", "Withdrawal", "45.10-", "767.30"],
      ["04/12", "Deposit", "2,010.00", "2,777.30"],
    ]);
    expect(transactions).toMatchObject([
      { debit: 45.1, balance: 767.3 },
      { credit: 2010, balance: 2777.3 },
    ]);
  });
});

it("two headings a blank apart are two columns", () => {
  const { transactions } = extractFields(
    textPage([
      [0.05, 0.04, "Pennine Bank"],
      [0.05, 0.1, "Kontoauszug vom 01.10.2026 bis 31.10.2026"],
      [0.05, 0.2, "Bu.Tag Wert"],
      [0.2, 0.2, "Wir haben für Sie gebucht"],
      [0.66, 0.2, "Belastung in EUR"],
      [0.8, 0.2, "Gutschrift in EUR"],
      [0.05, 0.23, "02.10. Dauerauftrag"],
      [0.72, 0.23, "890,00"],
      [0.05, 0.26, "05.10. Zahlungseingang"],
      [0.85, 0.26, "1.547,00"],
    ]),
    "bank_statement",
  ).data;
  expect(transactions).toMatchObject([{ debit: 890 }, { credit: 1547 }]);
});

it("days may have their year first where the period says so", () => {
  const { transactions } = read("IDŐSZAK: 2026.10.01. - 2026.10.31.", [
    ["KÖNYVELÉS", "MEGNEVEZÉS", "ÖSSZEG"],
    ["26.10.01", "ÁTUTALÁS", "-185.000"],
    ["26.10.06", "JÓVÁÍRÁS", "317.500"],
  ]);
  expect(transactions).toMatchObject([{ date: "2026-10-01" }, { date: "2026-10-06" }]);
});

it("francs grouped by blanks are amounts, and balances without their words are read from the list", () => {
  const { transactions, opening_balance, closing_balance } = read("Kontoauszug 01.09.2026 - 30.09.2026 CHF", [
    ["Datum", "Text", "Gutschrift", "Lastschrift", "Saldo"],
    ["31.08.26", "Kontostand", "", "", "8 120.55"],
    ["02.09.26", "Miete", "", "1 450.00", "6 670.55"],
    ["07.09.26", "Gutschrift", "2 154.00", "", "8 824.55"],
  ]);
  expect(transactions).toMatchObject([
    { debit: 1450, balance: 6670.55 },
    { credit: 2154, balance: 8824.55 },
  ]);
  expect([opening_balance, closing_balance]).toEqual([8120.55, 8824.55]);
});

it("a holder's name ends where the next label begins", () => {
  const { account_holder } = read("Client: INSTAL PRO MURESAN SRL CUI: RO38114720", [
    ["Data", "Descriere", "Debit", "Credit"],
    ["01/10/2026", "Plata", "2,975.00"],
  ]);
  expect(account_holder).toBe("INSTAL PRO MURESAN SRL");
});

it("a balance with a day and an hour is no movement, and neither is the sum of both columns", () => {
  const { transactions, closing_balance } = read("IBAN CH93 0076 2011 6238 5295 7 CHF", [
    ["Datum", "Informationen", "Belastungen", "Gutschriften", "Saldo"],
    ["01.06.2026", "Anfangssaldo", "", "", "10'250.00"],
    ["02.06.2026", "Vergütung", "", "1'500.00", "11'750.00"],
    ["25.06.2026", "Dienstleistungspreis", "30.00", "", "11'720.00"],
    ["", "Kontostand am 30.06.2026 um 20:02 Uhr", "", "", "11'720.00"],
    ["", "Umsatztotal", "30.00", "1'500.00"],
  ]);
  expect(transactions).toMatchObject([{ credit: 1500 }, { debit: 30 }]);
  expect(closing_balance).toBe(11720);
});

it("an amount and a balance may share one run of headings", () => {
  const { transactions } = extractFields(
    textPage([
      [0.05, 0.04, "Pennine Bank"],
      [0.05, 0.2, "Data"],
      [0.2, 0.2, "Opis operacji"],
      [0.7, 0.2, "Kwota"],
      [0.75, 0.2, "Saldo po operacji"],
      [0.05, 0.23, "2026-02-03"],
      [0.2, 0.23, "Zakup"],
      [0.69, 0.23, "-248,99"],
      [0.83, 0.23, "751,01"],
      [0.05, 0.26, "2026-02-10"],
      [0.2, 0.26, "Przelew"],
      [0.69, 0.26, "4 500,00"],
      [0.83, 0.26, "5 251,01"],
    ]),
    "bank_statement",
  ).data;
  expect(transactions).toMatchObject([
    { debit: 248.99, balance: 751.01 },
    { credit: 4500, balance: 5251.01 },
  ]);
});
