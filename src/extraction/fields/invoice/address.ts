import type { Box } from "../../../ports/document-reader.ts";
import { findDates } from "../../reading/dates.ts";
import { centredAlike, endAlike, isInColumn, isSameBlock, startAlike, union } from "../../reading/geometry.ts";
import { labelsIn } from "../../reading/labels.ts";
import type { Segment } from "../../reading/segment.ts";
import {
  attention,
  hasContactWord,
  hasLegalForm,
  hasStreetWord,
  isAddressTitle,
  isClosing,
  isCountry,
  isPostalLine,
  isSalutation,
  isStreetWord,
  nameLead,
  partyIndex,
  saysNumber,
} from "../../reading/words.ts";
import type { Context } from "../context.ts";

/** A street with a house number, or a box. "Asunto Oy Merikannontie 12" is the company that owns the house. */
export function isStreetLine(text: string): boolean {
  const hasHouseNumber =
    /^\d+[a-z]?[,/ -].*\p{L}{2}/u.test(text) ||
    /\p{L}{3,}\.? ?\d+ ?[a-z]?(?:[-/–]\d+[a-z]?| \d+)?\.?(?:,|$)/iu.test(text);
  return (hasHouseNumber || (/\d/.test(text) ? hasStreetWord(text) : isStreetName(text))) && !hasLegalForm(text);
}

/** Without a number the word for a street comes first or last: "Northgate Primary School" is no street. */
function isStreetName(text: string): boolean {
  const words = text.split(/\s+/);
  return words.length <= 4 && !/^Dra?\.?$/.test(words[0]!) && (isStreetWord(words[0]!) || hasStreetWord(words.at(-1)!));
}

/** Ways to reach somebody and numbers of registers: never a name or an address. */
export function isContactLine(text: string): boolean {
  return (
    /@|www\.|https?:/i.test(text) || /^\+?[\d\s()./|-]{7,}$/.test(text) || isTelephone(text) || hasContactWord(text)
  );
}

/** "(714)879-3574", "+33 1 45 67 89 10", "329-4418": its groups tell a number to call from the number of a register. */
export function isTelephone(text: string): boolean {
  return /^\W*(?:\+\d|\(\d{2,5}\) ?\d|\d{2,5}[ ./-]\d{2,4}[ .-]\d{2,4}|\d{3}-\d{4}$|0\d{2,4}-\d{5,})[\d ()./|-]*$/.test(
    text,
  );
}

