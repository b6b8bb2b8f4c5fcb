import { isLargePrint, isRightUnder } from "../../reading/geometry.ts";
import type { Row } from "../../reading/layout.ts";
import { hasBusinessWord, hasLegalForm, saysNumber } from "../../reading/words.ts";
import type { Context } from "../context.ts";
import { type Candidate, type Finding, pick } from "../pick.ts";
import { proposeAddress } from "./address.ts";
import { candidateOf, type HeadLine, readHead } from "./head-lines.ts";

/** The head of a till receipt: who and where. */
export function findReceiptHead(context: Context): Record<string, Finding> {
  const head = readHead(context);
  const company = pick("company", proposeCompany(context, head));
  const start = company ? head.findIndex(({ row }) => row.page === 1 && row.bottom >= company.box![3] - 1e-6) + 1 : 0;
  const address = pick("address", proposeAddress(context, head, start));
  return { ...(company ? { company } : {}), ...(address ? { address } : {}) };
}

function proposeCompany(context: Context, head: readonly HeadLine[]): Candidate<string>[] {
  const usual = context.layout.lineHeight;
  const firstPlace = head.findIndex(({ isPlace, text }) => isPlace && !hasLegalForm(text));
  return head.slice(0, 12).flatMap((line, order) => {
    const { row } = line;
    const text = repairLegalForm(line.text);
    if (!/\p{L}.*\p{L}.*\p{L}/u.test(text) || isSentence(text) || line.isContact) return [];
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

/** Whether a line is only the end of a name: a legal form, with a word before it at most, or "di Carla Bianchi". */
function isTail(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return (hasLegalForm(text) && words.length <= 3) || /^[^(]*\)|^(?:di|by|of)\s/i.test(text);
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
    // "Coop" over "Coop Supermarkt" is named twice.
    const isAgain = lines[0]!.text.toLowerCase().startsWith(`${above.text.toLowerCase()} `);
    if (isAgain || !isPlain(above) || !isUnder(lines[0]!.row, above.row, usual)) break;
    lines.unshift(above);
    joined.push([...lines]);
  }
  return joined;
}

/** The legal form is the word recognition breaks most often, and the one that can be told for certain. */
function repairLegalForm(text: string): string {
  return text
    .replace(/(?<=\bsp\. ?z )[o0][.,] ?[o0](?=[.,\s]|$)/i, "o.o")
    .replace(/(?<=\s)(s)[di1]n([\s.]{0,3})[bhr][hn][diu](?=[\s.]|$)/gi, (_, lead: string, gap: string) =>
      lead === "S" && /[A-Z]{4}/.test(text) ? `SDN${gap}BHD` : `Sdn${gap}Bhd`,
    );
}

function cleanCompany(text: string): string {
  return withoutBranch(repairLegalForm(text))
    .replace(branchNumber, "")
    .replace(/^[^\p{L}\d(]+(?=[\p{L}\d(])|[\s,;:*#-]+$/gu, "")
    .trim();
}

/** "Albert Heijn 1334", "Tim's #12": which of its shops it is; "REMA 1000" and "Bar 1900" are names. */
const branchNumber = /(?<=^\p{L}{2}[^\d]*) (?!\d*00$|1[89]\d\d$|20\d\d$|999?$)\d{3,5}$|\s#\s?\d{2,}$/u;

/** "Rosa Sp. z o.o. Sklep nr 12", "Mercado, S.A. A-46103834": what has digits behind the legal form is no name. */
function withoutBranch(text: string): string {
  const words = text.split(/\s+/);
  const end = words.findIndex((word, at) => /\d/.test(word) && hasLegalForm(words.slice(0, at).join(" ")));
  return end < 0 ? text : words.slice(0, saysNumber(words[end - 1]!) ? end - 2 : end).join(" ");
}
