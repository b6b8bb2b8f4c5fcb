import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

describe("a till receipt", () => {
  const { data } = extractFields(
    textPage([
      [0.3, 0.05, "Wiener Kaffeehaus KG"],
      [0.3, 0.07, "Hauptplatz 8"],
      [0.3, 0.09, "1070 Wien"],
      [0.1, 0.14, "12.03.2024 10:22"],
      [0.1, 0.2, "Melange"],
      [0.1, 0.22, "2 x 4,20"],
      [0.8, 0.22, "8,40"],
      [0.1, 0.24, "Mineralwasser 0,33 l"],
      [0.8, 0.24, "3,10"],
      [0.1, 0.28, "SUMME EUR"],
      [0.8, 0.28, "11,50"],
      [0.1, 0.3, "BAR"],
      [0.8, 0.3, "20,00"],
      [0.1, 0.32, "RÜCKGELD"],
      [0.8, 0.32, "8,50"],
      [0.1, 0.36, "MwSt 20 %"],
      [0.5, 0.36, "7,00"],
      [0.8, 0.36, "1,40"],
      [0.1, 0.38, "MwSt 10 %"],
      [0.5, 0.38, "2,82"],
      [0.8, 0.38, "0,28"],
    ]),
    "receipt",
  );

  it("has its lines with quantity and price, names with their measures", () => {
    expect(data.lines).toEqual([
      { description: "Melange", quantity: 2, unit_price: 4.2, total: 8.4 },
      { description: "Mineralwasser 0,33 l", quantity: 1, unit_price: 3.1, total: 3.1 },
    ]);
  });

  it("has the tax by rates, and its currency", () => {
    expect(data).toMatchObject({
      total: 11.5,
      currency: "EUR",
      tax_breakdown: [
        { rate: 20, base: 7, tax: 1.4 },
        { rate: 10, base: 2.82, tax: 0.28 },
      ],
    });
  });
});

it("a bill that counts before each name has quantities and prices", () => {
  const { data } = extractFields(
    textPage([
      [0.3, 0.05, "The Copper Kettle"],
      [0.1, 0.2, "2 Alaskan Cod @27.50"],
      [0.8, 0.2, "55.00"],
      [0.1, 0.22, "1 Side Salad"],
      [0.8, 0.22, "8.50"],
      [0.1, 0.28, "TOTAL"],
      [0.8, 0.28, "63.50"],
    ]),
    "receipt",
  );
  expect(data.lines).toEqual([
    { description: "Alaskan Cod", quantity: 2, unit_price: 27.5, total: 55 },
    { description: "Side Salad", quantity: 1, unit_price: 8.5, total: 8.5 },
  ]);
});

