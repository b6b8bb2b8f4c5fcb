import { kindOf } from "../fields/pick.ts";
import { type Cell, dropControls, entitle, listSheets, type Report, singleValues } from "./flatten.ts";

interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  readonly isNumeric: boolean;
}

/** The result as a report that people read: single values first, then each list as a table. */
export async function writeDocx(report: Report): Promise<Buffer> {
  // Only this format needs the library, which takes a while to load.
  const {
    AlignmentType,
    Document,
    HeadingLevel,
    Packer,
    Paragraph,
    ShadingType,
    Table,
    TableCell,
    TableRow,
    TextRun,
    WidthType,
  } = await import("docx");
  const cell = (text: string, share: number, { isHeader = false, isNumeric = false } = {}) =>
    new TableCell({
      width: { size: share, type: WidthType.PERCENTAGE },
      ...(isHeader ? { shading: { type: ShadingType.CLEAR, fill: "E7EBF3" } } : {}),
      margins: { top: 40, bottom: 40, left: 90, right: 90 },
      children: [
        new Paragraph({
          ...(isNumeric ? { alignment: AlignmentType.RIGHT } : {}),
          children: [new TextRun({ text: dropControls(text), bold: isHeader })],
        }),
      ],
    });
  const table = (columns: readonly Column[], hasHeader: boolean) => {
    const shares = sharesOf(columns);
    const row = (textOf: (column: Column) => string, isHeader = false) =>
      new TableRow({
        tableHeader: isHeader,
        cantSplit: true,
        children: columns.map((column, index) =>
          cell(textOf(column), shares[index]!, { isHeader, isNumeric: column.isNumeric }),
        ),
      });
    return new Table({
      width: { size: 100, type: WidthType.PERCENTAGE },
      rows: [
        ...(hasHeader ? [row(({ title }) => title, true)] : []),
        ...(columns[0]?.cells ?? []).map((_, at) => row(({ cells }) => cells[at]!)),
      ],
    });
  };
  const heading = (text: string) =>
    new Paragraph({ text, heading: HeadingLevel.HEADING_2, keepNext: true, spacing: { before: 280, after: 120 } });
  const single = singleValues(report.data).filter(([name]) => name !== "text" && name !== "document_type");
  const children = [
    new Paragraph({ text: entitle(report.document_type), heading: HeadingLevel.HEADING_1, spacing: { after: 60 } }),
    new Paragraph({ text: `Extraction ${report.id}, confidence ${percent(report.confidence)}` }),
    ...(single.length > 0 ? [heading("Fields"), table(fieldColumns(report, single), true)] : []),
    ...(report.warnings.length > 0 ? [heading("Warnings")] : []),
    ...report.warnings.map((text) => new Paragraph({ children: [new TextRun(dropControls(text))] })),
    ...listSheets(report.data).flatMap((list) => [
      heading(entitle(list.name)),
      table(
        list.columns.map((column, index) => ({
          title: entitle(column),
          cells: list.rows.map((row) => show(row[index] ?? null, column)),
          isNumeric: list.rows.every((row) => typeof row[index] !== "string") && list.hasHeader,
        })),
        list.hasHeader,
      ),
    ]),
  ];
  const document = new Document({ creator: "Parlance", title: `Extraction ${report.id}`, sections: [{ children }] });
  return Packer.toBuffer(document);
}

function fieldColumns(report: Report, single: readonly (readonly [string, Cell])[]): Column[] {
  return [
    { title: "Field", cells: single.map(([name]) => entitle(name)), isNumeric: false },
    { title: "Value", cells: single.map(([name, value]) => show(value, name)), isNumeric: false },
    { title: "Confidence", cells: single.map(([name]) => percent(report.fields[name]?.confidence)), isNumeric: true },
  ];
}

/** Columns are as wide as their longest text asks for, within bounds, so that descriptions get more room than numbers. */
function sharesOf(columns: readonly Column[]): number[] {
  const lengths = columns.map(({ title, cells }) =>
    Math.min(40, Math.max(9, title.length, ...cells.slice(0, 200).map((text) => text.length))),
  );
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  return lengths.map((length) => Math.round((100 * length) / whole));
}

function show(value: Cell, name: string): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number" || kindOf(name) !== "amount") return String(value);
  return value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 4 });
}

function percent(confidence: number | undefined): string {
  return confidence === undefined ? "" : `${Math.round(confidence * 100)} %`;
}
