import type { Box } from "../../../ports/document-reader.ts";
import { findIbans } from "../../reading/checks.ts";
import { isInFoot, isLargePrint, isNearColumn, isRightUnder, startAlike, union } from "../../reading/geometry.ts";
import type { Label } from "../../reading/labels.ts";
import { boxOfSpan } from "../../reading/layout.ts";
import { weakly } from "../../reading/normalize.ts";
import type { Segment } from "../../reading/segment.ts";
import { attention, hasBusinessWord, hasLegalForm, isPostalLine, type PartyRole } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { farAnswer } from "../form/pieces.ts";
import { findItemHeaders } from "../item-headers.ts";
import { type Candidate, candidateIn, type Finding, type Notes, pick, scoreOf } from "../pick.ts";
import { isItemRow } from "../spans.ts";
import {
  addressIn,
  cleanName,
  isContactLine,
  isNameLike,
  isRestOfName,
  isStreetLine,
  leadName,
  linesUnder,
} from "./address.ts";
import { bare, findFullName } from "./full-name.ts";
import { findPartyHeadings, isPaymentRow, isRecipient, mostRowsOfBox } from "./party-headings.ts";
import { findVatIds, isInBlock } from "./vat-ids.ts";

/** A text that may name somebody, with what stands under it. */
interface Spot {
  readonly name: string;
  readonly segment: Segment;
  readonly box: Box;
  readonly below: readonly Segment[];
  readonly claims: readonly { label: Label<PartyRole>; place: "inline" | "right" | "below"; steps: number }[];
  /** The address, when it stands in the same run of text. */
  readonly inlineAddress?: string;
}

type Role = "seller" | "buyer";

interface Picked {
  readonly spot: Spot;
  readonly name: Finding<string>;
}

interface Choice {
  readonly seller?: Picked | undefined;
  readonly buyer?: Picked | undefined;
  readonly score: number;
}

/** An invoice names both, so much likelier is a reading that finds both: a guess. */
const bothNamed = 1;

/** Finds who sells and who buys: by role words, legal forms and addresses, and by where on the page they stand. */
export function findParties(context: Context): Record<string, Finding> {
  const labels = findPartyHeadings(context);
  const spots = findSpots(context, labels);
  const traits = spots.map((spot) => ({ spot, common: commonReasons(context, spot, spots) }));
  const wholeOf = weakly((spot: Spot) => findFullName(context, spot.name));
  const isSameParty = (one: Spot, other: Spot): boolean =>
    isSameName(wholeOf(one)?.name ?? one.name, wholeOf(other)?.name ?? other.name);
  const propose = (role: Role, taken: Spot | undefined): Candidate<Spot>[] =>
    traits.map(({ spot, common }) =>
      candidateIn(spot, spot.segment, spot.box, {
        ...common,
        ...roleReasons(spot, role),
        role_elsewhere: !hasRole(spot, role) && spots.some((other) => hasRole(other, role)),
        whole_elsewhere: wholeOf(spot) !== undefined,
        taken: taken !== undefined && isSameParty(taken, spot),
      }),
    );
  const choose = (order: readonly [Role, Role]): Choice => {
    const first = pickSpot(order[0], propose(order[0], undefined));
    const second = pickSpot(order[1], propose(order[1], first?.spot));
    const score = (first?.name.score ?? 0) + (second?.name.score ?? 0) + (first && second ? bothNamed : 0);
    return { seller: order[0] === "seller" ? first : second, buyer: order[0] === "buyer" ? first : second, score };
  };
  // Whoever is chosen first is not the other one.
  const sellerFirst = choose(["seller", "buyer"]);
  const buyerFirst = choose(["buyer", "seller"]);
  const chosen = buyerFirst.score > sellerFirst.score ? buyerFirst : sellerFirst;
  const isOpen = mayBeSwapped(chosen, propose);
  const found: Record<string, Finding> = {};
  for (const role of ["seller", "buyer"] as const) {
    const best = chosen[role];
    if (!best) continue;
    const name = isOpen ? { ...best.name, confidence: Math.min(best.name.confidence, addressAtMost) } : best.name;
    // The sign of a company stands for its name, which bookkeepers need.
    const whole = wholeOf(best.spot);
    found[`${role}.name`] = whole ? { ...name, value: whole.name, box: whole.box, page: whole.segment.page } : name;
    const full = whole && spots.find((spot) => isSameName(spot.name, whole.name));
    const address = (full && addressOf(full, [])) ?? addressOf(best.spot, spots);
    if (address)
      found[`${role}.address`] = { ...name, ...address, confidence: Math.min(name.confidence, addressAtMost) };
  }
  const blockOf = (role: Role): Segment | undefined => blockStart(role, chosen[role]?.spot.segment, labels);
  return { ...found, ...findVatIds(context, blockOf("seller"), blockOf("buyer")) };
}

