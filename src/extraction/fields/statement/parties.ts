import { currencyCodes } from "../../reading/currency.ts";
import { findDates } from "../../reading/dates.ts";
import { isInHead, isLargePrint } from "../../reading/geometry.ts";
import { labelsIn } from "../../reading/labels.ts";
import type { Segment } from "../../reading/segment.ts";
import {
  hasBusinessWord,
  hasLegalForm,
  isLegalForm,
  isPostalLine,
  movementIndex,
  saysYour,
  statementIndex,
} from "../../reading/words.ts";
import type { Found } from "../claims.ts";
import type { Context } from "../context.ts";
import { addressIn, cleanName, isNameLike, isStreetLine, linesUnder } from "../invoice/address.ts";
import { bare } from "../invoice/full-name.ts";
import { type Candidate, candidateIn } from "../pick.ts";
import { firstMovementRow } from "./movement-headers.ts";

const isWebAddress = /^\S+\.\p{Ll}{2,}(?:\/|$)/u;
const headRows = 3;
const headingsOfTable = 4;

/** The name on top, or the one that the register at the foot has. */
export function proposeBank(context: Context): Candidate<string>[] {
  return [...proposeSign(context), ...proposeRegistered(context)];
}

function proposeSign(context: Context): Candidate<string>[] {
  return context.layout.segments
    .filter(
      (segment) =>
        segment.page === 1 &&
        segment.row < firstMovementRow(context) &&
        segment.text.length < 60 &&
        /\p{L}{3}/u.test(segment.text) &&
        context.layout.rows[segment.row]!.segments.length < headingsOfTable &&
        !context.layout.rows[segment.row]!.segments.some(context.hasMoney),
    )
    .slice(0, 40)
    .flatMap((segment) => {
      // "Your Barclays Bank statement"
      const name = withoutTitle(context, segment).replace(/^(\p{L}+) (?=\p{Lu})/u, (lead, word: string) =>
        saysYour(word) ? "" : lead,
      );
      const isLabel = [statementIndex, movementIndex].some((index) =>
        labelsIn<string>(segment, index).some(({ from }) => from <= 2),
      );
      const isNamed = hasBusinessWord(name) || hasLegalForm(name);
      // "Transactions", "Customer details": below the head only what says what it is may be a bank.
      if (
        !/\p{L}{2}/u.test(name) ||
        (currencyCodes.includes(name) && !isNamed) ||
        (!isNamed && (isLabel || segment.row >= headRows))
      )
        return [];
      return candidateIn(name, segment, segment.box, {
        top: 1 - segment.box[1],
        first_row: segment.row === 0,
        large: isLargePrint(segment.height, context.layout.lineHeight),
        bold: segment.isBold,
        business: hasBusinessWord(name),
        legal_form: hasLegalForm(name),
        title: context.labelsOf(segment).some(({ name, from }) => name.startsWith("title.") && from <= 2),
        digits: /[:\d]/.test(name),
        label: isLabel,
      });
    });
}

/** "Lloyds Bank" of "Lloyds Bank Statement"; nothing of a line that is only a title. What a bank says of itself behind its name is no part of it. */
function withoutTitle(context: Context, segment: Segment): string {
  const { text } = segment;
  const title = context
    .labelsOf(segment)
    .find(({ name, to }) => name.startsWith("title.") && /^\W*$/.test(text.slice(to)));
  if (!title) return text.split(/ [-–—|·] |,(?=.*\d)/)[0]!.trim();
  const bank = /^bank(?=\s)/i.exec(text.slice(title.from))?.[0] ?? "";
  return title.from <= 2 ? "" : `${text.slice(0, title.from)}${bank}`.trim();
}

/** "JPMorgan Chase Bank, N.A." under the sign "CHASE". */
function isOfBank(text: string, bank: string | undefined): boolean {
  if (!bank) return false;
  const [one, other] = [bare(text), bare(bank)];
  return one === other || ((hasLegalForm(text) || hasBusinessWord(text)) && other.length > 3 && one.includes(other));
}

