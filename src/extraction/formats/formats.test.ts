import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { textPage } from "../../../tests/support/text-page.ts";
import { parseXml } from "../reading/xml-tree.ts";
import type { Report } from "./flatten.ts";
import { readingOrder } from "./reading-order.ts";
import { writeFormat } from "./write-format.ts";

const fileOf = async (...wanted: Parameters<typeof writeFormat>) => (await writeFormat(...wanted)).bytes;

const report: Report = {
  id: "ext_1",
  status: "completed",
  confidence: 0.93,
  document_type: "invoice",
  warnings: ['Check "totals_add_up" failed: 1 + 1 is not 3'],
  data: {
    document_type: "invoice",
    invoice_number: '=HYPERLINK("http://x","pay")',
    issue_date: "2024-03-05",
    seller: { name: "A & B <Ltd>", "1 odd key": "x\u0001y" },
    grand_total: -5,
    lines: [
      { description: "=1+1", quantity: 1, unit_price: 5, total: 5 },
      { description: 'say "hi", twice', quantity: 2, unit_price: -2.5, total: -5 },
    ],
  },
  fields: {
    invoice_number: { value: "x", confidence: 0.9, page: 1 },
    grand_total: { value: -5, confidence: 0.8, page: 1 },
  },
};

describe("output", () => {
  it("has the failed checks in every format", async () => {
    const failed = "totals_add_up";
    const xlsx = unzipSync(await fileOf(report, "xlsx"));
    const docx = unzipSync(await fileOf(report, "docx"));
    expect((await fileOf(report, "xml")).toString("utf8")).toContain(failed);
    expect((await fileOf(report, "csv")).toString("utf8")).toContain(failed);
    expect(strFromU8(xlsx["xl/worksheets/sheet1.xml"]!)).toContain(failed);
    expect(strFromU8(docx["word/document.xml"]!)).toContain(failed);
  });

  it("as CSV has one row for each line item, and formulas are inert while negative numbers stay numbers", async () => {
    const text = (await fileOf(report, "csv")).toString("utf8");
    const rows = text
      .replace(/^\ufeff/, "")
      .trim()
      .split("\r\n");
    expect(rows).toHaveLength(3);
    expect(rows[1]).toContain(`"'=HYPERLINK(""http://x"",""pay"")"`);
    expect(rows[1]).toContain(",'=1+1,1,5,5");
    expect(rows[2]).toContain(",-5,");
    expect(rows[2]).toContain('"say ""hi"", twice",2,-2.5,-5');
  });

  it("as XML is well-formed whatever the names and values are", async () => {
    const root = parseXml((await fileOf(report, "xml")).toString("utf8"));
    expect(root?.name).toBe("extraction");
    const seller = root?.children[0]?.children.find((child) => child.name === "seller");
    expect(seller?.children.map((child) => child.text)).toEqual(["A & B <Ltd>", "xy"]);
  });

  it("as XLSX has typed cells, a sheet for each list, and no formula", async () => {
    const files = unzipSync(await fileOf(report, "xlsx"));
    const fields = strFromU8(files["xl/worksheets/sheet1.xml"]!);
    const lines = strFromU8(files["xl/worksheets/sheet2.xml"]!);
    expect(strFromU8(files["xl/workbook.xml"]!)).toContain('name="Lines"');
    expect(fields).toContain("Invoice number</t>");
    expect(lines).toContain("Unit price</t>");
    expect(fields).toContain("<v>-5</v>");
    expect(fields).toContain("<v>45356</v>");
    expect(lines).toContain("=1+1</t>");
    expect(fields + lines).not.toContain("<f>");
  });

  it("as XLSX makes numbers of the cells of a printed table that can be read in one way only", async () => {
    const rows = [["Year", "1,234.50", "1.234,50", "1.234", "0012", "-7", "12345678901234567890", "3.1.2"]];
    const files = unzipSync(
      await fileOf({ ...report, data: { document_type: "document", tables: [{ page: 1, rows }] } }, "xlsx"),
    );
    const table = strFromU8(files["xl/worksheets/sheet2.xml"]!);
    expect([...table.matchAll(/<v>(.*?)<\/v>/g)].map((match) => match[1])).toEqual(["1234.5", "1234.5", "-7"]);
    expect(table).toContain("0012</t>");
  });

  it("as DOCX is a document with the values in tables", async () => {
    const files = unzipSync(await fileOf(report, "docx"));
    const text = strFromU8(files["word/document.xml"]!);
    expect(parseXml(text)?.name).toBe("document");
    expect(text).toContain("A &amp; B &lt;Ltd&gt;");
    expect(text).toContain("Invoice number");
    expect(text).toContain("-5.00");
  });

  it("as Markdown keeps the lines of two addresses beside each other, which are no table, and amounts as they are", async () => {
    const rows = [
      ["Aebischer AG", "Gemeinde Laupen"],
      ["Moosweg 8", "Neuengasse 4"],
      ["3178 Bösingen", "3177 Laupen"],
    ];
    const page = textPage(
      rows.flatMap(([left, right], index): [number, number, string][] => [
        [0.1, 0.05 + index * 0.02, left!],
        [0.6, 0.05 + index * 0.02, right!],
      ]),
      {
        tables: [
          {
            page: 1,
            box: [0.1, 0.04, 0.9, 0.12],
            isStated: false,
            rows: rows.map((row) => row.map((text) => ({ text, box: null }))),
          },
        ],
      },
    );
    const more = {
      ...page.pages[0]!,
      lines: [...page.pages[0]!.lines, ...textPage([[0.1, 0.5, "1.568 pieces"]]).pages[0]!.lines],
    };
    const blocks = readingOrder({ ...page, pages: [more] });
    const text = (await fileOf({ ...report, blocks }, "markdown")).toString("utf8");
    expect(text).not.toContain("|");
    expect(text).toContain("3178 Bösingen  3177 Laupen");
    expect(text).toContain("1.568 pieces");
  });

  it("as Markdown is the document in reading order, with headings and tables, and nothing in it turns into marks", async () => {
    const page = textPage(
      [
        [0.1, 0.05, "Report"],
        [0.1, 0.2, "First line of *text*"],
        [0.1, 0.212, "and its second."],
        [0.1, 0.4, "Name"],
        [0.5, 0.4, "Count"],
        [0.1, 0.42, "a|b"],
        [0.5, 0.42, "1"],
      ],
      {
        tables: [
          {
            page: 1,
            box: [0.1, 0.395, 0.9, 0.44],
            isStated: true,
            rows: [
              [
                { text: "Name", box: null },
                { text: "Count", box: null },
              ],
              [
                { text: "a|b", box: null },
                { text: "1", box: null },
              ],
            ],
          },
        ],
      },
    );
    const [title, ...lines] = page.pages[0]!.lines;
    const large = { ...title!, box: [0.1, 0.05, 0.3, 0.075] as const };
    const blocks = readingOrder({ ...page, pages: [{ ...page.pages[0]!, lines: [large, ...lines] }] });
    const text = (await fileOf({ ...report, blocks }, "markdown")).toString("utf8");
    expect(text).toBe(
      "# Report\n\nFirst line of \\*text\\*  \nand its second.\n\n| Name | Count |\n| --- | --- |\n| a\\|b | 1 |\n",
    );
    expect(JSON.parse((await fileOf({ ...report, blocks }, "layout")).toString("utf8")).blocks[0]).toMatchObject({
      kind: "heading",
      page: 1,
      box: [0.1, 0.05, 0.3, 0.075],
    });
  });
});
