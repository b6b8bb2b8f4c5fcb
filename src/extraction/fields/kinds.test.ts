import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { extractFields } from "./extract-fields.ts";

const goods: [number, number, string][] = [
  [0.08, 0.3, "Description"],
  [0.5, 0.3, "Qty"],
  [0.65, 0.3, "Unit price"],
  [0.8, 0.3, "Amount"],
  [0.08, 0.32, "Riesling 0,75 l"],
  [0.5, 0.32, "3"],
  [0.65, 0.32, "10,00"],
  [0.8, 0.32, "30,00"],
  [0.08, 0.34, "10% on seats, annual plan"],
  [0.5, 0.34, "2"],
  [0.65, 0.34, "45,00"],
  [0.8, 0.34, "90,00"],
];
const party: [number, number, string][] = [
  [0.08, 0.05, "Alpenholz GmbH"],
  [0.08, 0.065, "Hauptplatz 8"],
  [0.08, 0.08, "8010 Graz"],
];
const titled = (title: string, ...more: [number, number, string][]) => {
  const page = textPage([[0.5, 0.12, title], ...party, ...more]);
  const [head, ...rest] = page.pages[0]!.lines;
  const large = { ...head!, box: [0.5, 0.12, 0.85, 0.15] as const, isBold: true };
  return { ...page, pages: [{ ...page.pages[0]!, lines: [large, ...rest] }] };
};

