import { dropControls, listSheets, type Report, singleValues } from "./flatten.ts";

/** The result as a report that people read: single values first, then each list as a table. */
export async function writeDocx(report: Report): Promise<Buffer> {
  // Only this format needs the library, which takes a while to load.
  const { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun, WidthType } = await import(
    "docx"
  );
  const cell = (text: string, isBold = false) =>
    new TableCell({
      children: [new Paragraph({ children: [new TextRun({ text: dropControls(text), bold: isBold })] })],
    });
  const table = (rows: readonly (readonly string[])[], hasHeader: boolean) =>
    new Table({
      width: { size: 100, type: WidthType.PERCENTAGE },
      rows: rows.map(
        (row, index) =>
          new TableRow({
            tableHeader: hasHeader && index === 0,
            children: row.map((text) => cell(text, hasHeader && index === 0)),
          }),
      ),
    });
  const show = (value: unknown): string => (value === null || value === undefined ? "–" : String(value));
  const percent = (confidence: number | undefined): string =>
    confidence === undefined ? "" : `${Math.round(confidence * 100)} %`;
  const single = singleValues(report.data).filter(([name]) => name !== "text" && name !== "document_type");
  const title = report.document_type.replace(/_/g, " ");
  const children = [
    new Paragraph({ text: `Extraction: ${title}`, heading: HeadingLevel.HEADING_1 }),
    new Paragraph({ text: `${report.id} · confidence ${percent(report.confidence)}` }),
    ...(single.length > 0
      ? [
          new Paragraph({ text: "Fields", heading: HeadingLevel.HEADING_2 }),
          table(
            [
              ["Field", "Value", "Confidence"],
              ...single.map(([name, value]) => [name, show(value), percent(report.fields[name]?.confidence)]),
            ],
            true,
          ),
        ]
      : []),
    ...listSheets(report.data).flatMap((list) => [
      new Paragraph({ text: list.name, heading: HeadingLevel.HEADING_2 }),
      table([...(list.hasHeader ? [[...list.columns]] : []), ...list.rows.map((row) => row.map(show))], list.hasHeader),
    ]),
  ];
  const document = new Document({ creator: "Parlance", title: `Extraction ${report.id}`, sections: [{ children }] });
  return Packer.toBuffer(document);
}
