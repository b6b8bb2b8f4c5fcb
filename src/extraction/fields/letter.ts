import type { Box } from "../../ports/document-reader.ts";
import { type Segment, union } from "../reading/layout.ts";
import { fold } from "../reading/normalize.ts";
import { type Context, isMoney } from "./context.ts";
import { findingIn } from "./finding.ts";
import { findItemHeaders } from "./item-headers.ts";
import type { Label } from "./labels.ts";
import { cleanName, isNameLike, linesUnder, makeParty, type Party, startsWithLabel } from "./party-block.ts";
import { companySuffix, isContactLine, isPostalLine, isStreetLine, type PartyRole } from "./party-words.ts";

/** Lines that belong together under one name. */
interface Block {
  readonly lines: readonly Segment[];
  readonly box: Box;
  readonly page: number;
}

/** Reads the page as a letter: sender line, address window, letterhead, footer. */
export function readLetter(
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
      (others.length > 0 && (sender || knownSeller || blocks.length > 1)
        ? others.sort((left, right) => right.box[1] - left.box[1])[0]
        : undefined);
    const name = chosen?.lines.find(
      (line, index) =>
        isNameLike(line.text) && !startsWithLabel(context, line) && !isHeadingOver(line, chosen.lines.slice(index + 1)),
    );
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

/** A line with a colon, a title, or one that alone is bold heads the name and the address under it. */
function isHeadingOver(line: Segment, below: readonly Segment[]): boolean {
  const [name, ...address] = below;
  if (!name || !isNameLike(name.text) || isStreetLine(name.text) || !address.some((part) => isPostalLine(part.text)))
    return false;
  return /:\s*$/.test(line.text) || isTitle(line.text) || (line.isBold === true && below.every((part) => !part.isBold));
}

/** "Kraxi GmbH · Flugzeugallee 17 · 12345 Papierfeld": the small line above the address window. */
function findSenderLine(context: Context): { name: string; segment: Segment; address: string } | undefined {
  for (const row of context.layout.rows) {
    if (row.page > 1 || row.top > 0.45) continue;
    const left = row.segments.filter((segment) => segment.box[0] < 0.65);
    const text = left.map((segment) => segment.text).join(" ");
    if (left.length === 0 || text.length > 130) continue;
    const repeated = repeatedName(context, row.index, text);
    if (!repeated && !isPostalLine(text)) continue;
    const parts = text.split(/\s*[·•●|∙⋅,;]\s*|\s+[-–]\s+/).filter((part) => part !== "");
    const isSplit =
      parts.length > 2 &&
      parts.length < 8 &&
      isNameLike(parts[0]!) &&
      !isStreetLine(parts[0]!) &&
      (parts.slice(1, 5).some(isPostalLine) || repeated !== undefined);
    const name = isSplit ? parts[0]! : (repeated ?? nameBeforeAddress(text));
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

/** A name that stands elsewhere on its own and here goes on with an address, whatever became of the dots between them. */
function repeatedName(context: Context, row: number, text: string): string | undefined {
  const bare = (part: string): string => fold(part).replace(/[^\p{L}\d]/gu, "");
  const whole = bare(text);
  if (!/\d/.test(text) && !/[·•●∙⋅|]/.test(text)) return undefined;
  return context.layout.segments.find((other) => {
    const name = bare(other.text);
    return (
      other.row !== row &&
      other.page === 1 &&
      name.length >= 6 &&
      whole.length > name.length + 8 &&
      whole.startsWith(name) &&
      isNameLike(other.text)
    );
  })?.text;
}

/** Recognition drops the dots between the parts: the name then ends with its legal form. */
function nameBeforeAddress(text: string): string | undefined {
  const lead = /^(.{3,60}?)\s+\S.*\d{4,5}\s+\p{Lu}/u.exec(text);
  if (!lead) return undefined;
  const words = text.split(/\s+/);
  for (let count = 1; count <= Math.min(6, words.length - 3); count++) {
    const name = words.slice(0, count).join(" ");
    if (count > 1 && companySuffix.test(words[count - 1]!) && isNameLike(name)) return name;
  }
  return undefined;
}

/** What stands in the address window under a sender line, however far apart its lines are. */
function linesBelowSender(context: Context, sender: Segment): Segment[] {
  const lines: Segment[] = [];
  for (const segment of context.layout.segments) {
    if (segment.page !== sender.page || segment.row <= sender.row || Math.abs(segment.box[0] - sender.box[0]) > 0.08)
      continue;
    const last = lines.at(-1) ?? sender;
    const most = lines.length === 0 ? 9 : 4.5;
    if (segment.box[1] - last.box[3] > Math.max(segment.height, sender.height) * most) break;
    if (lines.length > 0 && Math.abs(segment.box[0] - lines[0]!.box[0]) > 0.015) continue;
    if (lines.length === 0 && (!isNameLike(segment.text) || startsWithLabel(context, segment))) break;
    lines.push(segment);
    if (isPostalLine(segment.text) || lines.length > 6) break;
  }
  // Abroad there may be no postcode: then three lines close together will do.
  const isTight = lines.slice(1).every((line, index) => line.box[1] - lines[index]!.box[3] < line.height * 1.5);
  const hasPostcode = lines.length > 1 && isPostalLine(lines.at(-1)!.text);
  return hasPostcode || (lines.length > 2 && lines.length < 7 && isTight) ? lines : [];
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
      const above = row.segments.find((other) => isAligned(other.box, segment.box));
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

/** Lines of one address share their left edge, their right edge or their middle. */
function isAligned(one: Box, other: Box): boolean {
  return (
    Math.abs(one[0] - other[0]) < 0.012 ||
    Math.abs(one[2] - other[2]) < 0.008 ||
    Math.abs(one[0] + one[2] - other[0] - other[2]) < 0.012
  );
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
  const headings = findItemHeaders(context);
  const isOfItems = ({ row }: Segment): boolean =>
    headings.some((header) => row >= header.firstRow && row <= header.lastRow) ||
    context.layout.rows[row]!.segments.some((other) => context.numbersIn(other).some(isMoney));
  const scored = context.layout.segments
    .filter(
      (segment) =>
        segment.page === 1 &&
        !isOfItems(segment) &&
        isNameLike(leadName(segment.text)) &&
        !isOtherLabel(context, segment),
    )
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

/** "Transports Giraud SARL" begins like a charge and is a company. */
function isOtherLabel(context: Context, segment: Segment): boolean {
  if (!context.isLabel(segment)) return false;
  return !companySuffix.test(segment.text) || startsWithLabel(context, segment);
}

/** The name at the start of a line that goes on with an address. */
function leadName(text: string): string {
  const lead = text.split(/\s*[·•●|∙]\s*|\s+[-–]\s+(?=.*\d)/)[0]!;
  return cleanName(lead);
}

function isTitle(text: string): boolean {
  return (
    /^(tax |commercial |proforma |sales |e-?)?(invoice|\p{L}*rechnung|rechnungskorrektur|abono|nota di credito|nota de cr[eé]dito|credit memo|nota|note d|minuta|parcella|liquidation|honorarnote|rekening|rachunek|räkning|creditnota|creditfactuur|faktura|facture|factura|fattura|factuur|fatura|receipt|quittung|credit note|gutschrift|avoir|statement|bill|original|copy|kopie|duplicata|handelsrechnung|quote|estimate|proforma|page|seite|order|paid|due|overdue)(?!\p{L})/iu.test(
      text,
    ) ||
    /\b(stylesheet|beispiel-?rechnung|version|seite|page) \b/i.test(text) ||
    /^(\p{L} ){4,}/u.test(text)
  );
}

function occurrences(text: string, part: string): number {
  return part.length < 4 ? 0 : text.split(part).length - 1;
}
