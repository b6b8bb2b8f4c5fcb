import { findIbans } from "../../reading/checks.ts";
import { isInFoot, isLargePrint, isNearColumn } from "../../reading/geometry.ts";
import { attention, hasBusinessWord, hasLegalForm, isPostalLine } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import type { Notes } from "../pick.ts";
import { isItemRow } from "../spans.ts";
import { isContactLine, isStreetLine } from "./address.ts";
import { bare } from "./full-name.ts";
import { addressUnder, isSameName, type Spot } from "./spots.ts";
import { isInBlock } from "./vat-ids.ts";

export type Role = "seller" | "buyer";

/** What the words and the neighbourhood of a name say, whoever it names. */
export function commonReasons(context: Context, spot: Spot, spots: readonly Spot[]): Notes {
  const { name, segment, below } = spot;
  const near = below.slice(0, 4);
  const labels = context.labelsOf(segment);
  return {
    legal_form: hasLegalForm(name),
    business: hasBusinessWord(name),
    top: segment.page > 1 ? 0 : 1 - segment.box[1],
    first_row: segment.row === 0,
    large: isLargePrint(segment.height, context.layout.lineHeight),
    bold: segment.isBold,
    twice: spots.some((other) => other !== spot && isSameName(other.name, name)),
    over_address: near.some((line) => isPostalLine(line.text)),
    over_street:
      !near.some((line) => isPostalLine(line.text)) && near.slice(0, 2).some((line) => isStreetLine(line.text)),
    over_contact: below.some((line) => isContactLine(line.text)),
    street: isStreetLine(name) && !isOverStreet(spot),
    label: attention.test(segment.text) || labels.some((label) => !label.name.startsWith("title.") && label.from <= 2),
    digits: /\d/.test(name),
    item_row: isItemRow(context, segment.row),
    under_sender: isUnderSender(context, spot, spots),
    second_block: isSecondBlock(spot, spots),
    only_id: isOnlyWithId(context, spot, spots),
    // Right over it stands the bank.
    over_iban: addressUnder(spot) && below.slice(1).some((line) => findIbans(line.text).some(({ isValid }) => isValid)),
    domain: isInDomain(context, spot),
    foot: isInFoot(segment.box) && addressUnder(spot) !== undefined,
  };
}

/** "WEG Sonnenhalde 12" over "Kaiserstr. 40, 79098 Freiburg" is who lives there. */
function isOverStreet({ below }: Spot): boolean {
  const town = below.findIndex(({ text }) => isPostalLine(text));
  return town > 0 && below.slice(0, town).some(({ text }) => isStreetLine(text));
}

/** "timberlinesupply.com" away from the block of Timberline Supply Co.: in his own block a buyer has a mailbox, too. */
function isInDomain({ layout, once }: Context, { name, below }: Spot): boolean {
  const domains = once("domains", () =>
    layout.segments.flatMap((segment) =>
      [...segment.text.matchAll(domain)].map(([, found]) => ({ segment, letters: bare(found!) })),
    ),
  );
  const own = bare(name);
  return domains.some(
    ({ segment, letters }) =>
      own.length >= shortestDomain && !below.includes(segment) && (own.startsWith(letters) || letters.startsWith(own)),
  );
}

const domain = /(?:@|www\.|https?:\/\/)(?:www\.)?([\p{L}\d-]{5,})\.\p{L}{2}/giu;
const shortestDomain = 5;

/** Who sells prints a tax number under his address; of two blocks the one with a number is his. */
function isOnlyWithId({ labels }: Context, spot: Spot, spots: readonly Spot[]): boolean {
  const ids = labels.filter(({ name }) => name === "vat_id");
  const isUnderName = ids.some(({ segment }) => spots.some((one) => one.below.includes(segment)));
  const hasId = (one: Spot): boolean =>
    ids.some((label) => (isUnderName ? one.below.includes(label.segment) : isInBlock(label, one.segment)));
  if (ids.length === 0 || !addressUnder(spot) || !hasId(spot)) return false;
  const others = spots.filter(
    (other) => addressUnder(other) && !isStreetLine(other.name) && !isSameName(other.name, spot.name),
  );
  return others.length > 0 && !others.some(hasId);
}

/** The address window of a letter: right under the small line with the sender. */
function isUnderSender({ layout }: Context, { segment }: Spot, spots: readonly Spot[]): boolean {
  return spots.some(
    (other) =>
      other.inlineAddress !== undefined &&
      other.segment.page === segment.page &&
      segment.row > other.segment.row &&
      segment.box[1] - other.segment.box[3] < layout.lineHeight * 9 &&
      isNearColumn(Math.abs(segment.box[0] - other.segment.box[0])),
  );
}

/** Another name with an address stands over or left of this one. */
function isSecondBlock(spot: Spot, spots: readonly Spot[]): boolean {
  const { segment, name } = spot;
  // At the foot of the page stands who sends it.
  if (!addressUnder(spot) || isInFoot(segment.box) || isStreetUnder(spot, spots)) return false;
  return spots.some(
    (other) =>
      other.segment.id !== segment.id &&
      other.segment.page === segment.page &&
      (other.segment.row < segment.row || (other.segment.row === segment.row && other.box[0] < segment.box[0])) &&
      !isSameName(other.name, name) &&
      (addressUnder(other) || other.inlineAddress) &&
      !other.below.includes(segment),
  );
}

function isStreetUnder({ name, segment }: Spot, spots: readonly Spot[]): boolean {
  return isStreetLine(name) && spots.some(({ below }) => below.includes(segment));
}

/** "To" and "for" say half as much as "bill to": a guess. */
const weakRole = 0.5;

/** A heading says that this very name is the party's. */
export function hasRole({ claims }: Spot, role: Role): boolean {
  return claims.some(({ label, steps }) => label.name === role && label.isStrong && steps === 0);
}

export function roleReasons({ claims, below }: Spot, role: Role): Notes {
  const best = (isOwn: boolean): number =>
    Math.max(
      // Whoever has somebody to be asked for under the name is written to.
      below[0] && attention.test(below[0].text) && (role === "buyer") === isOwn ? weakRole : 0,
      ...claims
        .filter(({ label }) => (label.name === role) === isOwn)
        .map(({ label, steps }) => (label.isStrong || !isOwn ? 1 : weakRole) / (1 + steps)),
    );
  return { role: best(true), rival_role: best(false) };
}