describe("what kind of document it is", () => {
  it.each([
    ["CREDIT NOTE CN-17", "credit_note"],
    ["Gutschrift 4711", "credit_note"],
    ["PURCHASE ORDER", "purchase_order"],
    ["Bestellung", "purchase_order"],
    ["QUOTATION", "quote"],
    ["Kostenvoranschlag", "quote"],
    ["DELIVERY NOTE", "delivery_note"],
    ["Lieferschein", "delivery_note"],
    ["PAYSLIP", "payslip"],
    ["Bulletin de paie", "payslip"],
    ["PAYMENT REMINDER", "reminder"],
    ["Mahnung", "reminder"],
  ])("%s is a %s and no invoice", (title, type) => {
    const found = extractFields(titled(title, ...(type === "payslip" || type === "reminder" ? [] : goods)));
    expect(found.document_type).toBe(type);
    if (type !== "credit_note") expect(found.data).toHaveProperty("pairs");
  });

  it("a payslip without its title is known by its words, though its sums add up", () => {
    const found = extractFields(
      textPage([
        [0.08, 0.05, "Alder Ltd"],
        [0.08, 0.1, "Employee name: Iris Bell"],
        [0.6, 0.1, "Pay date: 05/04/2024"],
        [0.08, 0.2, "Basic salary"],
        [0.4, 0.2, "2,000.00"],
        [0.08, 0.22, "Total deductions"],
        [0.4, 0.22, "400.00"],
        [0.08, 0.24, "Net pay"],
        [0.4, 0.24, "1,600.00"],
      ]),
    );
    expect(found.document_type).toBe("payslip");
  });

  it("a reminder that repeats its invoice with rows, numbers and sums is no invoice", () => {
    const found = extractFields(
      titled(
        "Payment reminder",
        [0.08, 0.2, "Invoice no."],
        [0.3, 0.2, "R-311"],
        [0.08, 0.22, "Due date"],
        [0.3, 0.22, "02.04.2024"],
        ...goods,
        [0.65, 0.4, "Net total"],
        [0.8, 0.4, "120,00"],
        [0.65, 0.42, "VAT 20%"],
        [0.8, 0.42, "24,00"],
        [0.65, 0.44, "Total"],
        [0.8, 0.44, "144,00"],
      ),
    );
    expect(found.document_type).toBe("reminder");
  });

  it.each(["Curriculum vitae", "Preisliste", "BOARDING PASS", "Invoice aging"])(
    "%s is none of the known kinds",
    (title) => {
      expect(["document", "form"]).toContain(extractFields(titled(title, ...goods)).document_type);
    },
  );

  it("a statement with the age of what is owed is a supplier's and no bank's", () => {
    const found = extractFields(
      textPage([
        [0.08, 0.05, "Statement"],
        [0.08, 0.1, "Date"],
        [0.25, 0.1, "Description"],
        [0.5, 0.1, "Charges"],
        [0.65, 0.1, "Payments"],
        [0.8, 0.1, "Balance"],
        [0.08, 0.13, "05/09/2024"],
        [0.25, 0.13, "Invoice 4471"],
        [0.5, 0.13, "$380.00"],
        [0.8, 0.13, "$590.00"],
        [0.08, 0.16, "05/20/2024"],
        [0.25, 0.16, "Payment received"],
        [0.65, 0.16, "$210.00"],
        [0.8, 0.16, "$380.00"],
        [0.08, 0.3, "1-30 days"],
        [0.25, 0.3, "31-60 days"],
        [0.5, 0.3, "Over 60 days"],
      ]),
    );
    expect(found.document_type).toBe("supplier_statement");
  });

  it("a sheet of rows and sums that names itself no bill is none", () => {
    const found = extractFields(
      textPage([[0.08, 0.05, "Quantities sold in May"], ...goods, [0.65, 0.4, "Sales total"], [0.8, 0.4, "120,00"]]),
    );
    expect(["document", "form"]).toContain(found.document_type);
  });

  it("the order of a workshop on a slip stays a receipt", () => {
    const slip = textPage([
      [0.35, 0.1, "ORDER FORM"],
      [0.35, 0.05, "Taller Ruiz"],
      ...Array.from({ length: 12 }, (_, index): [number, number, string] => [
        0.35,
        0.15 + index * 0.03,
        `Part ${index}`,
      ]),
      [0.35, 0.6, "Total"],
      [0.5, 0.6, "$ 48.00"],
      [0.35, 0.63, "Cash"],
      [0.5, 0.63, "$ 50.00"],
      [0.35, 0.66, "Change"],
      [0.5, 0.66, "$ 2.00"],
    ]);
    expect(extractFields(slip).document_type).toBe("receipt");
  });

  it("a menu among the dishes of a slip does not make it one", () => {
    const found = extractFields(
      textPage([
        [0.3, 0.02, "Bistro Lune"],
        [0.3, 0.1, "Receipt 118"],
        [0.3, 0.3, "Menu"],
        [0.5, 0.3, "12.50"],
        [0.3, 0.32, "Total"],
        [0.5, 0.32, "12.50"],
        [0.3, 0.34, "Cash"],
        [0.5, 0.34, "20.00"],
        [0.3, 0.36, "Change"],
        [0.5, 0.36, "7.50"],
      ]),
    );
    expect(found.document_type).toBe("receipt");
  });

  it("a credit note keeps the signs it prints", () => {
    const found = extractFields(titled("CREDIT NOTE CN-17", [0.6, 0.5, "Total"], [0.8, 0.5, "-120,00 €"]));
    expect(found).toMatchObject({ document_type: "credit_note", data: { grand_total: -120 } });
  });

  it("an XML with the type code 381 is a credit note", () => {
    const text = `<Invoice><ID>C1</ID><InvoiceTypeCode>381</InvoiceTypeCode><IssueDate>2024-01-02</IssueDate></Invoice>`;
    const found = extractFields(textPage([], { embeddedFiles: [{ name: "a.xml", text }] }));
    expect(found.document_type).toBe("credit_note");
  });
});

describe("descriptions", () => {
  it("keep their measures and rates", () => {
    const { data } = extractFields(titled("Rechnung 4711", ...goods), "invoice");
    expect((data.lines as { description: string }[]).map(({ description }) => description)).toEqual([
      "Riesling 0,75 l",
      "10% on seats, annual plan",
    ]);
  });
});