/** Where the block of a party begins: at the heading over its name, if there is one, else at the name. */
function blockStart(role: Role, name: Segment | undefined, labels: readonly Label<PartyRole>[]): Segment | undefined {
  const heading = labels.findLast(
    (label) =>
      label.name === role &&
      label.isAlone &&
      label.segment.page === name?.page &&
      label.segment.row < name.row &&
      name.row - label.segment.row <= mostRowsOfBox &&
      startAlike(label.segment.box, name.box),
  );
  return heading?.segment ?? name;
}

/** Whether seller and buyer could nearly as well be each other. */
function mayBeSwapped(
  { seller, buyer }: Choice,
  propose: (role: Role, taken: undefined) => Candidate<Spot>[],
): boolean {
  if (!seller || !buyer) return false;
  const scoreAs = (role: Role, { spot }: Picked): number =>
    Math.max(
      ...propose(role, undefined)
        .filter(({ value }) => value === spot)
        .map(({ reasons }) => scoreOf(`${role}.name`, reasons)),
    );
  const swapped = scoreAs("seller", buyer) + scoreAs("buyer", seller);
  return scoreAs("seller", seller) + scoreAs("buyer", buyer) - swapped < closeCall;
}

/** Two ways to give the names that are so near to each other leave it open: a guess. */
const closeCall = 3;
/** Addresses fail in ways of their own, such as a line too much. */
const addressAtMost = 0.89;

function pickSpot(role: Role, candidates: readonly Candidate<Spot>[]): Picked | undefined {
  const named = candidates.map((candidate) => ({ ...candidate, value: candidate.value.name }));
  const name = pick(`${role}.name`, named);
  if (!name) return undefined;
  const spot =
    candidates.find(({ value, box }) => value.name === name.value && box === name.box) ??
    candidates.find(({ value }) => value.name === name.value);
  return spot && { spot: spot.value, name };
}

function addressOf(spot: Spot, spots: readonly Spot[]): { value: string; box: Box | null; page: number } | undefined {
  if (spot.inlineAddress) return { value: spot.inlineAddress, box: spot.box, page: spot.segment.page };
  const own = addressUnder(spot);
  const others = spots.filter((one) => one !== spot && isSameName(one.name, spot.name));
  const hasTown = (address: ReturnType<typeof addressIn>): boolean =>
    address?.lines.some(({ text }) => isPostalLine(text)) ?? false;
  // Lines that only look like a street give way to an address with a town.
  const other =
    others.find((one) => !hasTown(own) && (one.inlineAddress || hasTown(addressUnder(one)))) ??
    (own ? undefined : others.find(addressUnder));
  if (other) return addressOf(other, []);
  return own && { value: own.text, box: own.box, page: spot.segment.page };
}

/** Every name is compared with every other, so its address is looked for once. */
const addressUnder = weakly((spot: Spot) => addressIn(spot.below));

function isSameName(left: string, right: string): boolean {
  return left === right || bare(left) === bare(right);
}

