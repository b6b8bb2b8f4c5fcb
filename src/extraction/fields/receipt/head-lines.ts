import { findDates } from "../../reading/dates.ts";
import { centredAlike, isRightUnder, startAlike, union } from "../../reading/geometry.ts";
import { type Label, labelsIn } from "../../reading/labels.ts";
import type { Row } from "../../reading/layout.ts";
import type { Segment } from "../../reading/segment.ts";
import {
  fieldIndex,
  hasBusinessWord,
  hasContactWord,
  hasLegalForm,
  hasStreetWord,
  isCopy,
  isCountry,
  isPostalLine,
  nameLead,
  startsVisit,
} from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { isContactLine, isStreetLine, isTelephone } from "../invoice/address.ts";
import { findItemHeaders } from "../item-headers.ts";
import { type Candidate, candidateIn, type Notes } from "../pick.ts";

/** The lines over the goods of a slip, each with what its words say. */
export function readHead(context: Context): HeadLine[] {
  const head: HeadLine[] = [];
  for (const line of headRows(context).flatMap((row) => describeParts(context, firstColumn(row)))) {
    if (line.isTitle || !/[\p{L}\d]/u.test(line.text)) continue;
    const isRest = isRestOf(head.at(-1), line);
    // A number ends the name that stands first, and is all that others say.
    if (head.length > 0 && branch.test(line.text) && !line.hasPostcode) line.isCode = true;
    const isTown = head.length > 0 && isTownLine(line, head.at(-1)!.isPlace);
    // "CITYPARK GARAGEN" and "REMA 1000 TORGGATA" on top are who sells, like places as they sound.
    if (head.length === 0 && isNameOnTop(line.text)) {
      head.push({ ...line, isPlace: false, hasPostcode: false, isCode: false });
      continue;
    }
    head.push(
      isRest || isTown ? { ...line, isPlace: true, hasPostcode: line.hasPostcode || isRest, isCode: false } : line,
    );
  }
  return head;
}

