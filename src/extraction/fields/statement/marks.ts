import type { Row } from "../../reading/layout.ts";
import { fold } from "../../reading/normalize.ts";
import type { Segment } from "../../reading/segment.ts";
import { wordsOf } from "../../reading/words.ts";

export type Direction = "debit" | "credit";

const marks = new Map(wordsOf("mark.").map(({ meaning, phrase }) => [fold(phrase), meaning.slice(5) as Direction]));

/** A cell that holds nothing but the direction of the amount beside it: "Af", "CR", "-". */
export function markIn(text: string | undefined): Direction | undefined {
  if (text && /^[-–−+]$/.test(text)) return text === "+" ? "credit" : "debit";
  return marks.get(fold(text ?? "").replace(/\.$/, ""));
}

/** "120,00 S", "500.00Cr", "1.900,00+", or a mark in the cell behind the amount. */
export function markAfter(row: Pick<Row, "segments">, segment: Segment, to: number): Direction | undefined {
  const tail = segment.text.slice(to).trim();
  const word = tail === "+" ? tail : /^\p{L}+\.?(?=$|\s)/u.exec(tail)?.[0];
  return markIn(word) ?? (tail === "" ? markIn(row.segments[row.segments.indexOf(segment) + 1]?.text) : undefined);
}
