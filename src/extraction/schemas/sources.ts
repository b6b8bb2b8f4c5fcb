import type { ReadDocument } from "../../ports/document-reader.ts";
import type { Context } from "../fields/context.ts";
import { type ExtractedField, type Extraction, findFields, present } from "../fields/extract-fields.ts";
import { findCheckboxes } from "../fields/form/checkboxes.ts";
import { findPairs } from "../fields/form/pairs.ts";
import type { Finding } from "../fields/pick.ts";
import { findTables, type Table } from "../fields/tables.ts";
import { tokenize } from "../reading/normalize.ts";
import { findField } from "../templates/apply-template.ts";
import type { TemplateField } from "../templates/schema.ts";
import { lettersOf } from "./meanings.ts";

/** Everything that the rules know about one document, each worked out at most once. */
export interface Sources {
  readonly context: Context;
  /** The document as what it is. */
  readonly own: Extraction;
  /** The reader whose fields are asked: that of the document's own kind, else that of invoices, which knows orders and quotes too. */
  readonly type: "invoice" | "receipt" | "bank_statement";
  /** Whether the document is of that kind. */
  readonly isKnown: boolean;
  standard(): Extraction;
  tables(): readonly Finding<Table>[];
  pairFor(names: readonly string[]): ExtractedField | undefined;
  checkboxFor(names: readonly string[]): ExtractedField | undefined;
  byRules(field: Omit<TemplateField, "required">): ExtractedField | undefined;
}

export function createSources(document: ReadDocument): Sources {
  const { extraction: own, context } = findFields(document);
  const isKnown = ["invoice", "credit_note", "receipt", "bank_statement"].includes(own.document_type);
  const type =
    own.document_type === "receipt" || own.document_type === "bank_statement" ? own.document_type : "invoice";
  const pairs = () =>
    findPairs(context).map((pair) => ({ name: pair.value.key, field: { ...present(pair), value: pair.value.value } }));
  const checkboxes = () =>
    findCheckboxes(context).map((box) => ({
      name: box.value.label,
      field: { ...present(box), value: box.value.checked },
    }));
  return {
    context,
    own,
    type,
    isKnown,
    standard: () => (isKnown ? own : context.once("schema: standard", () => findFields(document, type).extraction)),
    tables: () => context.once("schema: tables", () => findTables(context)),
    pairFor: (names) => named(context.once("schema: pairs", pairs), names),
    checkboxFor: (names) => named(context.once("schema: checkboxes", checkboxes), names),
    byRules: (field) => findField(context, { ...field, required: false }, () => own).found,
  };
}

interface NamedField {
  readonly name: string;
  readonly field: ExtractedField;
}

/** What is left of the confidence when the page says more than the name, as "Set temperature" for "temperature": a guess. */
const afterMoreWords = 0.7;

/** The one that is called so; else the only one whose words hold all words of a name. */
function named(found: readonly NamedField[], names: readonly string[]): ExtractedField | undefined {
  const wanted = names.map(lettersOf);
  const exact = found.find(({ name }) => wanted.includes(lettersOf(name)));
  if (exact) return exact.field;
  const tokens = (text: string): string[] => tokenize(text).map((token) => token.text);
  for (const name of names) {
    const own = tokens(name);
    const longer = found.filter((one) => own.length > 0 && own.every((word) => tokens(one.name).includes(word)));
    if (longer.length !== 1) continue;
    const { field } = longer[0]!;
    return { ...field, confidence: Math.round(field.confidence * afterMoreWords * 1000) / 1000 };
  }
  return undefined;
}
