import { findIbans, findTaxNumbers, findVatIds } from "../reading/checks.ts";
import { boxOfSpan, type Segment } from "../reading/layout.ts";
import { valuesNear } from "./candidates.ts";
import type { Context } from "./context.ts";
import { findingIn } from "./finding.ts";
import { findItemHeaders } from "./item-headers.ts";
import { type Label, labelsIn } from "./labels.ts";
import { readLetter } from "./letter.ts";
import { cleanName, isNameLike, linesUnder, makeParty, type Party, startsWithLabel } from "./party-block.ts";
import { isPostalLine, isStreetLine, type PartyRole, partyIndex } from "./party-words.ts";

export interface Parties {
  seller: Party;
  buyer: Party;
}

/** Finds who sells and who buys: by their labels, else by letterhead, address window and footer. */
export function findParties(context: Context): Parties {
  const labels = context.layout.segments
    .filter((segment) => segment.page <= 2)
    .flatMap((segment) => labelsIn(segment, partyIndex))
    .filter((label) => label.from <= 2 && isHeading(label));
  const buyer = labelledParty(context, labels, "buyer");
  const seller = labelledParty(context, labels, "seller");
  const letter = readLetter(context, labels, buyer?.name?.value, seller?.name?.value);
  const parties: Parties = { seller: seller ?? letter.seller ?? {}, buyer: buyer ?? letter.buyer ?? {} };
  assignVatIds(context, parties);
  return parties;
}

/** A party label is the whole run of text, or is followed by a colon. */
function isHeading(label: Label<PartyRole>): boolean {
  const tail = label.segment.text.slice(label.to);
  return (
    label.isAlone ||
    /^\s*[:：]/.test(tail) ||
    (label.isStrong &&
      label.length > 6 &&
      /^\s+[\p{Lu}\d]/u.test(tail) &&
      tail.length < 60 &&
      label.name === "buyer" &&
      / to$/i.test(label.segment.text.slice(0, label.to)))
  );
}

function labelledParty(
  context: Context,
  labels: readonly Label<PartyRole>[],
  role: "seller" | "buyer",
): Party | undefined {
  const ranked = labels
    .filter((label) => label.name === role && !isPaymentRow(context, label.segment))
    .sort((left, right) => Number(right.isStrong) - Number(left.isStrong) || right.length - left.length);
  for (const label of ranked) {
    const party = partyUnder(context, label, labels);
    if (party) return party;
  }
  return undefined;
}

/** "Pay to: Volksbank, IBAN ..." names the bank, not the seller. */
function isPaymentRow(context: Context, segment: Segment): boolean {
  const row = context.layout.rows[segment.row]!.segments.map((other) => other.text).join(" ");
  return findIbans(row).length > 0 || /\b(iban|bic|swift|sort code|routing|account no)\b/i.test(row);
}

function partyUnder(context: Context, label: Label<PartyRole>, labels: readonly Label<PartyRole>[]): Party | undefined {
  const rest = label.segment.text.slice(label.to).replace(/^[\s:：.]+/, "");
  const inOne = splitAddress(rest);
  if (inOne) return partyInOne(label.segment, inOne, label.isStrong ? 0.9 : 0.7);
  const lines: { segment: Segment; text: string }[] = [];
  const isName = (segment: Segment, text = segment.text): boolean =>
    isNameLike(text) && (segment.id === label.segment.id || !startsWithLabel(context, segment));
  if (rest && isNameLike(rest)) lines.push({ segment: label.segment, text: rest });
  const row = context.layout.rows[label.segment.row]!;
  const right = row.segments.find((segment) => segment.box[0] > label.segment.box[2]);
  const under = linesUnder(context, label.segment, labels);
  // A two-column list names its parts: "Name: | Lieferant GmbH".
  const named = under.lines.find((segment) =>
    labels.some((other) => other.segment.id === segment.id && other.name === "name"),
  );
  if (named) {
    const value = valueRightOf(context, named);
    if (value) return makeParty(value.text, value, addressRightOf(context, under.lines, labels), 0.95);
  }
  if (
    lines.length === 0 &&
    right &&
    label.isAlone &&
    isName(right) &&
    !labels.some((other) => other.segment.id === right.id)
  ) {
    const isTableLike = right.box[0] - label.segment.box[2] > 0.25;
    const isHeadedColumn =
      !label.segment.text.endsWith(":") && isBlockUnder(context, label.segment, under.lines, isName);
    if ((!isTableLike && !isHeadedColumn) || under.lines.length === 0) lines.push({ segment: right, text: right.text });
  }
  const start = lines[0]?.segment ?? label.segment;
  const following = start.id === label.segment.id ? under.lines : linesUnder(context, start, labels).lines;
  for (const segment of following) lines.push({ segment, text: segment.text });
  const first = lines.findIndex(({ segment, text }) => isName(segment, text));
  if (first < 0) return undefined;
  const name = lines[first]!;
  const address = lines.slice(first + 1).map(({ segment }) => segment);
  return makeParty(cleanName(name.text), name.segment, address, label.isStrong ? 0.9 : 0.7);
}