describe("a form", () => {
  it("has its checkboxes with their state", () => {
    const { data } = extractFields(
      textPage([
        [0.08, 0.1, "Newsletter: ☒ Yes ☐ No"],
        [0.08, 0.14, "[x] I agree to the terms"],
        [0.08, 0.16, "[ ] Send me a copy"],
      ]),
      "form",
    );
    expect(data.checkboxes).toEqual([
      { label: "Yes", checked: true },
      { label: "No", checked: false },
      { label: "I agree to the terms", checked: true },
      { label: "Send me a copy", checked: false },
    ]);
  });

  it("has the answers of two questions side by side", () => {
    const rows = [
      ["Vehicle", "KX21 OPL", "Mileage", "48,210"],
      ["Driver", "Tomasz Wrona", "Fuel level", "3/4"],
      ["Depot", "Swindon East", "Keys returned", "2"],
    ];
    const lefts = [0.1, 0.3, 0.5, 0.7];
    const page = textPage(
      rows.flatMap((row, at) => row.map((text, column) => [lefts[column]!, 0.1 + at * 0.03, text] as const)),
    );
    expect(extractFields(page, "form").data.pairs).toEqual(
      rows.flatMap(([one, first, two, second]) => [
        { key: one, value: first },
        { key: two, value: second },
      ]),
    );
  });

  it("has what is large or bold under its caption for an answer", () => {
    const page = textPage([
      [0.1, 0.1, "Seat"],
      [0.4, 0.1, "Way of travel"],
      [0.7, 0.1, "Boarding group"],
      [0.1, 0.115, "10A"],
      [0.4, 0.115, "Ferry"],
      [0.7, 0.115, "West"],
    ]);
    const bold = page.pages[0]!.lines.map((line) => ({ ...line, isBold: line.box[1] > 0.11 }));
    expect(extractFields({ ...page, pages: [{ ...page.pages[0]!, lines: bold }] }, "form").data.pairs).toEqual([
      { key: "Seat", value: "10A" },
      { key: "Way of travel", value: "Ferry" },
      { key: "Boarding group", value: "West" },
    ]);
  });

  it("has what a colon begins for an answer of the words before it", () => {
    const page = textPage([
      [0.1, 0.1, "Wingspan"],
      [0.3, 0.1, ": 36 m"],
    ]);
    expect(extractFields(page, "form").data.pairs).toEqual([{ key: "Wingspan", value: "36 m" }]);
  });

  it("has a table that goes on over the page as one table, its heading once, with a box for each cell", () => {
    const cell = (text: string, left: number, top: number) => ({
      text,
      box: [left, top, left + 0.2, top + 0.01] as const,
    });
    const part = (page: number, top: number, names: string[], count = "Count") => ({
      page,
      box: [0.1, top, 0.9, top + 0.2] as const,
      isStated: true,
      rows: [["Name", count], ...names.map((name) => [name, "1"])].map((row, index) =>
        row.map((text, column) => cell(text, 0.1 + column * 0.4, top + index * 0.02)),
      ),
    });
    const page = textPage([[0.1, 0.1, "x"]]).pages[0]!;
    const { data, fields } = extractFields(
      {
        ...textPage([]),
        pages: [page, { ...page, number: 2 }],
        tables: [part(1, 0.7, ["a", "b"]), part(2, 0.05, ["c"], "Coun t")],
      },
      "document",
    );
    expect(data.tables).toEqual([
      {
        page: 1,
        rows: [
          ["Name", "Count"],
          ["a", "1"],
          ["b", "1"],
          ["c", "1"],
        ],
      },
    ]);
    expect(fields["tables[0]"]!.cells).toHaveLength(4);
  });
});