/** Every text on the first pages that is shaped like a name. */
function findSpots(context: Context, labels: readonly Label<PartyRole>[]): Spot[] {
  const headings = findItemHeaders(context);
  const isHead = new Set(
    labels.filter((label) => label.name !== "name" && label.name !== "address").map((label) => label.segment.id),
  );
  const spots: Spot[] = [];
  const claims = claimNames(context, labels, isHead);
  const used = new Set<number>();
  for (const segment of context.layout.segments) {
    if (segment.page > 2 || spots.length > 150) break;
    if (used.has(segment.id) || isRecipient(context, segment) || isPaymentRow(context, segment)) continue;
    if (headings.some((header) => segment.row >= header.firstRow && segment.row <= header.lastRow)) continue;
    const own = labels.filter((label) => label.segment.id === segment.id);
    if (own.some(({ name, from }) => name === "address" && from === 0) && !hasLegalForm(segment.text)) continue;
    const inline = own.find((label) => !label.isAlone);
    const rest = inline ? segment.text.slice(inline.to).replace(/^[\s:：.]+/, "") : besideTitle(context, segment);
    if ((own.length > 0 && !inline) || /:$/.test(rest.trim())) continue;
    const split = splitAddress(rest);
    const name = split?.name ?? leadName(rest);
    if (!isNameLike(name) || (!inline && isOtherLabel(context, segment) && !hasLegalForm(name))) continue;
    const below = linesUnder(context, segment, (line) => isHead.has(line.id));
    const isCut =
      below[0] !== undefined &&
      (isRestOfName(below[0].text, name) ||
        (inline !== undefined && isWrapped(below)) ||
        isLargeName(context, segment, below[0]));
    if (isCut) used.add(below[0]!.id);
    const full = isCut ? `${name} ${below[0]!.text.trim()}` : name;
    const at = segment.text.indexOf(name);
    const box = at < 0 ? segment.box : boxOfSpan(segment, at, at + name.length);
    spots.push({
      name: full,
      segment,
      box: isCut ? union(box, below[0]!.box) : box,
      below: isCut ? below.slice(1) : below,
      claims: [
        ...(inline ? [{ label: inline, place: "inline" as const, steps: 0 }] : []),
        ...(claims.get(segment.id) ?? []),
      ],
      ...(split ? { inlineAddress: split.address } : {}),
    });
  }
  return spots;
}

/** "FACTURE - Parfumerie Xavier" and "Parfumerie Xavier - Facture": the name beside a title. */
function besideTitle({ labelsOf }: Context, segment: Segment): string {
  const titles = labelsOf(segment).filter(({ name }) => name.startsWith("title."));
  const parts = segment.text.split(/\s+[-–—|•·]\s+|(?<=\p{L}):\s+/u);
  const isTitled = (part: string): boolean =>
    titles.some(({ from }) => Math.abs(from - segment.text.indexOf(part)) <= 2);
  return parts.length === 2 ? (parts.find((part) => !isTitled(part)) ?? segment.text) : segment.text;
}

/** Large print that goes on in as large print right under it, as on a sign. */
function isLargeName(context: Context, line: Segment, next: Segment): boolean {
  const { lineHeight } = context.layout;
  const isSign = (segment: Segment): boolean =>
    isLargePrint(segment.height, lineHeight) &&
    segment.isBold === line.isBold &&
    segment.text.split(" ").length <= 3 &&
    /^\p{Lu}\D*$/u.test(segment.text) &&
    isNameLike(segment.text) &&
    context.labelsOf(segment).length === 0;
  return (
    isSign(line) &&
    isSign(next) &&
    next.row === line.row + 1 &&
    Math.abs(next.height - line.height) < line.height * sameSize &&
    isRightUnder(next.box[1], line.box[3], line.height / 2)
  );
}

/** Print of one size differs by no more, as capitals and tails make the boxes differ: a guess. */
const sameSize = 0.15;

/** In a block of labels with values a line without a label goes on with the value over it. */
function isWrapped([line, next]: readonly Segment[]): boolean {
  const isLabelled = (segment: Segment | undefined): boolean => /^\p{L}[\p{L}. ]{1,25}\s?:/u.test(segment?.text ?? "");
  return isLabelled(next) && !isLabelled(line) && isNameLike(line!.text) && !/[\d/]/.test(line!.text);
}

