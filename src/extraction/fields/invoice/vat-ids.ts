import { failsCheck, findTaxNumbers, findVatIds as vatIdsIn } from "../../reading/checks.ts";
import { findDates } from "../../reading/dates.ts";
import { labelsIn } from "../../reading/labels.ts";
import type { Segment } from "../../reading/segment.ts";
import { hasContactWord, partyIndex, saysYour } from "../../reading/words.ts";
import { type Found, findSpans, type Span } from "../claims.ts";
import type { Context } from "../context.ts";
import { type Finding, pick } from "../pick.ts";
import { proposeSpans } from "../propose.ts";

/** The tax numbers of both parties: by their label, their check digits, and the block they stand in. */
export function findVatIds(
  context: Context,
  seller: Segment | undefined,
  buyer: Segment | undefined,
): Record<string, Finding> {
  const valid = new Set<string>();
  const spans = findSpans(context.layout, context.labels, context.isLabel, (text) => {
    const known = [...vatIdsIn(text), ...findTaxNumbers(text)];
    for (const code of known) if (code.isValid) valid.add(code.value);
    return [
      ...known,
      ...plainNumbers(text).filter((other) => !known.some(({ from, to }) => other.from < to && from < other.to)),
    ];
  });
  const found: Record<string, Finding> = {};
  for (const role of ["seller", "buyer"] as const) {
    const [own, other] = role === "seller" ? [seller, buyer] : [buyer, seller];
    const candidates = proposeSpans(context, spans, ["vat_id"], (span) => ({
      checked: valid.has(span.value),
      failed: span.claims.some(({ label }) => failsCheck(label.segment.text.slice(label.from, label.to), span.value)),
      country: /^[A-Z]{2}/.test(span.value),
      own_block: own && isInBlock(span, own),
      other_block: other && isInBlock(span, other),
      says_role: saysParty(context, span, role),
      contact: hasContactWord(span.segment.text.slice(0, span.from)),
      taken: span.value === found["seller.vat_id"]?.value,
      ...(namesTax.test(span.value) ? { strong: 1, unlabelled: 0 } : {}),
    }))
      // Nine digits of a telephone number may have the check digit of somebody's tax number.
      .filter(({ reasons }) => !reasons.unlabelled || (reasons.checked && (reasons.country || !reasons.contact)));
    const best = pick(`${role}.vat_id`, candidates);
    if (best) found[`${role}.vat_id`] = best;
  }
  return found;
}

/** Tax numbers whose country has no rule here: letters and at least seven digits behind the word for it. */
function plainNumbers(text: string): Found<string>[] {
  const shaped = [...text.matchAll(otherShapes)];
  const plain = [
    ...text.matchAll(
      /(?<![\p{L}\d]|\d\) ?|\+\d{0,3} ?)(?:[A-Z]{1,3}[- ]?)?\d[\d.\- ]{5,14}\d(?:[- ]?[A-Z]{1,4}\d{0,2})?(?![\p{L}\d])/gu,
    ),
  ].filter(
    ({ 0: found, index }) =>
      findDates(found, "dmy").length === 0 &&
      !shaped.some((other) => index >= other.index && index < other.index + other[0].length),
  );
  return [...shaped, ...plain].flatMap((match) => {
    const value = match[0].replace(/(?<=\d) (?=\d)/g, "");
    const digits = value.replace(/\D/g, "").length;
    return digits >= 7 && digits <= 15
      ? [{ value: value.trim(), from: match.index, to: match.index + match[0].length }]
      : [];
  });
}

/** Brazil's CNPJ, Indonesia's NPWP, India's GSTIN and Mexico's RFC mix digits with letters and marks. */
const otherShapes =
  /(?<![\p{L}\d])(?:\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}|\d{2}\.\d{3}\.\d{3}\.\d-\d{3}\.\d{3}|\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]|[A-ZÑ&]{3,4}\d{6}[A-Z\d]{3})(?![\p{L}\d])/gu;

/** Swiss and Norwegian numbers end in the word for the tax: "CHE-123.456.788 MWST", "NO 974 760 673 MVA". */
const namesTax = /\d ?(?:MWST|TVA|IVA|MVA)$/;

/** How far a block with a name, an address and its numbers goes down and to the right: a dozen lines, and a quarter of the page. Guesses. */
const blockHeight = 0.15;
const blockWidth = 0.25;

/** Under a name with the same left edge, before the next block begins. */
export function isInBlock({ segment }: { readonly segment: Segment }, name: Segment): boolean {
  return (
    segment.page === name.page &&
    segment.box[1] >= name.box[1] &&
    segment.box[1] - name.box[3] < blockHeight &&
    Math.abs(segment.box[0] - name.box[0]) < blockWidth
  );
}

function saysParty(context: Context, { segment, from }: Span<string>, role: "seller" | "buyer"): boolean {
  const row = context.layout.rows[segment.row]!.segments;
  const before = row[row.indexOf(segment) - 1];
  const inside = labelsIn(segment, partyIndex).some(
    (label) => label.name === role && label.to <= from && label.isStrong,
  );
  const isBare = !/\p{L}{3}/u.test(segment.text.slice(0, from));
  return (
    inside ||
    (isBare &&
      before !== undefined &&
      labelsIn(before, partyIndex).some((label) => label.name === role && label.isStrong)) ||
    (role === "buyer" && saysYour(segment.text.slice(0, from)))
  );
}