describe("a table", () => {
  const lefts = [0.1, 0.3, 0.5];
  const cellsOf = (rows: readonly (readonly string[])[]) => rows.map((row) => row.map((text) => ({ text, box: null })));
  const rows = [
    ["Station", "Depth m", "Temp"],
    ["ST-1", "5", "13.9"],
    ["ST-2", "10", "13.8"],
    ["ST-3", "15", "13.7"],
  ];
  const lines = rows.flatMap((row, at) => row.map((text, column) => [lefts[column]!, 0.2 + at * 0.02, text] as const));
  const tablesOf = (document: ReturnType<typeof textPage>) =>
    (extractFields(document, "document").data.tables as { rows: string[][] }[]).map((table) => table.rows);

  it("does not begin with the end of the paragraph over it, and may count in fives", () => {
    const page = textPage([[0.1, 0.18, "as they came into use."], ...lines], {
      tables: [
        {
          page: 1,
          box: [0.1, 0.18, 0.6, 0.28],
          isStated: false,
          rows: cellsOf([["as they", "came into use.", ""], ...rows]),
        },
      ],
    });
    expect(tablesOf(page)).toEqual([rows]);
  });

  it("has the row of words right over its columns for a heading where the file's layout leaves it out", () => {
    const page = textPage(lines, {
      tables: [{ page: 1, box: [0.1, 0.219, 0.6, 0.28], isStated: false, rows: cellsOf(rows.slice(1)) }],
    });
    const cells = rows.slice(1).map((row, at) =>
      row.map((text, column) => ({
        text,
        box: [lefts[column]!, 0.22 + at * 0.02, lefts[column]! + 0.06, 0.23 + at * 0.02] as const,
      })),
    );
    expect(tablesOf({ ...page, tables: [{ ...page.tables[0]!, rows: cells }] })).toEqual([rows]);
  });

  it("is found by the lines between its rows where the file's layout states none", () => {
    const page = textPage(lines);
    const rulings = rows.map((_, at) => ({ from: [0.1, 0.215 + at * 0.02], to: [0.6, 0.215 + at * 0.02] }) as const);
    expect(tablesOf(page)).toEqual([]);
    expect(tablesOf({ ...page, pages: [{ ...page.pages[0]!, rulings }] })).toEqual([rows]);
  });
});

it("a photographed invoice as wide as a sheet is no receipt, whatever the shape of the picture", () => {
  const sheet = textPage(
    [
      [0.7, 0.05, "Invoice #: 20417"],
      [0.7, 0.07, "Created: March 18, 2025"],
      [0.05, 0.1, "Heron Web Studio, Inc."],
      [0.7, 0.1, "Okoye Dental"],
      [0.05, 0.2, "Item"],
      [0.9, 0.2, "Price"],
      [0.05, 0.23, "Website redesign"],
      [0.9, 0.23, "$2,850.00"],
      [0.05, 0.26, "Hosting"],
      [0.9, 0.26, "$216.00"],
      [0.8, 0.3, "Total: $3,066.00"],
    ],
    {},
    "ocr",
  );
  expect(extractFields(sheet).document_type).toBe("invoice");
});

it("a page that asks for many things is a form, with a sum or without one, and a receipt with a number is none", () => {
  const asks = [
    "Agency",
    "Date",
    "Brand",
    "Medium",
    "Description",
    "Period",
    "Budget",
    "Approved by",
    "Division",
    "Status",
  ];
  const page = textPage(
    [
      ...asks.map((text, index): [number, number, string] => [index % 2 === 0 ? 0.08 : 0.85, 0.1 + index * 0.03, text]),
      [0.08, 0.5, "TOTAL"],
      [0.6, 0.5, "28,880.00"],
    ],
    {},
    "ocr",
  );
  expect(extractFields(page).document_type).toBe("form");
  const receipt = titled(
    "DOCUMENTO COMMERCIALE",
    ...goods,
    [0.6, 0.4, "Totale"],
    [0.8, 0.4, "120,00"],
    [0.08, 0.5, "Documento N. 4711"],
  );
  expect(extractFields(receipt).document_type).toBe("receipt");
});
