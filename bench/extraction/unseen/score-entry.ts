import type { Extraction } from "../../../src/extraction/fields/extract-fields.ts";
import type { Outcome } from "../outcome.ts";
import { scoreInvoice, scoreLines } from "../score-invoice.ts";
import { scorePairs } from "../score-pairs.ts";
import { scoreReceipt } from "../score-receipt.ts";
import { scoreStatement } from "../score-statement.ts";
import { scoreTables } from "../score-tables.ts";

export interface Entry {
  readonly id: string;
  readonly family: string;
  readonly type: string;
  readonly language: string;
  readonly file: string;
  readonly truth: Record<string, unknown>;
}

export interface Score {
  readonly outcomes: readonly Outcome[];
  readonly lines: { readonly hits: number; readonly found: number; readonly wanted: number };
  readonly isTyped: boolean;
}

const none = { hits: 0, found: 0, wanted: 0 };

/** How much of what a document says was found, and what was found that it does not say. */
export function scoreEntry(type: string, truth: Record<string, unknown>, found: Extraction | undefined): Score {
  const got = found ?? { document_type: "", confidence: 0, data: {}, fields: {}, checks: [], warnings: [] };
  const isTyped = got.document_type === type;
  if (type === "invoice" || type === "credit_note") {
    const absent = Object.entries(truth)
      .filter(([, value]) => value === null)
      .map(([field]): Outcome => {
        const value = got.fields[field]?.value ?? null;
        const isRight = value === null;
        return {
          field: `no ${field}`,
          want: null,
          got: value,
          isRight,
          confidence: isRight ? undefined : got.fields[field]?.confidence,
        };
      });
    return { outcomes: [...scoreInvoice(truth, got), ...absent], lines: scoreLines(truth, got), isTyped };
  }
  if (type === "receipt")
    return { outcomes: scoreReceipt(truth as never, got), lines: scoreLines(truth as never, got), isTyped };
  if (type === "bank_statement") return { ...scoreStatement(truth, got), isTyped };
  if (truth.pairs)
    return { outcomes: [], lines: scorePairs(truth.pairs as never, (got.data.pairs ?? []) as never), isTyped };
  if (truth.tables)
    return { outcomes: [], lines: scoreTables(truth.tables as never, (got.data.tables ?? []) as never), isTyped };
  return { outcomes: [], lines: none, isTyped };
}

/** A file with several documents: each is scored with the one that was found in its place. */
export function scoreAll(entry: Entry, found: Extraction): Score[] {
  const list = (found as Extraction & { documents?: Extraction[] }).documents ?? [found];
  if (entry.type !== "bundle") return [scoreEntry(entry.type, entry.truth, list[0])];
  const wanted = entry.truth.documents as { type: string; truth: Record<string, unknown> }[];
  const documents = list.filter((one) => one.document_type !== "letter" && one.document_type !== "document");
  const own = wanted.map(({ type, truth }, index) => scoreEntry(type, truth, documents[index]));
  return own.map((score) => ({ ...score, isTyped: documents.length === wanted.length }));
}