describe("a bank statement", () => {
  const head: [number, number, string][] = [
    [0.08, 0.05, "Volksbank Nordheide eG"],
    [0.08, 0.08, "Kontoinhaber: Petra Lindner"],
    [0.08, 0.1, "IBAN: DE89 3704 0044 0532 0130 00"],
    [0.08, 0.12, "Zeitraum: 01.04.2025 - 30.04.2025"],
    [0.6, 0.16, "Alter Kontostand: 1.000,00"],
    [0.08, 0.2, "Buchungstag"],
    [0.3, 0.2, "Verwendungszweck"],
    [0.8, 0.2, "Betrag"],
  ];

  it("carries dates down, reads signs, and takes no balance carried forward for a movement", () => {
    const { data, checks } = extractFields(
      textPage([
        ...head,
        [0.08, 0.22, "03.04.2025"],
        [0.3, 0.22, "Miete"],
        [0.8, 0.22, "-400,00"],
        [0.3, 0.24, "Gehalt"],
        [0.8, 0.24, "+1.500,00"],
        [0.3, 0.26, "Übertrag"],
        [0.8, 0.26, "2.100,00"],
        [0.08, 0.28, "09.04.2025"],
        [0.3, 0.28, "Strom"],
        [0.8, 0.28, "-100,00"],
        [0.6, 0.32, "Neuer Kontostand: 2.000,00"],
      ]),
      "bank_statement",
    );
    expect(data.transactions).toEqual([
      { date: "2025-04-03", description: "Miete", debit: 400, credit: null, balance: null },
      { date: "2025-04-03", description: "Gehalt", debit: null, credit: 1500, balance: null },
      { date: "2025-04-09", description: "Strom", debit: 100, credit: null, balance: null },
    ]);
    expect(data).toMatchObject({ opening_balance: 1000, closing_balance: 2000 });
    expect(checks).toMatchObject([{ name: "closing_balance", passed: true }]);
  });

  it("whose movements do not lead to its end says so, and is less sure of it", () => {
    const rows: [number, number, string][] = [
      [0.08, 0.22, "03.04.2025"],
      [0.3, 0.22, "Miete"],
      [0.8, 0.22, "-400,00"],
    ];
    const read = (end: string) =>
      extractFields(textPage([...head, ...rows, [0.6, 0.32, `Neuer Kontostand: ${end}`]]), "bank_statement");
    const bad = read("700,00");
    expect(bad.checks).toMatchObject([{ name: "closing_balance", passed: false }]);
    expect(bad.confidence).toBeLessThan(read("600,00").confidence);
    expect(bad.fields.closing_balance!.confidence).toBeLessThan(0.7);
  });

  it("with headings over two rows carries a date down to the next movement", () => {
    const { data } = extractFields(
      textPage([
        [0.08, 0.05, "Pennine & Dales Bank"],
        [0.08, 0.08, "1 to 31 January 2026"],
        [0.08, 0.1, "Sort code 20-45-77 Account number 53310987"],
        [0.58, 0.2, "Paid out"],
        [0.72, 0.2, "Paid in"],
        [0.85, 0.2, "Balance"],
        [0.08, 0.215, "Date"],
        [0.2, 0.215, "Description"],
        [0.6, 0.215, "(£)"],
        [0.74, 0.215, "(£)"],
        [0.87, 0.215, "(£)"],
        [0.08, 0.24, "9 Jan"],
        [0.2, 0.24, "Bettys"],
        [0.6, 0.24, "27.45"],
        [0.86, 0.24, "576.45"],
        [0.2, 0.26, "Northern Rail"],
        [0.6, 0.26, "14.60"],
        [0.86, 0.26, "561.85"],
      ]),
      "bank_statement",
    );
    expect(data).toMatchObject({
      account_number: "53310987",
      transactions: [
        { date: "2026-01-09", description: "Bettys", debit: 27.45, balance: 576.45 },
        { date: "2026-01-09", description: "Northern Rail", debit: 14.6, balance: 561.85 },
      ],
    });
  });

  it("in forints has whole amounts", () => {
    const { data } = extractFields(
      textPage([
        [0.08, 0.05, "Tiszai Bank Nyrt."],
        [0.08, 0.1, "IBAN: HU42 1177 3016 1111 1018 0000 0000"],
        [0.08, 0.12, "Időszak: 2025.04.01. - 2025.04.30."],
        [0.08, 0.2, "Dátum"],
        [0.3, 0.2, "Leírás"],
        [0.6, 0.2, "Terhelés"],
        [0.75, 0.2, "Jóváírás"],
        [0.9, 0.2, "Egyenleg"],
        [0.08, 0.22, "2025.04.03."],
        [0.3, 0.22, "Lakbér"],
        [0.6, 0.22, "120 000"],
        [0.9, 0.22, "380 500"],
      ]),
      "bank_statement",
    );
    expect(data.transactions).toEqual([
      { date: "2025-04-03", description: "Lakbér", debit: 120000, credit: null, balance: 380500 },
    ]);
  });
});

describe("a slip from Australia on a sheet of A4, whose total was misread", () => {
  const slip = [
    "BILLABONG HARDWARE",
    "221 Anzac Parade",
    "Kensington NSW 2033",
    "TAX INVOICE #884213",
    "03 Mar 2025 09:17",
    "Galv screws 500pk   $18.95",
    "Timber pine 2.4m   $34.20",
    "Sandpaper asst   $7.85",
    "TOIAI lnc GST   $61.00",
    "GST   $5.55",
    "EFTPOS   $61.00",
    "CHANGE   $0.00",
  ];
  const { data, document_type } = extractFields(
    textPage(
      slip.flatMap((text, index) => {
        const [name, amount] = text.split("   ");
        const top = 0.1 + index * 0.02;
        return amount ? [[0.1, top, name!] as const, [0.36, top, amount] as const] : [[0.1, top, name!] as const];
      }),
    ),
  );

  it("is a receipt, and its total is what its lines give", () => {
    expect({ document_type, ...data }).toMatchObject({ document_type: "receipt", total: 61, date: "2025-03-03" });
  });
});

