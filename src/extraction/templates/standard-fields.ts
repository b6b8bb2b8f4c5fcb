import type { ReadDocument } from "../../ports/document-reader.ts";
import type { DocumentType } from "../fields/classify.ts";
import type { LocaleHints } from "../fields/context.ts";
import { type Extraction, extractFields } from "../fields/extract-fields.ts";
import { fold } from "../reading/normalize.ts";
import { wordsOf } from "../reading/words.ts";

/** Where a field of a template is found in what the built-in readers already know. */
export interface StandardField {
  readonly type: "invoice" | "receipt" | "bank_statement";
  /** Its path in the built-in result. */
  readonly path: string;
}

const byName = new Map<string, StandardField>();
for (const { meaning, phrase } of wordsOf("standard.")) {
  const [, type, path] = /^standard\.(\w+)\.(.+)$/.exec(meaning) as unknown as [string, StandardField["type"], string];
  byName.set(`${type}.${path}`, { type, path });
  byName.set(bare(phrase), { type, path });
}

/** `invoice.grand_total`, or a field name that means the same. */
export function findStandard(name: string): StandardField | undefined {
  return byName.get(name) ?? byName.get(bare(name));
}

function bare(name: string): string {
  return fold(name).replace(/[^a-z0-9.]/g, "");
}

/** What the columns of the built-in lists are called, the surer names first. */
const columnNames: readonly [RegExp, string][] = [
  [/^(qty|quantity|count|menge|units|hours)$/, "quantity"],
  [/price|rate|each|cost|unit/, "unit_price"],
  [/amount|total|sum|value|net/, "total"],
  [/^(desc|item|product|name|text|article|service)/, "description"],
];

/** The column of the built-in lists that a name means. */
export function standardColumn(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z]/g, "");
  return columnNames.find(([pattern]) => pattern.test(letters))?.[1] ?? name;
}

/** What a built-in reader finds in one document; each reader runs at most once. */
export type StandardReader = (type: DocumentType) => Extraction;

export function standardReader(document: ReadDocument, hints: LocaleHints = {}): StandardReader {
  const known = new Map<DocumentType, Extraction>();
  return (type) => {
    const found = known.get(type) ?? extractFields(document, type, hints);
    known.set(type, found);
    return found;
  };
}
