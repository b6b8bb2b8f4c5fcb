import { extractFields } from "../../src/extraction/fields/extract-fields.ts";
import { textPage } from "./text-page.ts";

/** A slip with its rows under each other; what stands behind a bar is at the right edge. */
export function slip(rows: readonly string[], source: "text" | "ocr" = "text") {
  const lines = rows.flatMap((row, index): [number, number, string][] => {
    const top = 0.04 + index * 0.018;
    const [left, ...rest] = row.split("|");
    return [
      ...(left ? [[0.1, top, left.trim()] as [number, number, string]] : []),
      ...rest.map((text, at): [number, number, string] => [0.8 - 0.15 * (rest.length - 1 - at), top, text.trim()]),
    ];
  });
  return extractFields(textPage(lines, {}, source), "receipt").data;
}