export function isNameLike(text: string): boolean {
  const clean = text.trim();
  if (
    !/\p{L}{2}/u.test(clean) ||
    /@|www\.|^\[.*\]$|^[-–•*] /i.test(clean) ||
    saysNumber(clean.split(/[\s.]+/).at(-1)!) ||
    isSalutation(clean) ||
    isClosing(clean) ||
    isAddressTitle(clean)
  )
    return false;
  // "INV-2969" and "EUR 2 478,07" are a number and an amount.
  if (countOf(clean, /\d/g) > countOf(clean, /\p{L}/gu) || /[.,]\d{2}(?!\d)|:\s*\S/.test(clean)) return false;
  if (isCountry(clean) || findDates(clean, "dmy").length > 0) return false;
  const length = clean.split(/\s+/).length;
  const uncapitalised = countOf(clean, /(?<!\S)\p{Ll}/gu);
  const isSentence = length > 12 || ((length > 5 || uncapitalised > 2) && !hasLegalForm(clean));
  if (/\?$|^\p{Ll}+\.$/u.test(clean) || (/[.!]$|^\p{Ll}/u.test(clean) && isSentence) || length > 15) return false;
  // "Skerries, Co. Dublin" is a county and no company.
  return !isPostalLine(clean) && (hasLegalForm(clean) || !isContactLine(clean));
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

export function cleanName(text: string): string {
  const name = text.replace(attention, "").replace(nameLead, "");
  return name.replace(/[\s,;:|·•●-]+$/, "").trim();
}

/** The name at the start of a line that goes on with an address. */
export function leadName(text: string): string {
  const [name, ...rest] = cleanName(text.split(/\s*[·•●|∙│]\s*|\s+[-–/]\s+(?=.*\d)/)[0]!).split(", ");
  // "Wouri Components Inc, 45 Northwest"
  return rest.length > 0 && hasLegalForm(name!.split(" ").at(-1)!) && isStreetLine(rest.join(", "))
    ? name!
    : [name, ...rest].join(", ");
}

/** A legal form that did not fit on the line of its name: "Pty Ltd", "& Co. KG". */
export function isRestOfName(text: string, name: string): boolean {
  const clean = text.trim();
  const words = clean.split(/\s+/);
  return (
    (!hasLegalForm(name) || clean.startsWith("&")) &&
    clean.length <= 24 &&
    hasLegalForm(clean) &&
    !/\p{L}{7,}/u.test(clean.replace(/haftungsbeschränkt/, "")) &&
    words.length <= 3 &&
    // "Nimbus Notes, Inc." is a name of its own.
    words.filter((word) => /\p{L}{4}/u.test(word) && !hasLegalForm(word)).length <= 1
  );
}

/** Lines below with the same left edge (or right edge, or middle), until a gap. */
export function linesUnder(context: Context, start: Segment, isEnd: (segment: Segment) => boolean): Segment[] {
  const lines: Segment[] = [];
  let last = start;
  // That lines end alike says something only while none under the first stands elsewhere.
  let isPassed = false;
  const isAligned = (segment: Segment): boolean =>
    startAlike(segment.box, start.box) ||
    centredAlike(segment.box, start.box) ||
    (segment.box[0] < start.box[0] && segment.box[2] > start.box[2]);
  const height = Math.max(start.height, context.layout.lineHeight);
  for (let index = start.row + 1; index < context.layout.rows.length && lines.length < 9; index++) {
    const row = context.layout.rows[index]!;
    if (row.page !== start.page) break;
    const next =
      row.segments.find(isAligned) ??
      (isPassed ? undefined : row.segments.find((segment) => endAlike(segment.box, start.box)));
    if (!next) {
      isPassed ||= row.segments.some((segment) => isInColumn(segment.box, start.box));
      if (!isSameBlock(row.top, last.box[3], height)) break;
      continue;
    }
    if (!isSameBlock(next.box[1], last.box[3], height) || isEnd(next)) break;
    lines.push(next);
    last = next;
  }
  return lines;
}

/** The address among the lines under a name: street, postcode and town, country. */
export function addressIn(
  lines: readonly Segment[],
): { text: string; box: Box; lines: readonly Segment[] } | undefined {
  const address: { line: Segment; text: string }[] = [];
  for (const line of lines) {
    const text = withoutAddressLabels(line);
    const isLabelled = text !== line.text;
    if (!isLabelled && (isContactLine(text) || /^\p{L}[\p{L}. -]{2,25}\s?:/u.test(text))) {
      if (address.length > 0) break;
      continue;
    }
    const isWhole = address.some((one) => isPostalLine(one.text)) && address.some((one) => isStreetLine(one.text));
    const isCut = /[,-]$/.test(address.at(-1)?.text ?? "");
    const isAddress = isLabelled || isCut || isPostalLine(text) || isCountry(text) || (isStreetLine(text) && !isWhole);
    const isEnded = address.some((other) => isPostalLine(other.text) || other.text !== other.line.text);
    if (!isAddress && isEnded) break;
    if (!isAddress && address.length === 0 && !lines.some((other) => isPostalLine(other.text))) continue;
    address.push({ line, text });
  }
  if (!address.some(({ text }) => isPostalLine(text) || (isStreetLine(text) && /\d/.test(text)))) return undefined;
  return {
    text: address.map(({ text }) => text).join(", "),
    box: address.map(({ line }) => line.box).reduce(union),
    lines: address.map(({ line }) => line),
  };
}

/** "Address: 14 High Street", "Comune: Parma Provincia: PR": what is asked for goes, what is answered stays. */
function withoutAddressLabels(line: Segment): string {
  const labels = labelsIn(line, partyIndex).filter(({ name, to }) => name === "address" && line.text[to] === ":");
  if (labels[0]?.from !== 0) return line.text;
  const parts = labels.map(({ to }, index) => line.text.slice(to + 1, labels[index + 1]?.from).trim());
  return parts.filter(Boolean).join(" ") || line.text;
}
