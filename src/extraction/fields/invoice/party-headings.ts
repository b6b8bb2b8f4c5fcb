import { startAlike } from "../../reading/geometry.ts";
import { type Label, labelsIn } from "../../reading/labels.ts";
import type { Segment } from "../../reading/segment.ts";
import { attention, isPartyFiller, type PartyRole, partyIndex, saysBank } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { isNameLike, linesUnder } from "./address.ts";

/** The words that say who is who, as headings over a block, beside a name or before it. */
export function findPartyHeadings(context: Context): Label<PartyRole>[] {
  return context.layout.segments
    .filter((segment) => segment.page <= 2 && !isRecipient(context, segment) && !isPaymentRow(context, segment))
    .flatMap((segment) => labelsIn(segment, partyIndex))
    .map(wholeHeading)
    .filter(
      (label) => label.from <= 2 && isHeading(label) && !isMisreadTitle(context, label) && !isAccount(context, label),
    )
    .map((label, _, all) => (label.name === "name" ? { ...label, name: roleAbove(label, all) } : label))
    .map((label, _, all) => (isBesideBuyer(label, all) ? { ...label, name: "seller" as const } : label))
    .map((label, _, all) => (isOnlyName(label, all) ? { ...label, name: "buyer" as const, isStrong: false } : label));
}

/** "Name:" in a box with the heading "Customer" is the customer's. */
function roleAbove({ segment, name }: Label<PartyRole>, labels: readonly Label<PartyRole>[]): PartyRole {
  const over = labels.filter(
    (other) =>
      other.isAlone &&
      (other.name === "seller" || other.name === "buyer" || other.name === "other") &&
      other.segment.page === segment.page &&
      other.segment.row < segment.row &&
      segment.row - other.segment.row <= mostRowsOfBox,
  );
  // Of two boxes side by side the one that begins where the label does.
  return (over.findLast((other) => startAlike(other.segment.box, segment.box)) ?? over.at(-1))?.name ?? name;
}

/** "Company" beside "Client" is the one who sells. */
function isBesideBuyer(label: Label<PartyRole>, labels: readonly Label<PartyRole>[]): boolean {
  const { segment } = label;
  return (
    label.name === "name" &&
    label.isAlone &&
    !segment.text.includes(":") &&
    labels.some(
      (other) =>
        other.name === "buyer" &&
        other.isAlone &&
        other.segment.row === segment.row &&
        !other.segment.text.includes(":"),
    )
  );
}

/** "Name: ..." on a bill that says nowhere else who is billed. */
function isOnlyName(label: Label<PartyRole>, labels: readonly Label<PartyRole>[]): boolean {
  return (
    label.name === "name" &&
    !labels.some((other) => other !== label && (other.name === "buyer" || (other.name === "name" && !other.isAlone)))
  );
}

/** A box about a party has few rows. */
export const mostRowsOfBox = 4;

/** "Dados do cliente" and "Customer details" say no more than "Cliente" and "Customer". */
function wholeHeading(label: Label<PartyRole>): Label<PartyRole> {
  const { segment, isAlone, name } = label;
  const { text } = segment;
  // "Sprzedawca (seller)" says it in two languages.
  const same = labelsIn(segment, partyIndex).filter((other) => other.name === name);
  const rest = same.reduceRight((left, other) => left.slice(0, other.from) + left.slice(other.to), text);
  const isWhole = !isAlone && name !== "name" && name !== "address" && isPartyFiller(rest);
  return isWhole ? { ...label, from: 0, to: text.length, isAlone: true } : label;
}

/** A party label is the whole run of text, or is followed by a colon, or ends in "to", or stands out by its capitals. */
function isHeading({ segment, to, isAlone, isStrong }: Label<PartyRole>): boolean {
  const words = segment.text.slice(0, to);
  const tail = segment.text.slice(to);
  const isInCapitals = words === words.toUpperCase() && tail !== tail.toUpperCase();
  return isAlone || /^\s*[:：]/.test(tail) || (isStrong && (/ to$/i.test(words) || isInCapitals));
}

/** Whom a letter should reach at the company named above is no party. */
export function isRecipient({ layout, labelsOf }: Context, segment: Segment): boolean {
  const above = layout.rows[segment.row - 1]?.segments.find((other) => startAlike(other.box, segment.box));
  return (
    above !== undefined &&
    attention.test(segment.text) &&
    isNameLike(above.text) &&
    labelsIn(above, partyIndex).length === 0 &&
    labelsOf(above).length === 0
  );
}

/** "FACTURE" is one letter away from "Facture à". */
function isMisreadTitle({ labelsOf }: Context, { segment, from, to }: Label): boolean {
  const isExact = labelsIn({ ...segment, source: "text" }, partyIndex).some((label) => label.from === from);
  return !isExact && labelsOf(segment).some((label) => label.from === from && label.to >= to);
}

/** "Account name" over a sort code is whom to pay. */
function isAccount(context: Context, { name, segment }: Label<PartyRole>): boolean {
  const under = linesUnder(context, segment, () => false).slice(0, 3);
  return name === "buyer" && under.some(({ text }) => saysBank(text));
}

/** "Pay to: Volksbank, IBAN ..." names the bank, not the seller. */
export function isPaymentRow({ layout }: Context, { row }: Segment): boolean {
  return saysBank(layout.rows[row]!.text);
}
