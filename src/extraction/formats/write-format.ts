import type { Report } from "./flatten.ts";
import { toMarkdown } from "./reading-order.ts";
import { writeCsv } from "./write-csv.ts";
import { writeDocx } from "./write-docx.ts";
import { writeXlsx } from "./write-xlsx.ts";
import { writeXml } from "./write-xml.ts";

export const outputFormats = ["json", "xml", "csv", "xlsx", "docx", "markdown", "layout"] as const;
export type OutputFormat = (typeof outputFormats)[number];
export type FileFormat = Exclude<OutputFormat, "json">;

export const contentTypes: Record<FileFormat, string> = {
  xml: "application/xml; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  markdown: "text/markdown; charset=utf-8",
  layout: "application/json; charset=utf-8",
};
/** What the name of the file ends in, where that is not the name of the format. */
export const fileEndings: Partial<Record<FileFormat, string>> = { markdown: "md", layout: "json" };

/** The result as a file of the wanted format. */
export async function writeFormat(report: Report, format: FileFormat, list?: string): Promise<Buffer> {
  if (format === "xml") return writeXml(report);
  if (format === "csv") return writeCsv(report, list);
  if (format === "xlsx") return writeXlsx(report);
  if (format === "markdown") return Buffer.from(toMarkdown(report.blocks ?? []), "utf8");
  if (format === "layout") return Buffer.from(JSON.stringify({ id: report.id, blocks: report.blocks ?? [] }), "utf8");
  return writeDocx(report);
}
