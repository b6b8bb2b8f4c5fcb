import type { Box } from "../../../ports/document-reader.ts";
import { isLargePrint, isRightUnder, union } from "../../reading/geometry.ts";
import type { Label } from "../../reading/labels.ts";
import { boxOfSpan } from "../../reading/layout.ts";
import { weakly } from "../../reading/normalize.ts";
import type { Segment } from "../../reading/segment.ts";
import { hasBusinessWord, hasLegalForm, isPostalLine, type PartyRole } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { farAnswer } from "../form/pieces.ts";
import { findItemHeaders } from "../item-headers.ts";
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
import { bare } from "./full-name.ts";
import { isPaymentRow, isRecipient } from "./party-headings.ts";

/** A text that may name somebody, with what stands under it. */
export interface Spot {
  readonly name: string;
  readonly segment: Segment;
  readonly box: Box;
  readonly below: readonly Segment[];
  readonly claims: readonly { label: Label<PartyRole>; place: "inline" | "right" | "below"; steps: number }[];
  /** The address, when it stands in the same run of text. */
  readonly inlineAddress?: string;
}

/** Every name is compared with every other, so its address is looked for once. */
export const addressUnder = weakly((spot: Spot) => addressIn(spot.below));

export function isSameName(left: string, right: string): boolean {
  return left === right || bare(left) === bare(right);
}

/** Every text on the first pages that is shaped like a name. */
export function findSpots(context: Context, labels: readonly Label<PartyRole>[]): Spot[] {
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
    const whole = inline ? segment.text.slice(inline.to).replace(/^[\s:：.]+/, "") : besideTitle(context, segment);
    const rest = beforeId(context, segment, whole);
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

/** "Rosa Iglesias, S.L. NIF: B33918204": the name ends where its number begins. */
function beforeId({ labelsOf }: Context, segment: Segment, name: string): string {
  const label = labelsOf(segment).find((one) => one.name === "vat_id" && one.from > 2);
  const at = label ? name.indexOf(segment.text.slice(label.from, label.to)) : -1;
  return at > 2 ? name.slice(0, at).trimEnd() : name;
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
