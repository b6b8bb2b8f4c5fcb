import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

describe("a statement of a bank", () => {
  const rows: [number, number, string][] = [
    [0.08, 0.2, "Date"],
    [0.3, 0.2, "Description"],
    [0.6, 0.2, "Debit"],
    [0.72, 0.2, "Credit"],
    [0.85, 0.2, "Balance"],
    [0.08, 0.22, "21 Sep 2024"],
    [0.3, 0.22, "Salary"],
    [0.72, 0.22, "600.00"],
    [0.85, 0.22, "1,600.00"],
    [0.08, 0.24, "23 Sep 2024"],
    [0.3, 0.24, "Rent"],
    [0.6, 0.24, "500.00"],
    [0.85, 0.24, "1,100.00"],
  ];
  const read = (head: [number, number, string][]) => extractFields(textPage([...head, ...rows]), "bank_statement").data;

  it("has the bank's name without the title behind it, and the holder over the address", () => {
    expect(
      read([
        [0.08, 0.04, "Pennine Bank Statement"],
        [0.08, 0.08, "Olivia Hargreaves"],
        [0.08, 0.1, "14 Linden Grove"],
        [0.08, 0.12, "Leeds LS6 2AB"],
        [0.08, 0.16, "Balance on 20 Sep 2024:"],
        [0.4, 0.16, "1,000.00"],
      ]),
    ).toMatchObject({ bank: "Pennine Bank", account_holder: "Olivia Hargreaves", opening_balance: 1000 });
  });

  it("without the name of a bank takes no heading for one", () => {
    expect(
      read([
        [0.08, 0.04, "ACCOUNT STATEMENT"],
        [0.08, 0.1, "Account Name"],
        [0.3, 0.1, "Chidi Okafor"],
        [0.08, 0.16, "Transactions"],
      ]).bank,
    ).toBeNull();
  });

  it("whose newest movement stands first ends with that one", () => {
    const { data } = extractFields(
      textPage([
        [0.08, 0.04, "Pennine Bank"],
        [0.08, 0.08, "Hedgerow Studio Ltd"],
        [0.08, 0.1, "5 Canal Street"],
        [0.08, 0.115, "Leeds"],
        [0.08, 0.13, "LS11 5PS"],
        [0.08, 0.16, "£3,118.40"],
        [0.3, 0.16, "Closing balance"],
        ...(["28/04/2026|HMRC|-1,200.00|3,118.40", "14/04/2026|Arden|2,400.00|4,318.40"].flatMap((row, index) =>
          row.split("|").map((text, at) => [[0.08, 0.3, 0.6, 0.85][at]!, 0.22 + index * 0.02, text]),
        ) as [number, number, string][]),
        [0.08, 0.2, "Date"],
        [0.3, 0.2, "Description"],
        [0.6, 0.2, "Amount"],
        [0.85, 0.2, "Balance"],
        [0.08, 0.28, "Closing balance £3,118.40"],
      ]),
      "bank_statement",
    );
    expect(data).toMatchObject({
      account_holder: "Hedgerow Studio Ltd",
      closing_balance: 3118.4,
      transactions: [{ debit: 1200 }, { credit: 2400 }],
    });
  });

  it("takes the years of its movements from the dates of its balances, and tells debits by the end of a heading", () => {
    const { data } = extractFields(
      textPage([
        [0.08, 0.04, "Banque du Val"],
        [0.08, 0.2, "Date"],
        [0.3, 0.2, "Libellé"],
        [0.6, 0.2, "Montant débit"],
        [0.8, 0.2, "Montant crédit"],
        [0.3, 0.22, "Ancien solde au 31.05.2025"],
        [0.8, 0.22, "204,18"],
        [0.08, 0.24, "03.06"],
        [0.3, 0.24, "Prlv EDF"],
        [0.6, 0.24, "84,20"],
        [0.3, 0.26, "Total des opérations"],
        [0.6, 0.26, "84,20"],
        [0.3, 0.28, "Nouveau solde au 30.06.2025"],
        [0.8, 0.28, "119,98"],
      ]),
      "bank_statement",
    );
    expect(data.transactions).toEqual([
      { date: "2025-06-03", description: "Prlv EDF", debit: 84.2, credit: null, balance: null },
    ]);
  });

  it("has a recognised balance of a thousand, whose first digit is no part of its label", () => {
    const { data } = extractFields(
      textPage(
        [
          [0.08, 0.04, "Harbour Bank"],
          [0.08, 0.3, "Beginning Balance: $1,000.00"],
        ],
        {},
        "ocr",
      ),
      "bank_statement",
    );
    expect(data.opening_balance).toBe(1000);
  });

  it("has the sum under its movements as its end and as no movement", () => {
    const { data } = extractFields(
      textPage([
        [0.08, 0.04, "HARBOUR BANK"],
        [0.08, 0.2, "Date"],
        [0.3, 0.2, "Description"],
        [0.8, 0.2, "Amount"],
        [0.08, 0.22, "2024-08-01"],
        [0.3, 0.22, "Deposit"],
        [0.8, 0.22, "$1,000.00"],
        [0.08, 0.24, "2024-08-05"],
        [0.3, 0.24, "Withdrawal"],
        [0.8, 0.24, "-$200.00"],
        [0.08, 0.26, "Total Balance:"],
        [0.8, 0.26, "$800.00"],
      ]),
      "bank_statement",
    );
    expect(data.transactions).toHaveLength(2);
    expect(data.closing_balance).toBe(800);
  });
});

