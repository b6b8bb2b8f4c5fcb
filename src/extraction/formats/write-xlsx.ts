import { strToU8, zipSync } from "fflate";
import { kindOf } from "../fields/pick.ts";
import { type Cell, entitle, escapeXml, isFormulaLike, listSheets, type Report, singleValues } from "./flatten.ts";

interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
  /** What the columns hold, as the result names it; their headings are words. */
  readonly columns: readonly string[];
  readonly hasHeader: boolean;
  /** How a number in a cell is shown. */
  numberStyle(value: number, column: string, row: number): Style;
}

const styles = { plain: 0, header: 1, date: 2, amount: 3, quoted: 4, share: 5 } as const;
type Style = (typeof styles)[keyof typeof styles];
const longestCell = 32_767;

/** The result as a workbook: one sheet of single values, one for each list and table; numbers and dates are typed. */
export function writeXlsx(report: Report): Buffer {
  const columns = ["field", "value", "confidence", "page"];
  const fields: Cell[][] = [columns.map(entitle)];
  const names: string[] = [""];
  for (const [name, value] of singleValues(report.data)) {
    if (name === "text") continue;
    const field = report.fields[name];
    fields.push([entitle(name), value, field?.confidence ?? null, field?.page ?? null]);
    names.push(name);
  }
  for (const warning of report.warnings) fields.push(["Warning", warning, null, null]);
  const sheets: Sheet[] = [
    {
      name: "Fields",
      rows: fields,
      columns,
      hasHeader: true,
      numberStyle: (value, column, row) =>
        column === "confidence" ? styles.share : column === "value" ? styleOf(value, names[row] ?? "") : styles.plain,
    },
  ];
  for (const list of listSheets(report.data)) {
    sheets.push({
      name: entitle(list.name),
      columns: list.columns,
      rows: list.hasHeader ? [list.columns.map(entitle), ...list.rows] : list.rows.map((row) => row.map(readCell)),
      hasHeader: list.hasHeader,
      numberStyle: styleOf,
    });
  }
  const named = nameSheets(sheets);
  const files: Record<string, Uint8Array> = {
    "[Content_Types].xml": strToU8(contentTypes(named.length)),
    "_rels/.rels": strToU8(relations([{ id: "rId1", type: "officeDocument", target: "xl/workbook.xml" }])),
    "xl/workbook.xml": strToU8(workbook(named)),
    "xl/_rels/workbook.xml.rels": strToU8(
      relations([
        ...named.map((_, index) => ({
          id: `rId${index + 1}`,
          type: "worksheet",
          target: `worksheets/sheet${index + 1}.xml`,
        })),
        { id: `rId${named.length + 1}`, type: "styles", target: "styles.xml" },
      ]),
    ),
    "xl/styles.xml": strToU8(styleSheet),
  };
  for (const [index, sheet] of named.entries())
    files[`xl/worksheets/sheet${index + 1}.xml`] = strToU8(worksheet(sheet));
  return Buffer.from(zipSync(files, { level: 6 }));
}

/** Amounts have their cents also where they are zero; other numbers are shown as they are. */
function styleOf(value: number, name: string): Style {
  return kindOf(name) === "amount" || !Number.isInteger(value) ? styles.amount : styles.plain;
}

/** A cell of a printed table: a number when it can be read in one way only, and is no code with zeros in front. */
function readCell(cell: Cell): Cell {
  if (typeof cell !== "string") return cell;
  const text = cell.trim();
  if (/^[-−]?(0|[1-9]\d{0,14})(\.(\d{1,2}|\d{4,8}))?$/.test(text)) return Number(text.replace("−", "-"));
  if (/^[-−]?[1-9]\d{0,2}(,\d{3})+\.\d{1,2}$/.test(text)) return Number(text.replace("−", "-").replace(/,/g, ""));
  if (/^[-−]?[1-9]\d{0,2}(\.\d{3})+,\d{1,2}$/.test(text))
    return Number(text.replace("−", "-").replace(/\./g, "").replace(",", "."));
  return cell;
}

/** Sheet names have at most 31 characters, some of which are forbidden, and must differ. */
function nameSheets(sheets: readonly Sheet[]): Sheet[] {
  const taken = new Set<string>();
  return sheets.map((sheet, index) => {
    const base =
      sheet.name
        .replace(/[\\/?*[\]:']/g, " ")
        .trim()
        .slice(0, 28) || `Sheet ${index + 1}`;
    let name = base;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${base.slice(0, 26)} ${count}`;
    taken.add(name.toLowerCase());
    return { ...sheet, name };
  });
}

function worksheet(sheet: Sheet): string {
  const rows = sheet.rows.map((row, index) => {
    const cells = row
      .map((cell, column) => {
        const style =
          typeof cell === "number" ? sheet.numberStyle(cell, sheet.columns[column] ?? "", index) : styles.plain;
        return writeCell(cell, `${columnName(column)}${index + 1}`, sheet.hasHeader && index === 0, style);
      })
      .join("");
    return `<row r="${index + 1}">${cells}</row>`;
  });
  const width = Math.max(1, ...sheet.rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => {
    const longest = Math.max(8, ...sheet.rows.slice(0, 200).map((row) => String(row[column] ?? "").length));
    return `<col min="${column + 1}" max="${column + 1}" width="${Math.min(60, longest + 2)}" customWidth="1"/>`;
  });
  const pane = sheet.hasHeader
    ? '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    : "";
  return `${declaration}<worksheet xmlns="${main}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>${pane}<cols>${columns.join("")}</cols><sheetData>${rows.join("")}</sheetData><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>`;
}

function writeCell(cell: Cell, reference: string, isHeader: boolean, numberStyle: Style): string {
  if (cell === null || cell === "") return "";
  if (typeof cell === "number" && Number.isFinite(cell))
    return `<c r="${reference}" s="${numberStyle}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const text = String(cell);
  const serial = isHeader ? undefined : dateSerial(text);
  if (serial !== undefined) return `<c r="${reference}" s="${styles.date}"><v>${serial}</v></c>`;
  // Inline strings are never run; the quote mark keeps them text when somebody edits the cell.
  const style = isHeader ? styles.header : isFormulaLike(text) ? styles.quoted : styles.plain;
  return `<c r="${reference}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(text.slice(0, longestCell))}</t></is></c>`;
}

function dateSerial(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const days = Date.parse(`${text}T00:00:00Z`) / 86_400_000 + 25_569;
  return Number.isFinite(days) && days > 60 ? days : undefined;
}

function columnName(index: number): string {
  let name = "";
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packageSpace = "http://schemas.openxmlformats.org/package/2006";

function contentTypes(sheets: number): string {
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const parts = Array.from(
    { length: sheets },
    (_, index) => `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${type}.worksheet+xml"/>`,
  );
  return `${declaration}<Types xmlns="${packageSpace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${parts.join("")}</Types>`;
}

function relations(entries: readonly { id: string; type: string; target: string }[]): string {
  const list = entries.map(
    (entry) => `<Relationship Id="${entry.id}" Type="${office}/${entry.type}" Target="${entry.target}"/>`,
  );
  return `${declaration}<Relationships xmlns="${packageSpace}/relationships">${list.join("")}</Relationships>`;
}

function workbook(sheets: readonly Sheet[]): string {
  const list = sheets.map(
    (sheet, index) => `<sheet name="${escapeXml(sheet.name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${list.join("")}</sheets></workbook>`;
}

const styleSheet = `${declaration}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="#,##0.00##"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE7EBF3"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/><xf numFmtId="9" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`;