/** "Lis Sp. z o.o., ul. Długa 5, 50-069 Wrocław": a name and its address behind the heading. */
function splitAddress(text: string): { name: string; address: string } | undefined {
  for (const comma of text.matchAll(/,\s*/g)) {
    const name = text.slice(0, comma.index);
    const address = text.slice(comma.index + comma[0].length);
    if (isNameLike(name) && isPostalLine(address) && !isStreetLine(name)) return { name, address };
  }
  return undefined;
}

function partyInOne(segment: Segment, { name, address }: { name: string; address: string }, fit: number): Party {
  const party = makeParty(cleanName(name), segment, [], fit);
  const from = segment.text.indexOf(address);
  party.address = findingIn(address, segment, boxOfSpan(segment, from, from + address.length), {
    fit: fit * 0.9,
    isLabelled: true,
    margin: fit,
  });
  return party;
}

/** A name and an address right under a heading: what stands beside the heading then belongs to the next column. */
function isBlockUnder(
  context: Context,
  heading: Segment,
  under: readonly Segment[],
  isName: (segment: Segment) => boolean,
): boolean {
  const [first, ...rest] = under;
  return (
    first !== undefined &&
    isName(first) &&
    first.box[1] - heading.box[3] < context.layout.lineHeight * 1.5 &&
    rest.slice(0, 5).some((line) => isPostalLine(line.text) || isStreetLine(line.text))
  );
}

function valueRightOf(context: Context, segment: Segment): Segment | undefined {
  return context.layout.rows[segment.row]!.segments.find((other) => other.box[0] > segment.box[2]);
}

function addressRightOf(context: Context, lines: readonly Segment[], labels: readonly Label<PartyRole>[]): Segment[] {
  const label = lines.find((segment) =>
    labels.some((other) => other.segment.id === segment.id && other.name === "address"),
  );
  const first = label && valueRightOf(context, label);
  if (!first) return [];
  const found = [first];
  for (let index = first.row + 1; index < context.layout.rows.length && found.length < 5; index++) {
    const row = context.layout.rows[index]!;
    if (row.segments[0] && row.segments[0].box[0] < first.box[0] - 0.02) break;
    const next = row.segments.find((segment) => Math.abs(segment.box[0] - first.box[0]) < 0.015);
    if (!next) break;
    found.push(next);
  }
  return found;
}

/** The words that a number stands behind: in its own run of text, or left of it. */
function labelBefore(context: Context, segment: Segment): string {
  if (/\p{L}{3}/u.test(segment.text)) return segment.text;
  const row = context.layout.rows[segment.row]!.segments;
  return `${row[row.indexOf(segment) - 1]?.text ?? ""} ${segment.text}`;
}

/** A VAT number belongs to the party in whose block it stands, else the seller's is the one in letterhead or footer. */
function assignVatIds(context: Context, parties: Parties): void {
  const found = context.layout.segments.flatMap((segment) =>
    [...findVatIds(segment.text), ...findTaxNumbers(segment.text)].map((code) => ({ segment, code })),
  );
  const labelled = new Set(
    context.labels
      .filter((label) => label.name === "vat_id")
      .flatMap((label) =>
        valuesNear(
          context.layout,
          label,
          () => false,
          (text) => findVatIds(text),
        ),
      )
      .map((candidate) => candidate.segment.id),
  );
  const ibanRows = new Set(context.labels.filter((label) => label.name === "iban").map((label) => label.segment.id));
  const items = findItemHeaders(context).map((header) => header.firstRow);
  for (const { segment, code } of found) {
    if (ibanRows.has(segment.id) && !/vat|ust|tva|iva|btw|nif|uid|tax/i.test(segment.text)) continue;
    const row = context.layout.rows[segment.row]!.segments.map((other) => other.text).join(" ");
    const isLabelled = /vat|ust|tva|iva|btw|nif|uid|tax id|mwst|steuer|nip|cif/i.test(row) || labelled.has(segment.id);
    if (!isLabelled && !code.isValid) continue;
    const saysBuyer = /client|customer|kunde|cliente|klant|käufer|votre|ihre|your|buyer|nabywca/i.test(
      labelBefore(context, segment),
    );
    const buyerAt = parties.buyer.name;
    const sellerAt = parties.seller.name;
    const nearBuyer =
      buyerAt?.box &&
      buyerAt.page === segment.page &&
      segment.box[1] >= buyerAt.box[1] &&
      segment.box[1] - buyerAt.box[3] < 0.15 &&
      Math.abs(segment.box[0] - buyerAt.box[0]) < 0.25 &&
      !items.some((row) => row < segment.row && context.layout.rows[row]!.top > buyerAt.box![3]);
    const nearSeller =
      sellerAt?.box &&
      sellerAt.page === segment.page &&
      segment.box[1] >= sellerAt.box[1] &&
      segment.box[1] - sellerAt.box[3] < 0.15 &&
      Math.abs(segment.box[0] - sellerAt.box[0]) < 0.25;
    const closerToBuyer = nearBuyer && (!nearSeller || buyerAt!.box![1] > sellerAt!.box![1]);
    const party = saysBuyer || closerToBuyer ? parties.buyer : parties.seller;
    const finding = findingIn(code.value, segment, boxOfSpan(segment, code.from, code.to), {
      fit: 0.8,
      isLabelled,
      isChecked: code.isValid || undefined,
      margin: 0.6,
    });
    if (!party.vat_id) party.vat_id = finding;
  }
}