function isNameOnTop(text: string): boolean {
  return (
    /^[^\d,]+$/.test(text) || (/^\p{L}{3}[^,:.#/]*$/u.test(text) && (!hasStreetWord(text) || /\d{3} \p{L}/u.test(text)))
  );
}

/** A wide sheet may have the number and the date of the receipt beside its name. */
function firstColumn(row: Row): Row {
  const end = row.segments.findIndex(
    ({ box }, index) => index > 0 && box[0] - row.segments[index - 1]!.box[2] > widestGap,
  );
  if (end < 0) return row;
  const segments = row.segments.slice(0, end);
  return { ...row, segments, text: segments.map(({ text }) => text).join(" ") };
}

const widestGap = 0.25;

/** A line of the head with what its words say. */
export interface HeadLine {
  readonly row: Row;
  readonly text: string;
  readonly isContact: boolean;
  readonly isLabel: boolean;
  readonly isPlace: boolean;
  readonly isTitle: boolean;
  readonly hasPostcode: boolean;
  isCode: boolean;
}

/** A word that did not fit on the line of a place: "San" over "Francisco", "Auckland" over "1010". */
function isRestOf(above: HeadLine | undefined, { row, text, isContact, isLabel }: HeadLine): boolean {
  if (!above?.isPlace || above.isContact || isContact || isLabel || /\s/.test(text)) return false;
  // Five digits may be anything, but behind a state they are its postcode.
  if (/\d{5}/.test(text) && !(townAndState.test(above.text) && /^\d{5}$/.test(text))) return false;
  const [upper, lower] = [above.row, row].map(({ segments }) => segments.map(({ box }) => box).reduce(union));
  return (
    (centredAlike(upper!, lower!) || startAlike(upper!, lower!)) &&
    isRightUnder(row.top, above.row.bottom, row.bottom - row.top)
  );
}

/** "Bangalore, Karnataka": names of places alone, with commas between them, or under a street "Kartal / Istanbul". */
function isTownLine({ text, isContact, isLabel }: HeadLine, isUnderPlace: boolean): boolean {
  return (
    !isContact &&
    !isLabel &&
    /^\p{Lu}[\p{L}.' ]+(?:[,/–-] ?\p{Lu}[\p{L}.' ]+)+$/u.test(text) &&
    (text.includes(",") || (isUnderPlace && text.includes("/"))) &&
    !hasLegalForm(text) &&
    !hasBusinessWord(text)
  );
}

/** "Fern Park, FL", "Mason, MI - #174", "Beberibe - CE", "Blumenau/SC": a town with the letters of its state. */
const townAndState = /\p{L}\s?(?:[,/–-]\s?\p{Lu}{2}(?:\s?[–-]?\s?#\s?\d+)?|\(\p{Lu}{2}\))$/u;

/** No head is longer. */
const mostRows = 16;

function headRows(context: Context): Row[] {
  const header = findItemHeaders(context)[0];
  const rows = context.layout.rows.filter((row) => row.page === 1).slice(0, mostRows);
  const hasCents = ({ segments }: Row): boolean =>
    segments.some((segment) => context.numbersIn(segment).some((number) => number.decimals === 2));
  const end = rows.findIndex(
    (row) =>
      row.index >= 2 &&
      (row.index === header?.firstRow || (row.index > 3 && hasCents(row)) || endsInAmount(context, row)),
  );
  return end < 0 ? rows : rows.slice(0, end);
}

/** "Coffee ... 2.50": goods begin, however short the head was. */
function endsInAmount(context: Context, { segments }: Row): boolean {
  const last = segments.at(-1)!;
  return segments.length > 1 && context.hasMoney(last) && /^\P{L}*(?:\p{L}{1,3}\P{L}*)?$/u.test(last.text);
}

/** "Mercator, d.o.o., Slovenska cesta 12, 1000 Ljubljana" is a name and an address. */
function describeParts(context: Context, row: Row): HeadLine[] {
  const text = withoutTitle(withoutTelephone(textOf(row).replace(nameLead, "").trim()), row.segments[0]!);
  const parts = text.split(/,\s+/);
  const end = parts.findIndex((part) => hasLegalForm(part.split(" ").at(-1)!)) + 1;
  const rest = parts.slice(end).join(", ");
  const isBoth = end > 0 && isPostalLine(rest) && (hasStreetWord(rest) || isStreetLine(parts[end]!));
  return (isBoth ? [parts.slice(0, end).join(", "), rest] : [text]).map((part) => describe(context, row, part));
}

function describe(context: Context, row: Row, text: string): HeadLine {
  const labels = row.segments.flatMap((segment) => context.labelsOf(segment)).filter((label) => label.from <= 3);
  const isDated = findDates(text, "dmy").length > 0;
  // "Netto" over an address is a shop.
  const isOfSum = ({ name }: Label): boolean => name === "net_total" && !/\d/.test(text);
  const isLabel =
    labels.some((label) => (label.isStrong || label.isAlone) && !isOfSum(label)) ||
    isDated ||
    /\d:\d{2}/.test(text) ||
    isOfVisit(text);
  const isContact = (isContactLine(text) || isDomain.test(text)) && !hasStreetWord(text);
  // "3440 Washington St" begins with the number of a house, not with a postcode.
  const isNumbered = /^\d+\s\D+$/.test(text) && hasStreetWord(text);
  const hasPostcode =
    !isContact &&
    !isLabel &&
    !isNumbered &&
    !branch.test(text) &&
    (/(?<![\d/])\d{5}(?![\d/-])|^\p{L}[\p{L}.,' -]{2,}[ -]\d{6}$/u.test(text) || isPostalLine(text));
  const isInState = townAndState.test(text);
  return {
    row,
    text,
    isContact,
    isLabel,
    isTitle:
      isCopy(text) ||
      labelsIn({ ...row.segments[0]!, text }, fieldIndex).some(
        ({ name, isAlone }) => isAlone && name.startsWith("title."),
      ),
    isPlace:
      !isContact &&
      !isDated &&
      ((hasStreetWord(text) && !isNameOfPlace(text)) ||
        (isStreetLine(text) && !isNameOfPlace(text)) ||
        isPostalLine(text) ||
        isCountry(text) ||
        isInState ||
        (numberedPlace.test(text) && !hasLegalForm(text)) ||
        (hasPostcode && /\p{L}{3}/u.test(text))),
    hasPostcode: hasPostcode || isInState,
    isCode: registerNumber.test(text) && !isDated && !hasStreetWord(text) && !isPostalLine(text) && !isTelephone(text),
  };
}

/** "Juniper Street Diner", "SPAR MARKET 145" and "di Rossi & C. S.n.c." are names. */
function isNameOfPlace(text: string): boolean {
  if (!/\d/.test(text)) return hasBusinessWord(text) || hasLegalForm(text);
  return /^\D+ \d+$/.test(text) && hasBusinessWord(text) && !hasStreetWord(text);
}

const isDomain = /^\S+\.(?:com|net|org|\p{Ll}{2})$/iu;

/** "Jl. Melati No. 8A, Salatiga", "No.12, ...", "K3-113,...", "C/ Duarte" */
const numberedPlace =
  /(?:\p{L}\s+|^)n(?:[o°º]|r)\.? ?\d[\d-]* ?[a-z]?\s*,|^\p{Lu}{0,2}\d+(?:-\d+)?, ?\p{L}{2}|^c\/\s?\p{L}/iu;

/** "STORE #1234": which of its shops it is. */
const branch = /#\s?\d{2,}\W*$/;

/** "822737-X", "CO REG N0 : 21003B-K": the number of a register, with or without what it is called. */
const registerNumber =
  /^[^\p{L}\d]*(?:\p{L}[\p{L}0.\s-]{0,11}[\s.:]+|\p{L}{0,4}[\s.:]*)?\d[\d -]{3,}\p{L}?-?\s*\p{L}{0,2}[^\p{L}\d]*$/u;

/** "Rosa Bakery Receipt" is that of Rosa Bakery. */
function withoutTitle(text: string, segment: Segment): string {
  const title = labelsIn({ ...segment, text, source: "text" }, fieldIndex).find(
    ({ name, from, to }) => name === "title.receipt" && from > 2 && /^\W*$/.test(text.slice(to)),
  );
  return title ? text.slice(0, title.from).trim() : text;
}

/** "Durham, N.C. 27704 Tel (919)220-9638", "Burnaby, (604)294-0104" */
function withoutTelephone(text: string): string {
  const [, rest, word, number] = /^(.*\S)\s+(\p{L}+\.?:?)\s*([+(\d][\d ()./-]{6,})$/u.exec(text) ?? [];
  if (rest && hasContactWord(`${word} ${number}`)) return rest;
  return text.replace(/(?<=\p{L}[\p{L}.']*),?\s+(?:\(\d{2,5}\) ?[\d -]{6,}|0\d{9,10})$/u, "");
}

/** "Table 12", "Server: Amy": how a visit went. */
function isOfVisit(text: string): boolean {
  return startsVisit(text) && /^\p{L}+\s*[#:.]*\s*(?:\S{0,6}\d|$)|:/u.test(text);
}

function textOf({ segments, text }: Row): string {
  return segments[0]?.source === "ocr" ? repairLetters(text) : text;
}

/** "Leve1", "Peta1 ing": a one among small letters was an l, a nought among letters an o. */
function repairLetters(text: string): string {
  return (
    text
      .replace(/(?<=\p{Ll}{2})1(?=\p{Ll}|\s|$)/gu, "l")
      .replace(/(?<=\p{Ll})0(?=\p{Ll})/gu, "o")
      .replace(/(?<=\p{Lu})0(?=\p{Lu}{2})/gu, "O")
      .replace(/(?<=\d)[oO](?=\d)/g, "0")
      // "SW1A 2NH"
      .replace(/(?<=\b[A-Z]{1,2})[Il](?=[A-Z\d]? \d[A-Z]{2}\b)/g, "1")
      .replace(/\bJ[1I](?=n?[.\s])/g, "Jl")
  );
}

/** What stands on some lines is read as surely as the least sure of them. */
export function candidateOf(text: string, rows: readonly Row[], notes: Notes): Candidate<string> {
  const segments = rows.flatMap((row) => row.segments);
  const [first] = segments;
  const box = segments.map((segment) => segment.box).reduce(union);
  return {
    ...candidateIn(text, first!, box, notes),
    reading: Math.min(...segments.map(({ source, confidence }) => (source === "ocr" ? confidence : 1))),
  };
}