/** Which names stand beside or under which headings. */
function claimNames(
  context: Context,
  labels: readonly Label<PartyRole>[],
  isHead: ReadonlySet<number>,
): Map<number, Spot["claims"]> {
  const claims = new Map<number, { label: Label<PartyRole>; place: "right" | "below"; steps: number }[]>();
  const add = (segment: Segment, claim: { label: Label<PartyRole>; place: "right" | "below"; steps: number }): void => {
    claims.set(segment.id, [...(claims.get(segment.id) ?? []), claim]);
  };
  for (const label of labels) {
    if (label.name === "name" || label.name === "address") continue;
    const row = context.layout.rows[label.segment.row]!.segments;
    const right = row[row.indexOf(label.segment) + 1];
    // The sign of a company in the other corner is no answer to a heading.
    const isNear = right && right.box[0] - label.segment.box[2] < farAnswer;
    const hasRight = isNear && label.isAlone && !isHead.has(right.id);
    if (hasRight) add(right, { label, place: "right", steps: 0 });
    // "Assureur :" with a name behind it is no heading of what stands under it.
    const isPaired = hasRight && /[:：]\s*$/.test(label.segment.text);
    if (isPaired && isNameLike(leadName(right.text)) && !isOtherLabel(context, right)) continue;
    const under = linesUnder(context, label.segment, (line) => isHead.has(line.id));
    const names = label.isAlone
      ? under.filter((line) => isNameLike(leadName(line.text)) && !isOtherLabel(context, line))
      : [];
    // A person over the company is whom to ask for there.
    if (names[1] && isCompany(names[1]) && !isCompany(names[0]!)) names.unshift(...names.splice(1, 1));
    for (const [steps, line] of names.entries()) add(line, { label, place: "below", steps });
  }
  return claims;
}

function isCompany({ text }: Segment): boolean {
  return !/\d/.test(text) && (hasLegalForm(text) || hasBusinessWord(text));
}

/** Whether a run of text is a label of some other field, such as "Customer no." */
function isOtherLabel(context: Context, segment: Segment): boolean {
  return context
    .labelsOf(segment)
    .some(
      (label) =>
        label.from <= 2 && (label.isAlone || (label.isStrong && label.length > 5 && !label.name.startsWith("title."))),
    );
}

/** "Lis Sp. z o.o., ul. Długa 5, 50-069 Wrocław": a name and its address behind the heading. */
function splitAddress(text: string): { name: string; address: string } | undefined {
  for (const mark of text.matchAll(/\s*[,·•●|∙│]\s*|\s+[-–:]\s+/g)) {
    const name = cleanName(text.slice(0, mark.index));
    const places = text.slice(mark.index + mark[0].length).split(/\s*[,·•●|∙│]\s*|\s+[-–]\s+/);
    // What comes behind the town is how to reach or to pay somebody.
    const town = places.findIndex(isPostalLine);
    if (town >= 0 && isNameLike(name) && !isStreetLine(name))
      return { name, address: places.slice(0, town + 1).join(", ") };
    // Without a town, the end of a legal form and a street tell, or the number of a register behind the name.
    const rest = places.filter((place) => !isContactLine(place));
    if (
      isNameLike(name) &&
      places[0] &&
      (rest.length < places.length
        ? hasLegalForm(name) && !hasLegalForm(rest.join(" "))
        : hasLegalForm(name.split(" ").at(-1)!) && isStreetLine(places[0]))
    )
      return { name, address: rest.join(", ") };
  }
  // Recognition drops the dots between the parts: the name then ends with its legal form.
  const parts = text.split(/\s+/);
  for (let count = 2; count <= Math.min(6, parts.length - 3); count++) {
    const name = parts.slice(0, count).join(" ");
    const rest = parts.slice(count).join(" ");
    if (
      hasLegalForm(parts[count - 1]!) &&
      isNameLike(name) &&
      (isPostalLine(rest) || (count > 2 && isStreetLine(rest))) &&
      /\d/.test(parts[count]! + parts[count + 1]!)
    )
      return { name, address: rest };
  }
  return undefined;
}

/** What the words and the neighbourhood of a name say, whoever it names. */
function commonReasons(context: Context, spot: Spot, spots: readonly Spot[]): Notes {
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
function hasRole({ claims }: Spot, role: Role): boolean {
  return claims.some(({ label, steps }) => label.name === role && label.isStrong && steps === 0);
}

function roleReasons({ claims, below }: Spot, role: Role): Notes {
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
