import type { Box } from "../../../ports/document-reader.ts";
import { startAlike } from "../../reading/geometry.ts";
import type { Label } from "../../reading/labels.ts";
import { weakly } from "../../reading/normalize.ts";
import type { Segment } from "../../reading/segment.ts";
import { isPostalLine, type PartyRole } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { type Candidate, candidateIn, type Finding, pick, scoreOf } from "../pick.ts";
import type { addressIn } from "./address.ts";
import { findFullName } from "./full-name.ts";
import { findPartyHeadings, mostRowsOfBox } from "./party-headings.ts";
import { commonReasons, hasRole, type Role, roleReasons } from "./party-reasons.ts";
import { addressUnder, findSpots, isSameName, type Spot } from "./spots.ts";
import { findVatIds } from "./vat-ids.ts";

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
