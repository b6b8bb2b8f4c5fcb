/** A small PDF with text at places given as fractions of an A4 page; enough to tell a reader's story without a file in the repository. */
export function makePdf(
  lines: readonly (readonly [left: number, top: number, text: string])[],
  /** Drawn behind the lines, in the language of PDF pages. */
  more = "",
): Buffer {
  const quote = (text: string): string => text.replace(/[\\()]/g, (character) => `\\${character}`);
  const content = lines
    .map(
      ([left, top, text]) =>
        `BT /F1 10 Tf ${(left * 595).toFixed(1)} ${(842 - top * 842 - 9).toFixed(1)} Td (${quote(text)}) Tj ET`,
    )
    .concat(more)
    .join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>",
    `<< /Length ${Buffer.byteLength(content, "latin1")} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = Buffer.byteLength(body, "latin1");
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = Buffer.byteLength(body, "latin1");
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}`;
  body += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(body, "latin1");
}

/** An invoice that every field of the built-in template can be read from. */
export const invoicePdf = makePdf([
  [0.08, 0.05, "Kestrel Freight Ltd"],
  [0.08, 0.07, "Unit 4, Crown Estate"],
  [0.08, 0.085, "Leeds LS1 4DY"],
  [0.75, 0.05, "INVOICE"],
  [0.55, 0.12, "Invoice No."],
  [0.82, 0.12, "A-73511"],
  [0.55, 0.14, "Invoice Date"],
  [0.82, 0.14, "2024-05-19"],
  [0.55, 0.16, "Due Date"],
  [0.82, 0.16, "2024-07-03"],
  [0.08, 0.12, "Bill To"],
  [0.08, 0.14, "Sunrise Hospitality Group"],
  [0.08, 0.155, "480 Industrial Pkwy"],
  [0.08, 0.24, "Description"],
  [0.55, 0.24, "Qty"],
  [0.68, 0.24, "Unit Price"],
  [0.85, 0.24, "Amount"],
  [0.08, 0.265, "Garden waste removal"],
  [0.56, 0.265, "3"],
  [0.69, 0.265, "58.72"],
  [0.85, 0.265, "176.16"],
  [0.08, 0.29, "Freight and handling"],
  [0.56, 0.29, "2"],
  [0.69, 0.29, "73.79"],
  [0.85, 0.29, "147.58"],
  [0.6, 0.33, "Subtotal"],
  [0.85, 0.33, "323.74"],
  [0.6, 0.35, "VAT 20%"],
  [0.86, 0.35, "64.75"],
  [0.6, 0.37, "Total (GBP)"],
  [0.85, 0.37, "388.49"],
]);
