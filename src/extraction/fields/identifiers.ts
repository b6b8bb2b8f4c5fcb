import { findIbans } from "../reading/checks.ts";
import { type DateOrder, type FoundDate, findDates } from "../reading/dates.ts";
import { leadsCode, saysNumber } from "../reading/words.ts";
import type { Found } from "./claims.ts";

/** The dates of a text; "Nr 14/03/2023" and "FAT-2025-02-11-004" are numbers although they look like some. */
export function datesIn(text: string, order: DateOrder): FoundDate[] {
  return findDates(text, order).filter(({ from, to }) => {
    const raw = text.slice(from, to);
    const before = /(\p{L}+)[.:°º]*\s*$/u.exec(text.slice(0, from))?.[1];
    const isNumbered = before && saysNumber(before) && raw.includes("/");
    const isInCode =
      /#$|[\p{L}\d][-_]$/u.test(text.slice(0, from)) || (/^\d{4}-/.test(raw) && /^-\d/.test(text.slice(to)));
    return !(isNumbered || (isInCode && raw.includes("-")));
  });
}

/** "+370 5 212 0044" */
const telephone = /(?<![\p{L}\d])\+\d{1,3}[ \d()./-]{6,}/gu;

/** Codes such as RE-20190610/507 or A-73511: at least one digit, no date, no amount. */
export function identifiersIn(text: string): Found<string>[] {
  const dates = datesIn(text, "dmy").filter((date) => {
    const raw = text.slice(date.from, date.to);
    // "2021-05-123" begins like a date; a whole word that is one is no number of anything.
    return /[/.\s]/.test(raw) || (raw.includes("-") && !/[\p{L}\d/-]/u.test(text[date.to] ?? ""));
  });
  const codes = [
    ...findIbans(text),
    ...[...text.matchAll(telephone)].map((match) => ({ from: match.index, to: match.index + match[0].length })),
  ];
  const isOther = (from: number, to: number): boolean =>
    [...dates, ...codes].some((other) => from < other.to && other.from < to);
  // "78 1203 4451 9902": groups of digits up to the end are one number.
  const groups = /(?<=^|[\p{L}:.#º°] )\d{1,5}(?: \d{2,5}){2,6}$/u.exec(text);
  if (groups && !isOther(groups.index, text.length)) return [{ value: groups[0], from: groups.index, to: text.length }];
  const found: Found<string>[] = [];
  for (const match of text.matchAll(
    /(?<![\p{L}\d(])(?:[\p{Lu}\p{Ll}]{1,4}[ ](?=\d))?[\p{Lu}\p{Ll}\d][\p{L}\d_]*(?:[-/._–][\p{L}\d_]+)*(?:(?<=\d) \/ \d{3,}(?![\p{L}\d/-]))?/gu,
  )) {
    const from = match.index;
    const to = from + match[0].length;
    if (!/\d/.test(match[0]) || match[0].length > 40) continue;
    if (text[to] === "%" || /^\s?[€$£]/.test(text.slice(to))) continue;
    if (isOther(from, to)) continue;
    const isYear = /^(19|20)\d{2}$/.test(match[0]) && text[from - 1] !== "#";
    if (/^\d+[.,]\d{2}$/.test(match[0]) || isYear) continue;
    let value = match[0];
    // "No 123" is a label and its value; "INV 123" is one code.
    const lead = /^(\p{L}{1,4})[ .](?=\d)/u.exec(value)?.[1];
    if (lead && (lead !== lead.toUpperCase() || leadsCode(lead))) value = value.slice(lead.length + 1);
    found.push({ value, from: to - value.length, to });
  }
  return found;
}