/** A name over an address that no label names is the holder's, unless it is the bank's own. */
export function proposeHolder(context: Context, bank: string | undefined): Candidate<string>[] {
  return context.layout.segments
    .filter(
      ({ page, box, text }) =>
        page === 1 && isInHead(box) && isNameLike(text) && !/\d/.test(text) && !isOfBank(text, bank),
    )
    .filter((segment) => {
      if (segment.row >= firstMovementRow(context) || isWebAddress.test(segment.text)) return false;
      if (labelsIn(segment, statementIndex).length > 0) return false;
      if (
        context
          .labelsOf(segment)
          .some(({ name, from, to }) => name.startsWith("title.") && (from <= 2 || to === segment.text.length))
      )
        return false;
      const lines = addressIn(linesUnder(context, segment, () => false))?.lines ?? [];
      const [first] = lines;
      // A heading is larger than what stands under it, and a date is no address.
      if (!first || isLargePrint(segment.height, first.height) || findDates(first.text, "dmy").length > 0) return false;
      return first.row === segment.row + 1 && lines.some(({ text }) => isPostalLine(text) || isStreetLine(text));
    })
    .map((segment) =>
      candidateIn(cleanName(segment.text), segment, segment.box, { over_address: 1, top: 1 - segment.box[1] }),
    );
}

/** "Polder Bank N.V. is statutair gevestigd te Amsterdam": whoever stands under everything that counts money, with a legal form. */
function proposeRegistered(context: Context): Candidate<string>[] {
  const { rows } = context.layout;
  const last = rows.findLastIndex(({ page, segments }) => page === 1 && segments.some(context.hasMoney));
  return rows
    .slice(last + 1)
    .filter(({ page, segments }) => page === 1 && segments.length === 1)
    .flatMap(({ segments: [segment] }) => {
      const name = legalName(segment!.text);
      if (!name) return [];
      return candidateIn(name, segment!, segment!.box, {
        top: 1 - segment!.box[1],
        business: hasBusinessWord(name),
        legal_form: true,
        register: true,
      });
    });
}

/** What a line begins with, up to the end of its legal form. */
function legalName(text: string): string | undefined {
  const words = text.split(/\s+/).slice(0, longestName);
  for (let end = words.length; end > 1; end--)
    for (let form = end - 1; form > 0 && form >= end - longestForm; form--) {
      const tail = words
        .slice(form, end)
        .join(" ")
        .replace(/[,;:]$/, "");
      const name = words.slice(0, form);
      if (isLegalForm(tail) && hasLegalForm(tail) && name.every((word) => /^[\p{Lu}\d&]|^\p{Ll}{1,3}$/u.test(word)))
        return `${name.join(" ")} ${tail}`;
    }
  return undefined;
}

const longestName = 8;
const longestForm = 3;

/** "Kontoinhaber Beat Ammann", or a run of text with nothing else. */
export function nameIn(text: string, segment: Segment): Found<string>[] {
  const [lead] = labelsIn(segment, statementIndex);
  const own = lead?.name === "account_holder" && lead.isStrong && lead.from <= 2 ? text.slice(lead.to).trim() : "";
  if (/^\p{Lu}\S* .*\p{Lu}/u.test(own) && !/\d{3}/.test(own) && !hasBusinessWord(own))
    return [{ value: own, from: text.length - own.length, to: text.length }];
  const match = /[^\s:.-].*$/u.exec(text.replace(/^[\s:.-]+/, (lead) => " ".repeat(lead.length)));
  if (!match) return [];
  const label = /^[^:]{2,30}:\s*/u.exec(match[0])?.[0].length ?? 0;
  // "Client: Instal Pro SRL CUI: RO38114720"
  const value = match[0]
    .slice(label)
    .replace(/\s+\p{L}[\p{L}.]{1,11}:.*$/u, "")
    .trim();
  if (!/\p{L}{2}/u.test(value) || /\d{3}/.test(value)) return [];
  return [{ value, from: match.index + label, to: match.index + label + value.length }];
}
