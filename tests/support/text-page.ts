import type { ReadDocument, TextLine } from "../../src/ports/document-reader.ts";

/** A document of one page with lines as [left, top, text], in parts of the page. */
export function textPage(
  lines: readonly (readonly [left: number, top: number, text: string])[],
  extra: Partial<ReadDocument> = {},
  source: "text" | "ocr" = "text",
): ReadDocument {
  const placed = lines.map(([left, top, text]): TextLine => {
    const box = [left, top, Math.min(0.99, left + text.length * 0.0085), top + 0.011] as const;
    return { text, box, words: [{ text, box }], confidence: source === "ocr" ? 0.97 : 1, source };
  });
  return {
    format: "pdf",
    pages: [{ number: 1, width: 595, height: 842, lines: placed, rulings: [] }],
    tables: [],
    formEntries: [],
    embeddedFiles: [],
    warnings: [],
    ...extra,
  };
}
