/** Whether a caller would rather have a table than JSON. */
export function wantsCsv(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/csv\b/i.test(accept);
}

/** RFC 4180. A text that a spreadsheet would take for a formula is kept a text. */
export function writeCsv(names: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return `${[names, ...rows].map((row) => row.map(writeCell).join(",")).join("\r\n")}\r\n`;
}

function writeCell(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const text = String(value ?? "").replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