it("what is counted on a row of its own belongs to the name over it or under it, whichever it multiplies to", () => {
  const slip = (rows: [string, string][]): unknown[] =>
    extractFields(
      textPage([
        [0.3, 0.05, "Ängby Järn & Färg AB"],
        ...rows.flatMap(([name, amount], index): [number, number, string][] => [
          [0.1, 0.2 + index * 0.02, name],
          ...(amount ? [[0.8, 0.2 + index * 0.02, amount] as [number, number, string]] : []),
        ]),
        [0.1, 0.4, "Att betala SEK"],
        [0.8, 0.4, "547,00"],
      ]),
      "receipt",
    ).data.lines as unknown[];
  const wanted = [
    { description: "Lasyr brun 3 l", quantity: 1, unit_price: 389, total: 389 },
    { description: "Pensel 70 mm", quantity: 2, unit_price: 79, total: 158 },
  ];
  const lacquer: [string, string] = ["Lasyr brun 3 l", "389,00"];
  const brush: [string, string] = ["Pensel 70 mm", "158,00"];
  expect(slip([lacquer, brush, ["2 st x 79,00", ""]])).toEqual(wanted);
  expect(slip([lacquer, ["2 x 79,00", ""], brush])).toEqual(wanted);
});

it("a statement may print the month before the day, in a column that is not the first", () => {
  const row = (top: number, text: string, paid: string, day: string, balance: string): [number, number, string][] => [
    [0.08, top, text],
    [0.5, top, paid],
    [0.68, top, day],
    [0.82, top, balance],
  ];
  const { data } = extractFields(
    textPage([
      [0.08, 0.05, "Statement period Jan 1, 2026 to Jan 31, 2026"],
      [0.08, 0.08, "Opening balance"],
      [0.82, 0.08, "1,000.00"],
      ...row(0.12, "Description", "Withdrawals", "Date", "Balance"),
      ...row(0.14, "GROCER #1234", "54.23", "JAN03", "945.77"),
      ...row(0.16, "POWER COMPANY", "89.90", "Jan 05", "855.87"),
    ]),
    "bank_statement",
  );
  expect(data.transactions).toMatchObject([
    { date: "2026-01-03", debit: 54.23 },
    { date: "2026-01-05", debit: 89.9 },
  ]);
});

it("a name in letters of any script is whole", () => {
  const { data } = extractFields(
    textPage([
      [0.3, 0.03, "Καφέ Αύρα"],
      [0.3, 0.05, "Ερμού 12, 105 63 Αθήνα"],
      [0.08, 0.1, "Σύνολο"],
      [0.6, 0.1, "4,20 €"],
    ]),
    "receipt",
  );
  expect(data.company).toBe("Καφέ Αύρα");
});

it("amounts of a full row of a statement are told apart by their order, and sums under the movements are none", () => {
  const { data } = extractFields(
    textPage([
      [0.1, 0.05, "Bank Wiślany S.A."],
      [0.1, 0.1, "Wyciąg z rachunku"],
      [0.1, 0.15, "Saldo początkowe:"],
      [0.4, 0.15, "3150,42"],
      [0.1, 0.2, "Data operacji"],
      [0.3, 0.2, "Opis operacji"],
      [0.55, 0.2, "Kwota"],
      [0.76, 0.2, "Saldo po operacji"],
      [0.1, 0.23, "2026-03-10"],
      [0.3, 0.23, "Wynagrodzenie"],
      [0.69, 0.23, "5400,00"],
      [0.89, 0.23, "8550,42"],
      [0.1, 0.26, "2026-03-16"],
      [0.3, 0.26, "Apteka"],
      [0.69, 0.26, "-73,50"],
      [0.89, 0.26, "8476,92"],
      [0.3, 0.29, "Razem"],
      [0.69, 0.29, "5326,50"],
    ]),
    "bank_statement",
  );
  expect(data.transactions).toEqual([
    { date: "2026-03-10", description: "Wynagrodzenie", debit: null, credit: 5400, balance: 8550.42 },
    { date: "2026-03-16", description: "Apteka", debit: 73.5, credit: null, balance: 8476.92 },
  ]);
});

