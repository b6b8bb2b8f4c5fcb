import { findDates } from "../../reading/dates.ts";
import { centredAlike, isLargePrint, isRightUnder, isSameBlock, union } from "../../reading/geometry.ts";
import { labelsIn } from "../../reading/labels.ts";
import type { Row } from "../../reading/layout.ts";
import {
  fieldIndex,
  hasBusinessWord,
  hasContactWord,
  hasLegalForm,
  hasStreetWord,
  isCountry,
  isPostalLine,
} from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { isStreetLine } from "../invoice/address.ts";
import { findItemHeaders } from "../item-headers.ts";
import { type Candidate, candidateIn, type Finding, type Notes, pick } from "../pick.ts";

/** The head of a till receipt: who and where. */
export function findReceiptHead(context: Context): Record<string, Finding> {
  const head: HeadLine[] = [];
  for (const row of headRows(context)) {
    const line = describe(context, row);
    if (line.isTitle || !/[\p{L}\d]/u.test(line.text)) continue;
    const isRest = isRestOf(head.at(-1), line);
    head.push(isRest ? { ...line, isPlace: true, hasPostcode: true, isCode: false } : line);
  }
  const company = pick("company", proposeCompany(context, head));
  const start = company ? head.findIndex(({ row }) => row.page === 1 && row.bottom >= company.box![3] - 1e-6) + 1 : 0;
  const address = pick("address", proposeAddress(context, head, start));
  return { ...(company ? { company } : {}), ...(address ? { address } : {}) };
}

/** A line of the head with what its words say. */
interface HeadLine {
  readonly row: Row;
  readonly text: string;
  readonly isContact: boolean;
  readonly isLabel: boolean;
  readonly isPlace: boolean;
  readonly isTitle: boolean;
  readonly hasPostcode: boolean;
  readonly isCode: boolean;
}

/** A word that did not fit on the line of a place: "San" over "Francisco", "Auckland" over "1010". */
function isRestOf(above: HeadLine | undefined, { row, text, isContact, isLabel }: HeadLine): boolean {
  if (!above?.isPlace || above.isContact || isContact || isLabel || /\s|\d{5}/.test(text.trim())) return false;
  const [upper, lower] = [above.row, row].map(({ segments }) => segments.map(({ box }) => box).reduce(union));
  return centredAlike(upper!, lower!) && isRightUnder(row.top, above.row.bottom, row.bottom - row.top);
}

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
  const text = textOf(row);
  const labels = row.segments.flatMap((segment) => context.labelsOf(segment)).filter((label) => label.from <= 3);
  const isDated = findDates(text, "dmy").length > 0;
  const hasPostcode = !isDated && (/(?<![\d/])\d{5}(?![\d/-])/.test(text) || isPostalLine(text));
  return {
    row,
    text,
    isContact: (hasContactWord(text) || /@|www\./i.test(text)) && !(hasPostcode && hasStreetWord(text)),
    isLabel: labels.some((label) => label.isStrong || label.isAlone) || isDated || /\d:\d{2}/.test(text),
    isTitle: labelsIn({ ...row.segments[0]!, text }, fieldIndex).some(
      ({ name, isAlone }) => isAlone && name.startsWith("title."),
    ),
    isPlace:
      // "Juniper Street Diner" is a name.
      (hasStreetWord(text) && !(hasBusinessWord(text) && !/\d/.test(text))) ||
      isStreetLine(text) ||
      isPostalLine(text) ||
      isCountry(text) ||
      (hasPostcode && /\p{L}{3}/u.test(text)),
    hasPostcode,
    isCode: registerNumber.test(text) && !isPostalLine(text),
  };
}

/** "822737-X", "CO REG N0 : 21003B-K": the number of a register, with or without what it is called. */
const registerNumber = /^\W*(?:\p{L}[\p{L}0.\s-]{0,11}[\s.:]+|\p{L}{0,4}[\s.:]*)?[\d -]{4,}\p{L}?-?\s*\p{L}{0,2}\W*$/u;

function textOf({ segments, text }: Row): string {
  return segments[0]?.source === "ocr" ? repairLetters(text) : text;
}

/** "Leve1", "Peta1 ing": a one among small letters was an l, a nought among letters an o. */
function repairLetters(text: string): string {
  return text
    .replace(/(?<=\p{Ll}{2})1(?=\p{Ll}|\s|$)/gu, "l")
    .replace(/(?<=\p{Ll})0(?=\p{Ll})/gu, "o")
    .replace(/(?<=\p{Lu})0(?=\p{Lu}{2})/gu, "O");
}

function proposeCompany(context: Context, head: readonly HeadLine[]): Candidate<string>[] {
  const usual = context.layout.lineHeight;
  const firstPlace = head.findIndex(({ isPlace, text }) => isPlace && !hasLegalForm(text));
  return head.slice(0, 12).flatMap((line, order) => {
    const { row } = line;
    const text = repairLegalForm(line.text);
    if (!/\p{L}.*\p{L}.*\p{L}/u.test(text)) return [];
    const reasons = {
      order: order / 12,
      first: order === 0,
      legal_form: hasLegalForm(text),
      business: hasBusinessWord(text),
      label: line.isLabel,
      street: line.isPlace,
      code: line.isCode,
      over_address: firstPlace > 0 && order === firstPlace - 1,
      large: row.segments.some((segment) => isLargePrint(segment.height, usual)),
      bold: row.segments.some((segment) => segment.isBold),
      over_code: head[order + 1]?.isCode,
    };
    const single = candidateOf(cleanCompany(text), [row], reasons);
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
          joined: lines.length - 1,
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

/** Names that began on the lines above. */
function joinUp(head: readonly HeadLine[], order: number, usual: number): HeadLine[][] {
  const joined: HeadLine[][] = [];
  const lines = [head[order]!];
  for (let index = order - 1; index >= 0 && lines.length < 4; index--) {
    const above = head[index]!;
    if (
      above.isContact ||
      above.isLabel ||
      above.isCode ||
      !/\p{L}{3}/u.test(above.text) ||
      !isRightUnder(lines[0]!.row.top, above.row.bottom, usual)
    )
      break;
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
  const lines = head.slice(start, start + 10);
  for (let first = 0; first < Math.min(5, lines.length); first++) {
    for (let last = first; last < Math.min(lines.length, first + 6); last++) {
      const inside = lines.slice(first, last + 1);
      const step = lines[last - 1];
      if (last > first && step && !isSameBlock(lines[last]!.row.top, step.row.bottom, context.layout.lineHeight)) break;
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
    .map((line) => line.text.trim())
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
      place_follows: next?.isPlace && !next.isContact,
      place_before: before?.isPlace && !before.isCode && !hasLegalForm(before.text),
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
