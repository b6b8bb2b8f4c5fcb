import { describe, expect, it } from "vitest";
import { textPage } from "../../../../tests/support/text-page.ts";
import { extractFields } from "../extract-fields.ts";

type Line = [number, number, string];
const table: Line[] = [
  [0.05, 0.3, "Datum"],
  [0.2, 0.3, "Omschrijving"],
  [0.7, 0.3, "Bedrag"],
  [0.05, 0.32, "02-07-2024"],
  [0.2, 0.32, "Rabobank verhuizing NL12 RABO 0123 4567 89"],
  [0.7, 0.32, "-58,40"],
];
const read = (lines: Line[]) => extractFields(textPage([...lines, ...table]), "bank_statement").data;

describe("who keeps an account and whose it is", () => {
  it("the bank of a page without a sign is the one that its foot registers", () => {
    const { bank } = read([
      [0.05, 0.1, "Dhr. J. van Dalen"],
      [0.05, 0.115, "Kerkstraat 18"],
      [0.05, 0.13, "3511 LX Utrecht"],
      [0.05, 0.9, "Polder Bank N.V. is statutair gevestigd te Amsterdam, KvK 33031431."],
    ]);
    expect(bank).toBe("Polder Bank N.V.");
  });

  it("the holder may stand in one run of text with its label, and headings of movements are no names", () => {
    expect(
      read([
        [0.05, 0.04, "Säntis Bank"],
        [0.05, 0.28, "Kontoinhaber Beat Ammann"],
      ]).account_holder,
    ).toBe("Beat Ammann");
  });

  it("the service for customers holds no account, and neither does a title over an address", () => {
    expect(
      read([
        [0.6, 0.04, "Granite Bank"],
        [0.6, 0.08, "Customer service: 1.800.555.0114"],
        [0.6, 0.095, "granite.example"],
        [0.05, 0.12, "STATEMENT"],
        [0.05, 0.14, "Naledi Dlamini"],
        [0.05, 0.155, "12 Protea Street"],
        [0.05, 0.17, "Cape Town"],
      ]).account_holder,
    ).toBe("Naledi Dlamini");
  });

  it("the account is its IBAN where a local number is printed too, and none of those among the movements", () => {
    expect(
      read([
        [0.05, 0.04, "Volksbank Nordheide eG"],
        [0.6, 0.1, "Kontonummer 1234567800"],
        [0.6, 0.12, "IBAN DE89 3704 0044 0532 0130 00"],
      ]).account_number,
    ).toBe("DE89370400440532013000");
    expect(read([[0.05, 0.1, "Rekening 1234567800"]]).account_number).toBe("1234567800");
  });
});

it("a period may leave its month to the second day", () => {
  for (const text of ["Relevé de compte du 1er au 30 juin 2024", "1 t/m 30 juni 2024", "1. - 30. Juni 2024"])
    expect(read([[0.05, 0.1, text]]), text).toMatchObject({ period_start: "2024-06-01", period_end: "2024-06-30" });
});

it.each(["1204.33.11882", "762.011.623-52", "19-2000145399/0800", "0371 114 882 K"])("%s is an account", (account) => {
  expect(read([[0.05, 0.1, `Konto ${account}`]]).account_number).toBe(account);
});

describe("the balances of a statement", () => {
  it("are amounts and no counts", () => {
    const { closing_balance } = read([
      [0.05, 0.2, "Ending Balance"],
      [0.4, 0.2, "8"],
      [0.7, 0.2, "3.837,06"],
    ]);
    expect(closing_balance).toBe(3837.06);
  });

  it("may stand before their labels, where the last column is that of the words", () => {
    const { opening_balance, closing_balance, transactions } = extractFields(
      textPage([
        ...["Data", "Uscite", "Entrate", "Descrizione"].map((text, at): Line => [0.05 + at * 0.2, 0.2, text]),
        [0.45, 0.22, "5.210,00"],
        [0.65, 0.22, "Saldo iniziale"],
        [0.05, 0.24, "05.04.2024"],
        [0.25, 0.24, "310,00"],
        [0.65, 0.24, "Pagamento F24"],
        [0.25, 0.26, "310,00"],
        [0.65, 0.26, "Totali"],
        [0.45, 0.28, "4.900,00"],
        [0.65, 0.28, "Saldo finale"],
      ]),
      "bank_statement",
    ).data;
    expect({ opening_balance, closing_balance }).toEqual({ opening_balance: 5210, closing_balance: 4900 });
    expect(transactions).toMatchObject([{ debit: 310 }]);
  });
});

describe("an account of what is owed", () => {
  const kindOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
    extractFields(
      textPage([
        [0.05, 0.05, "Statement"],
        ...[head, ...rows].flatMap((row, index) =>
          row.flatMap((text, at): Line[] => (text ? [[0.05 + at * 0.18, 0.2 + index * 0.03, text]] : [])),
        ),
      ]),
    ).document_type;

  it("by a dentist has charges and is that of a supplier", () => {
    expect(
      kindOf(
        ["Date", "Description", "Charges", "Payments", "Balance"],
        [
          ["05/02/2024", "Payment", "", "85.00", "0.00"],
          ["06/11/2024", "Cleaning", "92.00", "", "92.00"],
          ["06/21/2024", "Insurance", "", "60.00", "32.00"],
        ],
      ),
    ).toBe("supplier_statement");
  });

  it("by a shop moves by invoices, where a bank's moves by anything", () => {
    const head = ["Date", "Details", "Debit", "Credit", "Balance"];
    const rows = (text: string) => [
      ["03/05/2024", text, "420.00", "", "730.00"],
      ["14/05/2024", "Payment", "", "310.00", "420.00"],
      ["28/05/2024", text, "95.50", "", "515.50"],
    ];
    expect(kindOf(head, rows("Invoice"))).toBe("supplier_statement");
    expect(kindOf(head, rows("Card"))).toBe("bank_statement");
  });
});

it("a bank that begins like a column of credits has a name, and its own address is not the holder's", () => {
  const { bank, account_holder } = read([
    [0.05, 0.04, "CRÉDIT AGRICOLE"],
    [0.05, 0.055, "ATLANTIQUE VENDÉE"],
    [0.6, 0.055, "Date d'arrêté : 31 Mars 2026"],
    [0.55, 0.1, "MME ROUSSEL CAMILLE"],
    [0.55, 0.115, "6 RUE DES CARMES"],
    [0.55, 0.13, "44000 NANTES"],
  ]);
  expect([bank, account_holder]).toEqual(["CRÉDIT AGRICOLE", "MME ROUSSEL CAMILLE"]);
  expect(
    read([
      [0.05, 0.04, "CHASE"],
      [0.05, 0.06, "JPMorgan Chase Bank, N.A."],
      [0.05, 0.075, "P O Box 182051"],
      [0.05, 0.09, "Columbus, OH 43218"],
      [0.05, 0.15, "ROBERT MILLS"],
      [0.05, 0.165, "77 ELM ST"],
      [0.05, 0.18, "AUSTIN TX 78701"],
    ]).account_holder,
  ).toBe("ROBERT MILLS");
});