describe("a slip of a small shop", () => {
  const read = (...lines: [number, number, string][]): Record<string, unknown> =>
    extractFields(
      textPage([[0.3, 0.05, "Kestrel Hardware Ltd"], [0.3, 0.07, "41 Bridge Street, Hexham NE46 3NR"], ...lines]),
      "receipt",
    ).data;

  it("says in brackets or in a column how many there were, and sizes are no numbers of things", () => {
    const { lines } = read(
      [0.1, 0.2, "Americano (2x)"],
      [0.8, 0.2, "7.00"],
      [0.1, 0.22, "Wood screws 4X40"],
      [0.6, 0.22, "3"],
      [0.8, 0.22, "7.98"],
      [0.1, 0.24, "Paint brush"],
      [0.8, 0.24, "4.49"],
      [0.1, 0.28, "TOTAL"],
      [0.8, 0.28, "19.47"],
    );
    expect(lines).toMatchObject([
      { description: "Americano", quantity: 2, total: 7 },
      { description: "Wood screws 4X40", quantity: 3, total: 7.98 },
      { description: "Paint brush", quantity: 1, total: 4.49 },
    ]);
  });

  it("has an address that ends before the date and the number of the order", () => {
    const { address } = read(
      [0.1, 0.09, "Date 28/03/2025"],
      [0.6, 0.09, "Order # 0003-01"],
      [0.1, 0.2, "Lager pint"],
      [0.8, 0.2, "13.00"],
      [0.1, 0.28, "TOTAL"],
      [0.8, 0.28, "13.00"],
    );
    expect(address).toBe("41 Bridge Street, Hexham NE46 3NR");
  });
});

describe("a slip of a layout nobody here drew", () => {
  const read = (...rows: [number, number, string][]) => extractFields(textPage(rows, {}, "ocr"), "receipt").data;

  it("has the name under its title and its stars, an address to its last short word, and no word before it", () => {
    const data = read(
      [0.4, 0.05, "Official receipt"],
      [0.38, 0.07, "*****************"],
      [0.41, 0.09, "Elm Street Diner"],
      [0.28, 0.11, "Adresse: 41 Mill Road, Albany"],
      [0.372, 0.125, "Harbour"],
      [0.4, 0.15, "Tel: 555 0119 22"],
      [0.1, 0.2, "Omelette"],
      [0.4, 0.2, "13.50"],
      [0.1, 0.28, "TOTAL"],
      [0.4, 0.28, "13.50"],
    );
    expect(data).toMatchObject({ company: "Elm Street Diner", address: "41 Mill Road, Albany Harbour" });
  });

  it("keeps the letters behind a legal form that end in a dot", () => {
    const rows: [number, number, string][] = [
      [0.2, 0.05, "Akua Chemists Limited GH."],
      [0.2, 0.07, "Plot 7 Ring Road East, Accra"],
      [0.1, 0.2, "Tablets"],
      [0.4, 0.2, "13.50"],
    ];
    expect(read(...rows).company).toBe("Akua Chemists Limited GH.");
  });

  it("says how many there were over the amount; what a colon or the word for a sum stands before is not bought", () => {
    const { lines } = read(
      [0.1, 0.05, "Corner Cafe"],
      [0.1, 0.2, "2x Pancakes"],
      [0.4, 0.22, "$23.00"],
      [0.1, 0.24, "1x Coffee"],
      [0.4, 0.26, "$3.75"],
      [0.1, 0.28, "Tips: USD 2.00"],
      [0.1, 0.3, "Grand total"],
      [0.4, 0.32, "$28.75"],
    );
    expect(lines).toMatchObject([
      { description: "Pancakes", quantity: 2, total: 23 },
      { description: "Coffee", quantity: 1, total: 3.75 },
    ]);
  });
});
