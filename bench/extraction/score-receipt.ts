import type { Extraction } from "../../src/extraction/fields/extract-fields.ts";
import { similarity } from "../../src/extraction/reading/normalize.ts";
import { bare, type Outcome } from "./outcome.ts";

interface ReceiptTruth {
  company: string;
  address: string;
  date_iso: string | null;
  total_number: number | null;
}

/** SROIE's four fields: total by value, date by day, company and address by letters and digits. */
export function scoreReceipt(truth: ReceiptTruth, found: Extraction): (Outcome & { isNear: boolean })[] {
  const wanted: [string, unknown][] = [
    ["company", truth.company],
    ["address", truth.address],
    // One slip of the set was written down with a month 28.
    ["date", isDay(truth.date_iso) ? truth.date_iso : null],
    ["total", truth.total_number],
  ];
  return wanted
    .filter(([, want]) => want !== null && want !== undefined && want !== "")
    .map(([field, want]) => {
      const got = found.fields[field]?.value;
      const isText = field === "company" || field === "address";
      const isRight =
        got === undefined
          ? false
          : isText
            ? bare(String(want)) === bare(String(got))
            : field === "total"
              ? Math.abs(Number(want) - Number(got)) < 0.001
              : want === got;
      const isNear =
        isRight || (isText && got !== undefined && similarity(bare(String(want)), bare(String(got))) >= 0.9);
      return { field, want, got, isRight, isNear, confidence: found.fields[field]?.confidence };
    });
}

function isDay(text: string | null): boolean {
  return text !== null && !Number.isNaN(Date.parse(text));
}
