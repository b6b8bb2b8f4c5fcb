import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type DocumentType, documentTypes, observe } from "../../../src/extraction/fields/classify.ts";
import { findFields } from "../../../src/extraction/fields/extract-fields.ts";
import { type Candidate, type Reasons, watchPicks } from "../../../src/extraction/fields/pick.ts";
import type { ReadDocument } from "../../../src/ports/document-reader.ts";
import { bare } from "../outcome.ts";
import { type Recogniser, readForBench } from "../read-set.ts";
import { isSameValue } from "../score-invoice.ts";
import type { Entry } from "../unseen/score-entry.ts";

/** A document with known answers, and the layout family it belongs to. */
export interface Known {
  readonly id: string;
  readonly family: string;
  readonly type: string;
  readonly truth: Record<string, unknown>;
  readonly document: ReadDocument;
  readonly isUnseen: boolean;
}

/** One choice: the reasons of each candidate, and which of them are right. */
export interface Choice {
  readonly field: string;
  readonly family: string;
  /** The document is known not to state it. */
  readonly isAbsent: boolean;
  readonly candidates: readonly { readonly reasons: Reasons; readonly reading: number; readonly isRight: boolean }[];
}

/** Scans, photographs and bundles of a layout are the same family as the layout. */
function familyOf(name: string): string {
  return name.replace(/-(scan|photo|docx)$/, "");
}

export async function readKnown(
  recogniser: Recogniser,
  cache: string | undefined,
  unseen: string | undefined,
): Promise<Known[]> {
  const data = resolve(process.env.PARLANCE_DATA ?? "../shared/data", "documents");
  const known: Known[] = [];
  if (existsSync(join(data, "manifest.json"))) {
    const manifest = JSON.parse(readFileSync(join(data, "manifest.json"), "utf8")) as {
      id: string;
      file: string;
      truth: string;
      type: string;
      layout?: string;
    }[];
    for (const entry of manifest) {
      const type = entry.type.startsWith("invoice") ? "invoice" : entry.type;
      if (type.startsWith("schema") || type === "e-invoice" || entry.file.includes("i2d_")) continue;
      const truth = JSON.parse(readFileSync(join(data, entry.truth), "utf8"));
      const { document } = await readForBench(join(data, entry.file), recogniser, cache);
      const family =
        type === "receipt" ? `shop ${bare(String(truth.company)).slice(0, 12)}` : `dev ${entry.layout ?? entry.type}`;
      known.push({
        id: entry.id,
        family,
        type: type === "table" ? "document" : type,
        truth,
        document,
        isUnseen: false,
      });
    }
  }
  if (unseen)
    for (const entry of JSON.parse(readFileSync(join(unseen, "manifest.json"), "utf8")) as Entry[]) {
      const { document } = await readForBench(join(unseen, entry.file), recogniser, cache);
      known.push({ ...entry, family: familyOf(entry.family), document, isUnseen: true });
    }
  return known;
}

const invoicePaths: Record<string, string> = {
  "seller.name": "seller_name",
  "buyer.name": "buyer_name",
  "seller.vat_id": "seller_vat_id",
};
const receiptTruth: Record<string, string> = { date: "date_iso", total: "total_number" };

/** The right value of a field, null when the document has none, undefined when nobody knows. */
function rightValue({ type, truth, isUnseen }: Known, field: string): unknown {
  if (type === "receipt") return truth[receiptTruth[field] ?? field] || undefined;
  if (type === "bank_statement")
    return field === "period"
      ? truth.period_start
        ? [truth.period_start, truth.period_end]
        : undefined
      : (truth[field] ?? undefined);
  const visible = truth.visible as Record<string, boolean> | undefined;
  const name = invoicePaths[field] ?? field;
  if (visible && visible[name] !== true) return undefined;
  if (field === "seller.name" || field === "buyer.name")
    return (truth[field.slice(0, -5)] as { name?: string } | undefined)?.name || undefined;
  if (field === "seller.vat_id") return (truth.seller as { vat_id?: string } | undefined)?.vat_id || undefined;
  // In the development set null may as well mean that nobody wrote it down.
  return isUnseen ? truth[field] : (truth[field] ?? undefined);
}

function isRight(known: Known, field: string, want: unknown, got: unknown): boolean {
  if (field === "company" || field === "address" || known.type === "bank_statement") {
    if (typeof want === "number") return Math.abs(want - Number(got)) < 0.011;
    return bare(String(want)) === bare(String(got));
  }
  return isSameValue(invoicePaths[field] ?? field, want, got);
}

/** Every choice that is made while reading a document. */
export function choicesOf(known: Known): Choice[] {
  if (
    ["bundle", "form", "document"].includes(known.type) ||
    !["invoice", "credit_note", "receipt", "bank_statement"].includes(known.type)
  )
    return [];
  const last = new Map<string, readonly Candidate[]>();
  watchPicks((field, ranked) => last.set(field, ranked));
  findFields(known.document, known.type as DocumentType);
  watchPicks(undefined);
  return [...last].flatMap(([field, ranked]): Choice[] => {
    const want = rightValue(known, field);
    if (want === undefined || ranked.length === 0) return [];
    const candidates = ranked.map(({ reasons, reading, value }) => ({
      reasons,
      reading,
      isRight: want !== null && isRight(known, field, want, value),
    }));
    // The right one and its nearest rivals; the rest teaches nothing.
    const kept = candidates.filter((candidate, index) => index < 20 || candidate.isRight);
    return [{ field, family: known.family, isAbsent: want === null, candidates: kept }];
  });
}

/** What is seen of a document before its type is known. */
export function typeSample(known: Known): { family: string; traits: Reasons; type: string } | undefined {
  if (!(documentTypes as readonly string[]).includes(known.type)) return undefined;
  const { context } = findFields(known.document, "document");
  return { family: known.family, traits: observe(context), type: known.type };
}
