import { isSameBlock } from "../../reading/geometry.ts";
import { hasLegalForm, hasStreetWord, isCountry, isPostalLine } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { isStreetLine } from "../invoice/address.ts";
import type { Candidate } from "../pick.ts";
import { candidateOf, type HeadLine } from "./head-lines.ts";

/** Every run of lines under the name that could be the address, from its first line to its last. */
export function proposeAddress(context: Context, head: readonly HeadLine[], company: number): Candidate<string>[] {
  const candidates: Candidate<string>[] = [];
  const towns = head.flatMap((line, index): Town[] => {
    const above = head[index - 1];
    const street = isWhole(line.text) ? line : above?.isPlace ? above : undefined;
    return street && isTown(line) ? [{ line, street }] : [];
  });
  // The address of the shop may stand over the name of the company that owns it.
  const shop = towns[0] && head.indexOf(towns[0].line) < company ? head.findIndex(({ isPlace }) => isPlace) : -1;
  const start = shop < 0 ? company : shop;
  // A telephone number between the street and the town is passed over; behind the last town it ends the address.
  const end = head.findIndex(
    ({ isContact }, index) =>
      isContact &&
      head.slice(start, index).some((line) => line.hasPostcode) &&
      !towns.some((town) => head.indexOf(town.line) > index && isOther(town, towns[0]!)),
  );
  const lines = head
    .slice(start, end < start ? undefined : end)
    .filter(({ isContact }) => !isContact)
    .slice(0, 10);
  const starts = startsOfAddresses(lines, towns);
  const owners = starts.filter((at) => isOwner(head[head.indexOf(lines[at]!) - 1]));
  for (let first = 0; first < Math.min(starts.length > 1 ? 8 : 5, lines.length); first++) {
    for (let last = first; last < Math.min(lines.length, first + 6); last++) {
      const inside = lines.slice(first, last + 1);
      const above = head[head.indexOf(lines[last]!) - 1];
      if (last > first && above && !isSameBlock(lines[last]!.row.top, above.row.bottom, context.layout.lineHeight))
        break;
      if (inside.at(-1)!.isLabel && !inside.at(-1)!.hasPostcode) break;
      const own = starts.findLast((at) => at <= first);
      candidates.push(
        addressCandidate(lines, first, last, inside, {
          starts,
          isOfOwner: own !== undefined && owners.includes(own) && owners.length < starts.length,
        }),
      );
    }
  }
  return candidates;
}

/** A line with a postcode and a town, and the line with its street: the same or the one above. */
interface Town {
  readonly line: HeadLine;
  readonly street: HeadLine;
}

/** A street in front of or behind the town. */
const isWhole = (text: string): boolean => text.includes(",") && (hasStreetWord(text) || isStreetLine(text));

/** A postcode and a town, and no comma behind them: there the address would go on. */
function isTown({ hasPostcode, isCode, text }: HeadLine): boolean {
  return hasPostcode && !isCode && isPostalLine(text) && /(?:\d{4}|\d[ -]\d{2}).*[^,\s]$/.test(text);
}

const codeOf = (text: string): string => /\d[\d -]{2,}\d/.exec(text)?.[0].replace(/\D/g, "") ?? text;

/** Postcodes of a country are of one length; two that differ in a digit may be one that was read twice. Two streets may be in one town. */
function isOther({ line, street }: Town, town: Town): boolean {
  const [own, other] = [codeOf(line.text), codeOf(town.line.text)];
  if (own === other) return street !== town.line && namesOf(street.text) !== namesOf(town.street.text);
  return own.length === other.length && [...own].filter((digit, at) => digit !== other[at]).length > 1;
}

const namesOf = (text: string): string => text.toLowerCase().replace(/\P{L}/gu, "");

/** Where the lines hold two towns, the lines that their addresses begin with. */
function startsOfAddresses(lines: readonly HeadLine[], towns: readonly Town[]): number[] {
  const found = towns.filter(({ line }) => lines.includes(line));
  const others = found
    .filter((town, order) => order === 0 || isOther(town, found[order - 1]!))
    .map(({ line }) => lines.indexOf(line));
  if (others.length < 2) return [];
  return others.map((town, order) => {
    const above = order === 0 ? 0 : others[order - 1]! + 1;
    let start = town;
    while (start > above && lines[start - 1]!.isPlace) start--;
    return start;
  });
}

/** A name with its legal form: what stands under it is where the company has its office. */
function isOwner(above: HeadLine | undefined): boolean {
  return above !== undefined && !above.isPlace && hasLegalForm(above.text);
}

interface Addresses {
  readonly starts: readonly number[];
  readonly isOfOwner: boolean;
}

function addressCandidate(
  lines: readonly HeadLine[],
  first: number,
  last: number,
  inside: readonly HeadLine[],
  { starts, isOfOwner }: Addresses,
): Candidate<string> {
  const next = lines[last + 1];
  const before = lines[first - 1];
  const text = inside
    // "**** Long Street 57 ****"
    .map((line) => line.text.replace(/^[\s*]+|[\s*]+$/g, ""))
    .join(" ")
    // "Address: 12 Mill Road", "Adresse : ...".
    .replace(/^\p{L}{5,12}\s?:\s*/u, "");
  const share = (test: (line: HeadLine) => boolean): number => inside.filter(test).length / inside.length;
  const isFirst = starts.includes(first);
  return candidateOf(
    text,
    inside.map(({ row }) => row),
    {
      ends_well: inside.at(-1)!.hasPostcode || isCountry(lastWords(inside.at(-1)!.text)),
      starts_place: inside[0]!.isPlace,
      code: share(({ isCode }) => isCode),
      place_follows: next?.isPlace && !starts.includes(last + 1),
      place_before:
        !isFirst && before?.isPlace && !before.isCode && (/^\d/.test(before.text) || !hasLegalForm(before.text)),
      order: isFirst ? 0 : first / 5,
      two_places: starts.some((at) => at > first && at <= last),
      head_office: isOfOwner,
    },
  );
}

function lastWords(text: string): string {
  return text
    .replace(/[.\s]+$/, "")
    .split(/[,\d]/)
    .at(-1)!
    .trim();
}