it("a heading beside that of the holder is no name, and headings of a table are no bank", () => {
  const { account_holder, bank } = extractFields(
    textPage([
      [0.08, 0.04, "Account holder"],
      [0.5, 0.04, "Account details"],
      [0.08, 0.06, "Name:"],
      [0.2, 0.06, "Northgate Tools Inc"],
      [0.08, 0.1, "Before"],
      [0.3, 0.1, "After"],
      [0.5, 0.1, "Kind"],
      [0.7, 0.1, "Remark"],
    ]),
    "bank_statement",
  ).data;
  expect(account_holder).toBe("Northgate Tools Inc");
  expect(bank).toBeNull();
});

describe("the movements of a statement", () => {
  const read = (lines: [number, number, string][]) => extractFields(textPage(lines), "bank_statement").data;

  it("may be of whole amounts, with a word for the direction in a cell of its own", () => {
    const { transactions, closing_balance, period_start } = read([
      [0.08, 0.04, "Relevé bancaire"],
      [0.08, 0.06, "Date du relevé: 2021-11-10"],
      [0.08, 0.08, "Solde: 14500"],
      [0.08, 0.12, "Date"],
      [0.3, 0.12, "Type"],
      [0.5, 0.12, "Description"],
      [0.8, 0.12, "Montant"],
      [0.08, 0.14, "2021-11-01"],
      [0.3, 0.14, "CREDIT"],
      [0.5, 0.14, "Espèces"],
      [0.8, 0.14, "9000"],
      [0.08, 0.16, "2021-11-03"],
      [0.3, 0.16, "DEBIT"],
      [0.5, 0.16, "Chèque"],
      [0.8, 0.16, "3400"],
    ]);
    expect(transactions).toMatchObject([{ credit: 9000 }, { debit: 3400 }]);
    expect(closing_balance).toBe(14500);
    expect(period_start).toBeNull();
  });

  it("may have their day on the row above, and days without a year that are no amounts", () => {
    const { transactions } = read([
      [0.08, 0.04, "Kontoauszug vom 01.05.2023 bis 31.05.2023"],
      [0.08, 0.08, "Bu-Tag"],
      [0.3, 0.08, "Vorgang"],
      [0.8, 0.08, "Betrag"],
      [0.08, 0.1, "03.05. 30.04. Storno"],
      [0.8, 0.1, "13,44 S"],
      [0.08, 0.12, "04.05.2023"],
      [0.3, 0.14, "Gutschrift Lohn"],
      [0.8, 0.14, "1.200,00 H"],
    ]);
    expect(transactions).toMatchObject([
      { date: "2023-05-03", debit: 13.44 },
      { date: "2023-05-04", credit: 1200 },
    ]);
  });

  it("lead to a balance whose label stands on two rows", () => {
    const { closing_balance } = read([
      [0.08, 0.04, "Pennine Bank"],
      [0.3, 0.08, "Closing"],
      [0.3, 0.1, "balance"],
      [0.3, 0.12, "1,100.00"],
      [0.6, 0.08, "Fees"],
      [0.6, 0.12, "3.00"],
      [0.08, 0.2, "Date"],
      [0.3, 0.2, "Description"],
      [0.8, 0.2, "Amount"],
      [0.08, 0.22, "21 Sep 2024"],
      [0.3, 0.22, "Salary"],
      [0.8, 0.22, "600.00"],
    ]);
    expect(closing_balance).toBe(1100);
  });
});

describe("what is a statement of a bank", () => {
  const rows = (cells: readonly (readonly string[])[]): [number, number, string][] =>
    cells.flatMap((row, index) =>
      row.flatMap((text, at): [number, number, string][] =>
        text ? [[0.05 + at * 0.18, 0.2 + index * 0.03, text]] : [],
      ),
    );
  const table = rows([
    ["Transaction ID", "Value Date", "Details", "Amount", "Balance"],
    ["TXN1", "01/11/2025", "Payment to Arka", "5,000.00 DR", "125,000.00"],
    ["TXN2", "04/11/2025", "Receipt inv 221", "18,250.00 CR", "143,250.00"],
    ["TXN3", "09/11/2025", "Tax", "7,410.00 DR", "135,840.00"],
  ]);

  it("is told by its running balance, also where it is a picture and calls itself nothing", () => {
    const found = extractFields(textPage([[0.05, 0.05, "Arka Bank Limited"], ...table], {}, "ocr"));
    expect(found.document_type).toBe("bank_statement");
    expect(found.data.transactions).toMatchObject([{ debit: 5000 }, { credit: 18250 }, { debit: 7410 }]);
  });

  it("may have the ends of its period apart, and noughts in the column that an amount is not in", () => {
    const { period_start, period_end, transactions } = extractFields(
      textPage([
        [0.05, 0.05, "Soner Bank Limited"],
        [0.05, 0.08, "From Date:"],
        [0.23, 0.08, "12-Aug-2025"],
        [0.41, 0.08, "To Date:"],
        [0.59, 0.08, "20-Aug-2025"],
        ...rows([
          ["Date", "Particulars", "Debit", "Credit", "Balance"],
          ["12-Aug-2025", "Transfer", "0.00", "350.00", "2,760.00"],
          ["14-Aug-2025", "Cheque", "640.00", "0.00", "2,120.00"],
        ]),
      ]),
      "bank_statement",
    ).data;
    expect([period_start, period_end]).toEqual(["2025-08-12", "2025-08-20"]);
    expect(transactions).toMatchObject([{ credit: 350 }, { debit: 640 }]);
  });
});
