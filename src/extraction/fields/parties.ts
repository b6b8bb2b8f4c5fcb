import type { Box } from "../../ports/document-reader.ts";
import { findVatIds } from "../reading/checks.ts";
import { findDates } from "../reading/dates.ts";
import { boxOfSpan, type Segment, union } from "../reading/layout.ts";
import { fold } from "../reading/normalize.ts";
import { valuesNear } from "./candidates.ts";
import type { Context } from "./context.ts";
import { type Finding, findingIn } from "./finding.ts";
import { type Label, labelsIn } from "./labels.ts";
import {
  companySuffix,
  isContactLine,
  isCountry,
  isPostalLine,
  isStreetLine,
  type PartyRole,
  partyIndex,
} from "./party-words.ts";

export interface Party {
  name?: Finding<string>;
  address?: Finding<string>;
  vat_id?: Finding<string>;
}

export interface Parties {
  seller: Party;
  buyer: Party;
}

/** Lines that belong together under one name. */
interface Block {
  readonly lines: readonly Segment[];
  readonly box: Box;
  readonly page: number;
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
    .filter((label) => label.name === role)
    .sort((left, right) => Number(right.isStrong) - Number(left.isStrong) || right.length - left.length);
  for (const label of ranked) {
    const party = partyUnder(context, label, labels);
    if (party) return party;
  }
  return undefined;
}

