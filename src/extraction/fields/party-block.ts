import { findDates } from "../reading/dates.ts";
import { boxOfSpan, type Segment, union } from "../reading/layout.ts";
import type { Context } from "./context.ts";
import { type Finding, findingIn } from "./finding.ts";
import type { Label } from "./labels.ts";
import { companySuffix, isContactLine, isCountry, isPostalLine, isStreetLine, type PartyRole } from "./party-words.ts";

export interface Party {
  name?: Finding<string>;
  address?: Finding<string>;
  vat_id?: Finding<string>;
}

export function makeParty(lead: string, segment: Segment, below: readonly Segment[], fit: number): Party {
  const isCut = below[0] !== undefined && isRestOfName(below[0].text);
  const name = isCut ? `${lead} ${below[0]!.text.trim()}` : lead;
  const following = isCut ? below.slice(1) : below;
  const address: Segment[] = [];
  for (const line of following) {
    if (isContactLine(line.text) || /^\p{L}[\p{L}. -]{2,25}\s?:/u.test(line.text)) {
      if (address.length > 0) break;
      continue;
    }
    const isAddress = isPostalLine(line.text) || isStreetLine(line.text) || isCountry(line.text);
    if (!isAddress && address.some((other) => isPostalLine(other.text))) break;
    if (!isAddress && address.length === 0 && !following.some((other) => isPostalLine(other.text))) continue;
    address.push(line);
  }
  const at = segment.text.indexOf(lead);
  const own = at < 0 ? segment.box : boxOfSpan(segment, at, at + lead.length);
  const box = isCut ? union(own, below[0]!.box) : own;
  const party: Party = { name: findingIn(name, segment, box, { fit, isLabelled: fit >= 0.7, margin: fit }) };
  const place = address.filter((line) => line.text !== name);
  if (place.some((line) => isPostalLine(line.text) || isStreetLine(line.text))) {
    const around = place.map((line) => line.box).reduce(union);
    party.address = findingIn(place.map((line) => line.text).join(", "), place[0]!, around, {
      fit: fit * 0.9,
      isLabelled: fit >= 0.7,
      margin: fit,
    });
  }
  return party;
}

/** A legal form that did not fit on the line of its name. */
function isRestOfName(text: string): boolean {
  const clean = text.trim();
  return clean.length <= 24 && clean.replace(companySuffix, "").replace(/[\s&().,]|haftungsbeschränkt/g, "") === "";
}

export function isNameLike(text: string): boolean {
  const clean = text.trim();
  if (clean.length < 2 || clean.length > 80 || clean.startsWith("(") || !/\p{L}{2}/u.test(clean)) return false;
  if (isContactLine(clean) && !companySuffix.test(clean)) return false;
  // "EUR 2 478,07" is an amount.
  if (/^\p{L}{3}\s+[\d\s.,]+$/u.test(clean)) return false;
  if (/^\W*\d+[\d\s/.-]*$/.test(clean) || isCountry(clean) || findDates(clean, "dmy").length > 0) return false;
  // INV-2969 and BC395 are numbers of something.
  if (/^[\p{Lu}\d./#-]+$/u.test(clean) && /\d{2}/.test(clean)) return false;
  if (/^(globale )?(nummer|number|gln|no|nr|kunden-?nr|lief-?nr|id)\b/i.test(clean)) return false;
  if (/:\s*\S/.test(clean) && !/^(attn|att|c\/o|name|firma|company)\b/i.test(clean)) return false;
  return !isPostalLine(clean) || companySuffix.test(clean);
}

export function cleanName(text: string): string {
  return text
    .replace(/^(attn|att|attention|name|firma|company|m\/s|messrs|spett\.?le|exmo\.?s?)\s*[.:]?\s*/i, (lead) =>
      lead.trim().length > 0 && /[:.]|attn|m\/s/i.test(lead) ? "" : lead,
    )
    .replace(/[\s,;:|·•●-]+$/, "")
    .trim();
}

/** Whether a run of text is a label of some other field, such as "Customer no." */
export function startsWithLabel(context: Context, segment: Segment): boolean {
  return context
    .labelsOf(segment)
    .some(
      (label) =>
        label.from <= 2 &&
        (label.isAlone || (label.isStrong && label.length > 5)) &&
        label.name !== "allowance" &&
        label.name !== "prepaid",
    );
}

/** Lines below with the same left edge, until a gap or another heading. */
export function linesUnder(
  context: Context,
  start: Segment,
  labels: readonly Label<PartyRole>[],
): { lines: Segment[] } {
  const lines: Segment[] = [];
  let last = start;
  for (let index = start.row + 1; index < context.layout.rows.length && lines.length < 9; index++) {
    const row = context.layout.rows[index]!;
    if (row.page !== start.page) break;
    const next = row.segments.find(
      (segment) =>
        Math.abs(segment.box[0] - start.box[0]) < 0.02 ||
        (segment.box[0] < start.box[0] && segment.box[2] > start.box[2]),
    );
    if (!next) {
      if (row.top - last.box[3] > Math.max(start.height, context.layout.lineHeight) * 2.6) break;
      continue;
    }
    if (next.box[1] - last.box[3] > Math.max(start.height, context.layout.lineHeight) * 2.4) break;
    const heading = labels.find(
      (label) => label.segment.id === next.id && label.name !== "name" && label.name !== "address" && label.isAlone,
    );
    if (heading && lines.length > 0) break;
    if (!heading) lines.push(next);
    last = next;
  }
  return { lines };
}
