import type { TextLine } from "../../ports/document-reader.ts";

/** A run of text with its neighbours known: the unit that every rule works on. */
export interface Segment extends TextLine {
  readonly id: number;
  readonly page: number;
  /** Index of its row in `Layout.rows`. */
  readonly row: number;
  readonly height: number;
}