function partyUnder(context: Context, label: Label<PartyRole>, labels: readonly Label<PartyRole>[]): Party | undefined {
  const rest = label.segment.text.slice(label.to).replace(/^[\s:：.]+/, "");
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
    if (!isTableLike || under.lines.length === 0) lines.push({ segment: right, text: right.text });
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

/** Whether a run of text is a label of some other field, such as "Customer no." */
function startsWithLabel(context: Context, segment: Segment): boolean {
  return context.labels.some(
    (label) =>
      label.segment.id === segment.id &&
      label.from <= 2 &&
      (label.isAlone || (label.isStrong && label.length > 5)) &&
      label.name !== "allowance" &&
      label.name !== "prepaid",
  );
}

/** Lines below with the same left edge, until a gap or another heading. */
function linesUnder(context: Context, start: Segment, labels: readonly Label<PartyRole>[]): { lines: Segment[] } {
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

function makeParty(name: string, segment: Segment, following: readonly Segment[], fit: number): Party {
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
  const at = segment.text.indexOf(name);
  const box = at < 0 ? segment.box : boxOfSpan(segment, at, at + name.length);
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

function isNameLike(text: string): boolean {
  const clean = text.trim();
  if (clean.length < 2 || clean.length > 80 || !/\p{L}{2}/u.test(clean)) return false;
  if (isContactLine(clean) && !companySuffix.test(clean)) return false;
  if (/^\W*\d+[\d\s/.-]*$/.test(clean) || isCountry(clean) || findDates(clean, "dmy").length > 0) return false;
  if (/^(globale )?(nummer|number|gln|no|nr|kunden-?nr|lief-?nr|id)\b/i.test(clean)) return false;
  if (/:\s*\S/.test(clean) && !/^(attn|att|c\/o|name|firma|company)\b/i.test(clean)) return false;
  return !isPostalLine(clean) || companySuffix.test(clean);
}

function cleanName(text: string): string {
  return text
    .replace(/^(attn|att|attention|name|firma|company|m\/s|messrs|spett\.?le|exmo\.?s?)\s*[.:]?\s*/i, (lead) =>
      lead.trim().length > 0 && /[:.]|attn|m\/s/i.test(lead) ? "" : lead,
    )
    .replace(/[\s,;:|·•●-]+$/, "")
    .trim();
}

/** Reads the page as a letter: sender line, address window, letterhead, footer. */
function readLetter(
  context: Context,
  labels: readonly Label<PartyRole>[],
  knownBuyer: string | undefined,
  knownSeller: string | undefined,
): { seller?: Party; buyer?: Party } {
  const sender = findSenderLine(context);
  const blocks = findBlocks(context, labels, sender?.segment.row);
  const result: { seller?: Party; buyer?: Party } = {};
  if (!knownBuyer) {
    const window = sender
      ? blocks.find(
          (block) =>
            Math.abs(block.box[0] - sender.segment.box[0]) < 0.08 &&
            block.box[1] >= sender.segment.box[1] &&
            block.box[1] - sender.segment.box[3] < 0.12,
        )
      : undefined;
    const under = sender && !window ? linesBelowSender(context, sender.segment) : [];
    if (under.length > 0) {
      result.buyer = makeParty(cleanName(under[0]!.text), under[0]!, under.slice(1), 0.6);
    }
    const others = blocks.filter(
      (block) => !isOwnBlock(context, block, sender?.name ?? knownSeller) && block.box[1] < 0.45,
    );
    const chosen =
      window ??
      (others.length > 0 && (sender || knownSeller || others.length > 1)
        ? others.sort((left, right) => right.box[1] - left.box[1])[0]
        : undefined);
    const name = chosen?.lines.find((line) => isNameLike(line.text) && !startsWithLabel(context, line));
    if (chosen && name && !result.buyer)
      result.buyer = makeParty(
        cleanName(name.text),
        name,
        chosen.lines.slice(chosen.lines.indexOf(name) + 1),
        window ? 0.65 : 0.45,
      );
  }
  if (!knownSeller) {
    const buyerName = knownBuyer ?? result.buyer?.name?.value;
    const seller = findLetterhead(context, sender, blocks, labels, buyerName);
    if (seller) result.seller = seller;
  }
  return result;
}

/** "Kraxi GmbH · Flugzeugallee 17 · 12345 Papierfeld": the small line above the address window. */
function findSenderLine(context: Context): { name: string; segment: Segment; address: string } | undefined {
  for (const row of context.layout.rows) {
    if (row.page > 1 || row.top > 0.45) continue;
    const left = row.segments.filter((segment) => segment.box[0] < 0.65);
    const text = left.map((segment) => segment.text).join(" ");
    if (left.length === 0 || text.length > 130 || !isPostalLine(text)) continue;
    const parts = text.split(/\s*[·•●|∙⋅,;]\s*|\s+[-–]\s+/).filter((part) => part !== "");
    const isSplit =
      parts.length > 2 &&
      parts.length < 8 &&
      isNameLike(parts[0]!) &&
      !isStreetLine(parts[0]!) &&
      parts.slice(1, 5).some(isPostalLine);
    const name = isSplit ? parts[0]! : nameBeforeAddress(context, text, row.index);
    if (!name) continue;
    const address = isSplit
      ? parts
          .slice(1)
          .filter((part) => !isContactLine(part))
          .join(", ")
      : text.slice(name.length).trim();
    return { name: cleanName(name), segment: left[0]!, address };
  }
  return undefined;
}

/** Recognition drops the dots between the parts: the name then ends with its legal form, or stands elsewhere on its own. */
function nameBeforeAddress(context: Context, text: string, row: number): string | undefined {
  const lead = /^(.{3,60}?)\s+\S.*\d{4,5}\s+\p{Lu}/u.exec(text);
  if (!lead) return undefined;
  const words = text.split(/\s+/);
  for (let count = 1; count <= Math.min(6, words.length - 3); count++) {
    const name = words.slice(0, count).join(" ");
    if (count > 1 && companySuffix.test(words[count - 1]!) && isNameLike(name)) return name;
  }
  const own = context.layout.segments.find(
    (other) =>
      other.row !== row &&
      other.page === 1 &&
      other.text.length >= 5 &&
      text.startsWith(other.text) &&
      text.length > other.text.length + 8 &&
      isNameLike(other.text),
  );
  return own?.text;
}

/** What stands in the address window under a sender line, however far apart its lines are. */
function linesBelowSender(context: Context, sender: Segment): Segment[] {
  const lines: Segment[] = [];
  for (const segment of context.layout.segments) {
    if (segment.page !== sender.page || segment.row <= sender.row || Math.abs(segment.box[0] - sender.box[0]) > 0.08)
      continue;
    const last = lines.at(-1) ?? sender;
    if (segment.box[1] - last.box[3] > Math.max(segment.height, sender.height) * 4.5) break;
    if (lines.length > 0 && Math.abs(segment.box[0] - lines[0]!.box[0]) > 0.015) continue;
    if (lines.length === 0 && (!isNameLike(segment.text) || startsWithLabel(context, segment))) break;
    lines.push(segment);
    if (isPostalLine(segment.text)) break;
  }
  return lines.length > 1 && isPostalLine(lines.at(-1)!.text) ? lines : [];
}

/** Groups of left-aligned lines that contain a postcode line. */
function findBlocks(context: Context, labels: readonly Label<PartyRole>[], senderRow: number | undefined): Block[] {
  const blocks: Block[] = [];
  const used = new Set<number>();
  for (const segment of context.layout.segments) {
    if (
      segment.page > 1 ||
      used.has(segment.id) ||
      segment.row === senderRow ||
      !isPostalLine(segment.text) ||
      segment.text.length > 70
    )
      continue;
    const lines: Segment[] = [segment];
    let top = segment;
    for (let index = segment.row - 1; index >= 0 && lines.length < 6; index--) {
      const row = context.layout.rows[index]!;
      if (row.page !== segment.page || (row.index === senderRow && row.segments[0]!.box[0] < segment.box[0] + 0.1))
        break;
      const above = row.segments.find((other) => Math.abs(other.box[0] - segment.box[0]) < 0.012);
      if (!above) {
        if (top.box[1] - row.bottom > segment.height * 2.6) break;
        continue;
      }
      if (top.box[1] - above.box[3] > segment.height * 2.6) break;
      if (labels.some((label) => label.segment.id === above.id && label.isAlone)) break;
      if (
        /[·•●|]/.test(
          row.segments
            .filter((other) => other.box[0] < 0.65)
            .map((other) => other.text)
            .join(" "),
        ) &&
        above.text.length < 90
      )
        break;
      lines.unshift(above);
      top = above;
    }
    if (lines.length < 2) continue;
    for (const line of lines) used.add(line.id);
    blocks.push({ lines, box: lines.map((line) => line.box).reduce(union), page: segment.page });
  }
  return blocks;
}

/** Whether a block is the sender's own: it names the sender or is followed by ways to reach them. */
function isOwnBlock(context: Context, block: Block, seller: string | undefined): boolean {
  const text = block.lines.map((line) => line.text).join(" ");
  if (seller && fold(text).includes(fold(seller))) return true;
  const last = block.lines.at(-1)!;
  const after = context.layout.segments.filter(
    (segment) =>
      segment.page === last.page &&
      Math.abs(segment.box[0] - last.box[0]) < 0.02 &&
      segment.box[1] > last.box[1] &&
      segment.box[1] - last.box[3] < last.height * 4,
  );
  return after.some((segment) => isContactLine(segment.text)) || block.box[1] > 0.8;
}

function findLetterhead(
  context: Context,
  sender: { name: string; segment: Segment; address: string } | undefined,
  blocks: readonly Block[],
  labels: readonly Label<PartyRole>[],
  buyer: string | undefined,
): Party | undefined {
  const text = fold(context.layout.text);
  const domain = /(?:@|www\.|https?:\/\/)([\p{L}\d-]+)\.\p{L}{2,}/iu.exec(context.layout.text)?.[1];
  const buyerBox = buyer ? context.layout.segments.find((segment) => segment.text.includes(buyer)) : undefined;
  const usual = context.layout.lineHeight;
  const scored = context.layout.segments
    .filter((segment) => segment.page === 1 && isNameLike(leadName(segment.text)) && !context.isLabel(segment))
    .filter((segment) => !labels.some((label) => label.segment.id === segment.id && label.isAlone))
    .map((segment) => {
      const name = leadName(segment.text);
      if (buyer && fold(name) === fold(buyer)) return { segment, name, points: -1 };
      let points = 0;
      if (companySuffix.test(name)) points += 0.45;
      if (segment.box[1] < 0.3) points += 0.3 * (1 - segment.box[1] / 0.3);
      if (segment.height > usual * 1.25) points += 0.25;
      if (segment.isBold) points += 0.08;
      if (sender && fold(sender.name) === fold(name)) points += 0.6;
      if (
        domain &&
        domain.length > 3 &&
        fold(name)
          .replace(/[^a-z0-9]/g, "")
          .includes(
            fold(domain)
              .replace(/[^a-z0-9]/g, "")
              .slice(0, 12),
          )
      )
        points += 0.35;
      if (occurrences(text, fold(name)) > 1) points += 0.2;
      if (blocks.some((block) => block.lines[0]!.id === segment.id && isOwnBlock(context, block, name))) points += 0.2;
      if (segment.row === 0) points += 0.15;
      if (isTitle(name)) points -= 0.8;
      if (isStreetLine(name) && !companySuffix.test(name)) points -= 0.4;
      if (name.split(/\s+/).length > 7) points -= 0.3;
      if (name === name.toLowerCase()) points -= 0.3;
      if (
        buyerBox &&
        segment.box[1] > buyerBox.box[1] &&
        segment.box[1] < 0.6 &&
        Math.abs(segment.box[0] - buyerBox.box[0]) < 0.02
      )
        points -= 0.3;
      if (segment.box[1] > 0.4 && segment.box[1] < 0.78) points -= 0.3;
      return { segment, name, points };
    })
    .sort((left, right) => right.points - left.points);
  const winner = scored[0];
  if (!winner || winner.points < 0.25) return undefined;
  const rival = scored.find((other) => fold(other.name) !== fold(winner.name));
  const under = linesUnder(context, winner.segment, labels).lines;
  const party = makeParty(cleanName(winner.name), winner.segment, under, Math.min(0.69, 0.3 + winner.points * 0.35));
  party.name = findingIn(party.name!.value, winner.segment, party.name!.box!, {
    fit: Math.min(1, winner.points),
    isLabelled: false,
    margin: rival ? Math.max(0, Math.min(1, winner.points - rival.points)) : 1,
  });
  if (!party.address && sender && fold(sender.name) === fold(winner.name) && sender.address) {
    party.address = findingIn(sender.address, sender.segment, sender.segment.box, {
      fit: 0.6,
      isLabelled: false,
      margin: 0.5,
    });
  }
  return party;
}

/** The name at the start of a line that goes on with an address. */
function leadName(text: string): string {
  const lead = text.split(/\s*[·•●|∙]\s*|\s+[-–]\s+(?=.*\d)/)[0]!;
  return cleanName(lead);
}

function isTitle(text: string): boolean {
  return (
    /^(tax |commercial |proforma |sales |e-?)?(invoice|rechnung|facture|factura|fattura|factuur|fatura|receipt|quittung|credit note|gutschrift|avoir|statement|bill|original|copy|kopie|duplicata|handelsrechnung|quote|estimate|proforma|page|seite|order|paid|due|overdue)\b/i.test(
      text,
    ) ||
    /\b(stylesheet|beispiel-?rechnung|version|seite|page) \b/i.test(text) ||
    /^(\p{L} ){4,}/u.test(text)
  );
}

function occurrences(text: string, part: string): number {
  return part.length < 4 ? 0 : text.split(part).length - 1;
}

/** A VAT number belongs to the party in whose block it stands, else the seller's is the one in letterhead or footer. */
function assignVatIds(context: Context, parties: Parties): void {
  const found = context.layout.segments.flatMap((segment) =>
    findVatIds(segment.text).map((code) => ({ segment, code })),
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
  for (const { segment, code } of found) {
    if (ibanRows.has(segment.id) && !/vat|ust|tva|iva|btw|nif|uid|tax/i.test(segment.text)) continue;
    const row = context.layout.rows[segment.row]!.segments.map((other) => other.text).join(" ");
    const isLabelled = /vat|ust|tva|iva|btw|nif|uid|tax id|mwst|steuer/i.test(row) || labelled.has(segment.id);
    if (!isLabelled && !code.isValid) continue;
    const saysBuyer = /client|customer|kunde|cliente|klant|käufer|votre|ihre|your|buyer/i.test(row);
    const buyerAt = parties.buyer.name;
    const sellerAt = parties.seller.name;
    const nearBuyer =
      buyerAt?.box &&
      buyerAt.page === segment.page &&
      segment.box[1] >= buyerAt.box[1] &&
      segment.box[1] - buyerAt.box[3] < 0.15 &&
      Math.abs(segment.box[0] - buyerAt.box[0]) < 0.25;
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
