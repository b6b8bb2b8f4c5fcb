import { strToU8, zipSync } from "fflate";
import { kindOf } from "../fields/pick.ts";
import { type Cell, entitle, escapeXml, isFormulaLike, listSheets, type Report, singleValues } from "./flatten.ts";

const styles = { plain: 0, header: 1, date: 2, amount: 3, quoted: 4, share: 5 } as const;
type Style = (typeof styles)[keyof typeof styles];
/** A cell, and how it is shown. */
type Styled = readonly [value: Cell, style: Style];

interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Styled[])[];
  readonly hasHeader: boolean;
}

const longestCell = 32_767;

/** The result as a workbook: one sheet of single values, one for each list and table; numbers and dates are typed. */
export function writeXlsx(report: Report): Buffer {
  const values = singleValues(report.data).filter(([name]) => name !== "text");
  const fields = values.map(([name, value]): Styled[] => {
    const { confidence = null, page = null } = report.fields[name] ?? {};
    return [[entitle(name), styles.plain], styled(value, name), [confidence, styles.share], [page, styles.plain]];
  });
  const warnings = report.warnings.map((warning): Styled[] => [["Warning", styles.plain], styled(warning, "")]);
  const sheets = [
    {
      name: "Fields",
      rows: [headings(["field", "value", "confidence", "page"]), ...fields, ...warnings],
      hasHeader: true,
    },
    ...listSheets(report.data).map(({ name, columns, rows, hasHeader }) => ({
      name: entitle(name),
      rows: [
        ...(hasHeader ? [headings(columns)] : []),
        ...rows.map((row) => row.map((cell, at) => styled(hasHeader ? cell : readCell(cell), columns[at]!))),
      ],
      hasHeader,
    })),
  ];
  const named = nameSheets(sheets);
  const parts = named.map((_, index) => `worksheets/sheet${index + 1}.xml`);
  const files = {
    "[Content_Types].xml": contentTypes(parts),
    "_rels/.rels": relations([["officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": workbook(named),
    "xl/_rels/workbook.xml.rels": relations([
      ...parts.map((part): [string, string] => ["worksheet", part]),
      ["styles", "styles.xml"],
    ]),
    "xl/styles.xml": styleSheet,
    ...Object.fromEntries(named.map((sheet, index) => [`xl/${parts[index]}`, worksheet(sheet)])),
  };
  const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]));
  return Buffer.from(zipSync(bytes, { level: 6 }));
}

function headings(names: readonly string[]): Styled[] {
  return names.map((name) => [entitle(name), styles.header]);
}

/** Amounts have their cents also where they are zero; other numbers are shown as they are. */
function styled(value: Cell, name: string): Styled {
  if (typeof value === "number")
    return [value, kindOf(name) === "amount" || !Number.isInteger(value) ? styles.amount : styles.plain];
  if (typeof value !== "string") return [value, styles.plain];
  if (dateSerial(value) !== undefined) return [value, styles.date];
  // Inline strings are never run; the quote mark keeps them text when somebody edits the cell.
  return [value, isFormulaLike(value) ? styles.quoted : styles.plain];
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

function worksheet({ rows, hasHeader }: Sheet): string {
  const written = rows.map((row, index) => {
    const cells = row.map((cell, column) => writeCell(cell, `${columnName(column)}${index + 1}`));
    return `<row r="${index + 1}">${cells.join("")}</row>`;
  });
  const width = Math.max(1, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => {
    const longest = Math.max(8, ...rows.slice(0, 200).map((row) => String(row[column]?.[0] ?? "").length));
    return `<col min="${column + 1}" max="${column + 1}" width="${Math.min(60, longest + 2)}" customWidth="1"/>`;
  });
  const pane = hasHeader
    ? '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    : "";
  return `${declaration}<worksheet xmlns="${main}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>${pane}<cols>${columns.join("")}</cols><sheetData>${written.join("")}</sheetData><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>`;
}

function writeCell([cell, style]: Styled, reference: string): string {
  if (cell === null || cell === "") return "";
  if (typeof cell === "boolean") return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const number = typeof cell === "number" ? cell : style === styles.date ? dateSerial(cell) : undefined;
  if (number !== undefined) return `<c r="${reference}" s="${style}"><v>${number}</v></c>`;
  return `<c r="${reference}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(String(cell).slice(0, longestCell))}</t></is></c>`;
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

function contentTypes(sheets: readonly string[]): string {
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const parts = sheets.map((part) => `<Override PartName="/xl/${part}" ContentType="${type}.worksheet+xml"/>`);
  return `${declaration}<Types xmlns="${packageSpace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${parts.join("")}</Types>`;
}

/** Numbered rId1, rId2 ... in their order. */
function relations(entries: readonly (readonly [type: string, target: string])[]): string {
  const list = entries.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
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
