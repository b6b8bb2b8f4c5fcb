import type { Report } from "./flatten.ts";
import { toMarkdown } from "./reading-order.ts";
import { writeCsv } from "./write-csv.ts";
import { writeDocx } from "./write-docx.ts";
import { writeXlsx } from "./write-xlsx.ts";
import { writeXml } from "./write-xml.ts";

export const outputFormats = ["json", "xml", "csv", "xlsx", "docx", "markdown", "layout"] as const;
export type OutputFormat = (typeof outputFormats)[number];

interface Writer {
  readonly contentType: string;
  /** What the name of the file ends in. */
  readonly ending: string;
  /** `list` names one of several lists, where a format holds only one. */
  write(report: Report, list: string | undefined): string | Buffer | Promise<Buffer>;
}

const office = "application/vnd.openxmlformats-officedocument";
const writers: Record<Exclude<OutputFormat, "json">, Writer> = {
  xml: { contentType: "application/xml; charset=utf-8", ending: "xml", write: writeXml },
  csv: { contentType: "text/csv; charset=utf-8", ending: "csv", write: writeCsv },
  xlsx: { contentType: `${office}.spreadsheetml.sheet`, ending: "xlsx", write: writeXlsx },
  docx: { contentType: `${office}.wordprocessingml.document`, ending: "docx", write: writeDocx },
  markdown: {
    contentType: "text/markdown; charset=utf-8",
    ending: "md",
    write: ({ blocks = [] }) => toMarkdown(blocks),
  },
  layout: {
    contentType: "application/json; charset=utf-8",
    ending: "json",
    write: ({ id, blocks = [] }) => JSON.stringify({ id, blocks }),
  },
};

/** The types of those files that are not JSON. */
export const fileTypes = Object.values(writers)
  .map(({ contentType }) => contentType.split(";")[0]!)
  .filter((type) => type !== "application/json");

/** The result as a file of the wanted format. */
export async function writeFormat(report: Report, format: keyof typeof writers, list?: string) {
  const { write, contentType, ending } = writers[format];
  const written = await write(report, list);
  return { bytes: typeof written === "string" ? Buffer.from(written) : written, contentType, ending };
}
