import type { FastifyReply } from "fastify";

/** Rows as RFC 4180 has them. A text that a spreadsheet would take for a formula is made a text again (OWASP, CSV injection). */
export function writeCsv(header: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Tells the browser what to call the file. */
export function nameFile(reply: FastifyReply, name: string): void {
  reply.header("content-disposition", `attachment; filename="${name}"`);
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number" || /^-?\d+(\.\d+)?$/.test(value)) return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
