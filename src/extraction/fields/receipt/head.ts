import { findDates } from "../../reading/dates.ts";
import { centredAlike, isLargePrint, isRightUnder, isSameBlock, startAlike, union } from "../../reading/geometry.ts";
import { type Label, labelsIn } from "../../reading/labels.ts";
import type { Row } from "../../reading/layout.ts";
import {
  fieldIndex,
  hasBusinessWord,
  hasContactWord,
  hasLegalForm,
  hasStreetWord,
  isCountry,
  isPostalLine,
  nameLead,
  startsVisit,
} from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { isContactLine, isStreetLine, isTelephone } from "../invoice/address.ts";
import { findItemHeaders } from "../item-headers.ts";
import { type Candidate, candidateIn, type Finding, type Notes, pick } from "../pick.ts";

/** The head of a till receipt: who and where. */
export function findReceiptHead(context: Context): Record<string, Finding> {
  const head: HeadLine[] = [];
  for (const row of headRows(context)) {
    const line = describe(context, firstColumn(row));
    if (line.isTitle || !/[\p{L}\d]/u.test(line.text)) continue;
    const isRest = isRestOf(head.at(-1), line);
    // A number ends the name that stands first, and is all that others say.
    if (head.length > 0 && branch.test(line.text) && !line.hasPostcode) line.isCode = true;
    const isTown = head.length > 0 && isTownLine(line);
    head.push(
      isRest || isTown ? { ...line, isPlace: true, hasPostcode: line.hasPostcode || isRest, isCode: false } : line,
    );
  }
  const company = pick("company", proposeCompany(context, head));
  const start = company ? head.findIndex(({ row }) => row.page === 1 && row.bottom >= company.box![3] - 1e-6) + 1 : 0;
  const address = pick("address", proposeAddress(context, head, start));
  return { ...(company ? { company } : {}), ...(address ? { address } : {}) };
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
interface HeadLine {
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

/** "Bangalore, Karnataka": names of places alone, with commas between them. */
function isTownLine({ text, isContact, isLabel }: HeadLine): boolean {
  return (
    !isContact &&
    !isLabel &&
    /^\p{Lu}[\p{L}.' ]+(?:[,–-] ?\p{Lu}[\p{L}.' ]+)+$/u.test(text) &&
    text.includes(",") &&
    !hasLegalForm(text) &&
    !hasBusinessWord(text)
  );
}

/** "Fern Park, FL", "Mason, MI - #174", "Beberibe - CE": a town with the letters of its state. */
const townAndState = /\p{L}\s?(?:[,–-]\s?\p{Lu}{2}(?:\s?[–-]?\s?#\s?\d+)?|\(\p{Lu}{2}\))$/u;

/** No head is longer. */
const mostRows = 16;

function headRows(context: Context): Row[] {
  const header = findItemHeaders(context)[0];
  const rows = context.layout.rows.filter((row) => row.page === 1).slice(0, mostRows);
  const end = rows.findIndex(
    (row) =>
      row.index >= 2 &&
      (row.index === header?.firstRow ||
        (row.index > 3 &&
          row.segments.some((segment) => context.numbersIn(segment).some((number) => number.decimals === 2)))),
  );
  return end < 0 ? rows : rows.slice(0, end);
}

function describe(context: Context, row: Row): HeadLine {
  const text = withoutTelephone(textOf(row).replace(nameLead, "").trim());
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
    isTitle: labelsIn({ ...row.segments[0]!, text }, fieldIndex).some(
      ({ name, isAlone }) => isAlone && name.startsWith("title."),
    ),
    isPlace:
      !isContact &&
      // "Juniper Street Diner" is a name.
      ((hasStreetWord(text) && !(hasBusinessWord(text) && !/\d/.test(text))) ||
        isStreetLine(text) ||
        isPostalLine(text) ||
        isCountry(text) ||
        isInState ||
        numberedPlace.test(text) ||
        (hasPostcode && /\p{L}{3}/u.test(text))),
    hasPostcode: hasPostcode || isInState,
    isCode: registerNumber.test(text) && !isPostalLine(text) && !isTelephone(text),
  };
}

const isDomain = /^\S+\.(?:com|net|org|\p{Ll}{2})$/iu;

/** "Jl. Melati No. 8A, Salatiga" */
const numberedPlace = /\p{L}\s+n(?:[o°º]|r)\.? ?\d+ ?[a-z]?\s*,/iu;

/** "STORE #1234": which of its shops it is. */
const branch = /#\s?\d{2,}\W*$/;

/** "822737-X", "CO REG N0 : 21003B-K": the number of a register, with or without what it is called. */
const registerNumber = /^\W*(?:\p{L}[\p{L}0.\s-]{0,11}[\s.:]+|\p{L}{0,4}[\s.:]*)?[\d -]{4,}\p{L}?-?\s*\p{L}{0,2}\W*$/u;

/** "Durham, N.C. 27704 Tel (919)220-9638" */
function withoutTelephone(text: string): string {
  const [, rest, word, number] = /^(.*\S)\s+(\p{L}+\.?:?)\s*([+(\d][\d ()./-]{6,})$/u.exec(text) ?? [];
  return rest && hasContactWord(`${word} ${number}`) ? rest : text;
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
  return text
    .replace(/(?<=\p{Ll}{2})1(?=\p{Ll}|\s|$)/gu, "l")
    .replace(/(?<=\p{Ll})0(?=\p{Ll})/gu, "o")
    .replace(/(?<=\p{Lu})0(?=\p{Lu}{2})/gu, "O")
    .replace(/(?<=\d)[oO](?=\d)/g, "0")
    .replace(/\bJ[1I](?=n?[.\s])/g, "Jl");
}

function proposeCompany(context: Context, head: readonly HeadLine[]): Candidate<string>[] {
  const usual = context.layout.lineHeight;
  const firstPlace = head.findIndex(({ isPlace, text }) => isPlace && !hasLegalForm(text));
  return head.slice(0, 12).flatMap((line, order) => {
    const { row } = line;
    const text = repairLegalForm(line.text);
    if (!/\p{L}.*\p{L}.*\p{L}/u.test(text) || isSentence(text)) return [];
    const reasons = {
      order: order / 12,
      first: order === 0,
      // "1413 Fourth St SE" lies in the south east.
      legal_form: hasLegalForm(text) && !line.hasPostcode && !(line.isPlace && /^\d/.test(text)),
      business: hasBusinessWord(text),
      label: line.isLabel,
      street: line.isPlace,
      code: line.isCode,
      over_address: firstPlace > 0 && order === firstPlace - 1,
      large: row.segments.some((segment) => isLargePrint(segment.height, usual)),
      bold: row.segments.some((segment) => segment.isBold),
      over_code: head[order + 1]?.isCode,
    };
    const isLarge = (index: number): boolean =>
      head[index]?.row.segments.every((segment) => isLargePrint(segment.height, usual)) ?? false;
    // "CHOEUN" over "KOREAN RESTAURANT", "RITE" over "AID" in large print: a line of a name is less of it than all.
    const isPart =
      !reasons.legal_form &&
      ([order - 1, order + 1].some((index) => isLarge(index) && isLarge(order) && isPlain(head[index]!)) ||
        (order === 0 && isLarge(0) && isKind(head[1]?.text ?? "")));
    const above = order === 1 ? head[0]! : undefined;
    const isRest = above && isPlain(above) && !reasons.legal_form && !reasons.large && isUnder(row, above.row, usual);
    const single = candidateOf(cleanCompany(text), [row], { ...reasons, rest_of_name: isRest || isPart });
    const joined = joinUp(head, order, usual).map((lines) => {
      const start = order - lines.length + 1;
      const name = lines.map((one) => cleanCompany(one.text)).join(" ");
      return candidateOf(
        name,
        lines.map((one) => one.row),
        {
          ...reasons,
          order: start / 12,
          first: start === 0,
          joined: isPart && isLarge(start) ? 0 : lines.length - 1,
          joins_tail: isTail(text),
        },
      );
    });
    return [single, ...joined];
  });
}

/** Whether a line is only the end of a name: a legal form, with a word before it at most. */
function isTail(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return (hasLegalForm(text) && words.length <= 3) || /^[^(]*\)/.test(text);
}

/** Words that may be a name, and no sentence such as "With us, it's personal." */
function isPlain({ text, isContact, isLabel, isCode }: HeadLine): boolean {
  return !isContact && !isLabel && !isCode && /\p{L}{3}/u.test(text) && !isSentence(text);
}

function isSentence(text: string): boolean {
  return /\p{Ll}{2}.*[.!?]$/u.test(text) && text.split(/\s+/).length > 2 && !hasLegalForm(text);
}

/** "Restaurant & Bar": only what kind of place it is. */
function isKind(text: string): boolean {
  return hasBusinessWord(text) && text.split(/\s+/).every((word) => !/\p{L}{2}/u.test(word) || hasBusinessWord(word));
}

function isUnder(row: Row, above: Row, usual: number): boolean {
  return isRightUnder(row.top, above.bottom, Math.max(usual, above.bottom - above.top));
}

/** Names that began on the lines above. */
function joinUp(head: readonly HeadLine[], order: number, usual: number): HeadLine[][] {
  const joined: HeadLine[][] = [];
  const lines = [head[order]!];
  for (let index = order - 1; index >= 0 && lines.length < 4; index--) {
    const above = head[index]!;
    if (!isPlain(above) || !isUnder(lines[0]!.row, above.row, usual)) break;
    lines.unshift(above);
    joined.push([...lines]);
  }
  return joined;
}

/** What stands on some lines is read as surely as the least sure of them. */
function candidateOf(text: string, rows: readonly Row[], notes: Notes): Candidate<string> {
  const segments = rows.flatMap((row) => row.segments);
  const [first] = segments;
  const box = segments.map((segment) => segment.box).reduce(union);
  return {
    ...candidateIn(text, first!, box, notes),
    reading: Math.min(...segments.map(({ source, confidence }) => (source === "ocr" ? confidence : 1))),
  };
}

/** The legal form is the word recognition breaks most often, and the one that can be told for certain. */
function repairLegalForm(text: string): string {
  return text.replace(/(?<=\s)(s)[di1]n([\s.]{0,3})[bhr][hn][diu](?=[\s.]|$)/gi, (_, lead: string, gap: string) =>
    lead === "S" && /[A-Z]{4}/.test(text) ? `SDN${gap}BHD` : `Sdn${gap}Bhd`,
  );
}

function cleanCompany(text: string): string {
  return (
    repairLegalForm(text)
      // Specks beside the name are recognised as a letter or two behind its end.
      .replace(
        /\b(bhd|ltd|llc|inc|gmbh|limited|plc)(\.?)\s+[^\p{L}\d(&]*(?!kg|co|ag|ab|oy)\p{L}{1,2}[^\p{L}\d.]*$/iu,
        "$1$2",
      )
      // The number of a register and what stands behind it.
      .replace(/[\s[({]+(?:(?:co|company|reg|no)[.: ]*)*[A-Z]{0,3}\d{5,}[\d-]*(?!\p{L}{3}).*$/iu, "")
      .replace(/^[\W_]+(?=[\p{L}\d(])|[\s,;:*#-]+$/gu, "")
      .trim()
  );
}

/** Every run of lines under the name that could be the address, from its first line to its last. */
function proposeAddress(context: Context, head: readonly HeadLine[], start: number): Candidate<string>[] {
  const candidates: Candidate<string>[] = [];
  // A telephone number between the street and the town is passed over; behind the town it ends the address.
  const end = head.findIndex(
    ({ isContact }, index) => isContact && head.slice(start, index).some((line) => line.hasPostcode),
  );
  const lines = head
    .slice(start, end < start ? undefined : end)
    .filter(({ isContact }) => !isContact)
    .slice(0, 10);
  for (let first = 0; first < Math.min(5, lines.length); first++) {
    for (let last = first; last < Math.min(lines.length, first + 6); last++) {
      const inside = lines.slice(first, last + 1);
      const above = head[head.indexOf(lines[last]!) - 1];
      if (last > first && above && !isSameBlock(lines[last]!.row.top, above.row.bottom, context.layout.lineHeight))
        break;
      if (inside.at(-1)!.isLabel && !inside.at(-1)!.hasPostcode) break;
      candidates.push(addressCandidate(lines, first, last, inside));
    }
  }
  return candidates;
}

function addressCandidate(
  lines: readonly HeadLine[],
  first: number,
  last: number,
  inside: readonly HeadLine[],
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
  return candidateOf(
    text,
    inside.map(({ row }) => row),
    {
      ends_well: inside.at(-1)!.hasPostcode || isCountry(lastWords(inside.at(-1)!.text)),
      starts_place: inside[0]!.isPlace,
      code: share(({ isCode }) => isCode),
      place_follows: next?.isPlace,
      place_before: before?.isPlace && !before.isCode && (/^\d/.test(before.text) || !hasLegalForm(before.text)),
      order: first / 5,
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
