import type { ReadPage } from "../../ports/document-reader.ts";
import { cent } from "../reading/amounts.ts";
import { findDates } from "../reading/dates.ts";
import { isInHead, isLargePrint } from "../reading/geometry.ts";
import { type Label, labelsIn, type PhraseIndex } from "../reading/labels.ts";
import type { Layout, Row } from "../reading/layout.ts";
import { fold } from "../reading/normalize.ts";
import {
  asksForEntry,
  billedIndex,
  fieldIndex,
  isClosing,
  isSalutation,
  kindIndex,
  movementIndex,
  partyIndex,
  saysCash,
  saysChange,
  saysForm,
  statementIndex,
} from "../reading/words.ts";
import type { Context } from "./context.ts";
import { findTotals } from "./invoice/totals.ts";
import { findItemHeaders } from "./item-headers.ts";
import { cutRow, isProduct, solveRow } from "./item-rows.ts";
import { type Reasons, reasonsOf, scoreOf } from "./pick.ts";

export const documentTypes = [
  "invoice",
  "credit_note",
  "receipt",
  "bank_statement",
  "form",
  "purchase_order",
  "quote",
  "delivery_note",
  "payslip",
  "reminder",
  "contract",
  "letter",
  "supplier_statement",
  "document",
] as const;
export type DocumentType = (typeof documentTypes)[number];

/** What kind of document it is, by its title, its words and its build, with a probability. */
export function classify(context: Context): { type: DocumentType; probability: number } {
  const traits = observe(context);
  const kinds = context.document.pages[0]?.kinds;
  const scores = documentTypes.map((type) => ({
    type,
    score: scoreOf(`type ${type}`, kinds ? { ...traits, tagged: kinds[type] ?? 0 } : traits),
  }));
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  const total = scores.reduce((sum, { score }) => sum + Math.exp(score - best.score), 0);
  return { type: best.type, probability: 1 / total };
}

const share = (count: number, most: number): number => Math.min(1, count / most);

/** What is seen of a document before any type is assumed. */
export function observe(context: Context): Reasons {
  const { layout, document } = context;
  const first = document.pages[0];
  const amounts = layout.segments.filter(context.hasMoney).length;
  const totals = amounts > 0 ? findTotals(context) : {};
  const words = layout.segments.reduce((sum, segment) => sum + segment.words.length, 0);
  const strong = (names: readonly string[], labels: readonly Label[] = context.labels): number =>
    new Set(labels.filter(({ name, isStrong }) => isStrong && names.includes(name)).map(({ name }) => name)).size;
  const rows = layout.rows.map((row) => row.text);
  const found = titles(context);
  const isSlip = isNarrow(first, layout);
  const isCash = rows.some((text) => saysCash(text)) && rows.some((text) => saysChange(text));
  // "Receipt no. 58" numbers a receipt, and so does the number of a page that calls itself one.
  const isNumbered =
    (found["title.receipt.best"] === undefined || found["title.invoice"] !== undefined) &&
    context.labels.some(
      ({ name, isStrong, segment }) =>
        name === "invoice_number" &&
        isStrong &&
        !context.labelsOf(segment).some((other) => other.name === "title.receipt"),
    );
  // A sheet with sums that calls itself no bill and has no number of one: a report, a list of prices.
  const isNameless = !isSlip && !layout.isScanned && !isCash && !isNumbered && !billTitles.some((name) => found[name]);
  const hasItemHeader = findItemHeaders(context).length > 0;
  return reasonsOf({
    ...found,
    // "ORDER" heads the slips of kitchens and workshops.
    titled_otherwise: !isSlip && found.titled_otherwise,
    nameless_sheet: isNameless,
    nameless_list: isNameless && hasItemHeader,
    invoice_labels: share(
      strong(["invoice_number", "issue_date", "due_date", "net_total", "tax_total", "grand_total", "vat_id"]),
      5,
    ),
    numbered: isNumbered,
    numbered_page: isNumbered && !isSlip,
    due: strong(["due_date", "amount_due"]) > 0,
    adds_up: Boolean(totals.grand_total?.reasons.checked && totals.net_total),
    total: totals.grand_total !== undefined,
    no_amounts: amounts === 0,
    few_amounts: amounts > 0 && amounts < 3,
    priced_rows: amounts < 4 ? 0 : share(pricedRows(context), 3),
    item_header: hasItemHeader,
    movements: share(movements(context), 5),
    movement_header: layout.rows.some(isMovementHeader),
    // The folio of a hotel has charges, too, and says that it is an invoice.
    billed: !found["title.invoice"] && !found["title.receipt"] && isBilled(context),
    running: share(runningBalances(context), 2),
    balances: share(strong(["opening_balance", "closing_balance"], labelsOn(layout, statementIndex)), 2),
    parties: share(
      strong(
        ["seller", "buyer"],
        labelsOn(layout, partyIndex).filter(({ isAlone }) => isAlone),
      ),
      2,
    ),
    narrow: isSlip,
    roll: isRoll(first, layout),
    paid: isSlip && isPaid(context),
    scanned: layout.isScanned,
    short_scan: layout.isScanned && document.pages.length === 1 && words < 250,
    cash: isCash,
    long: words > 350,
    very_long: words > 900,
    many_pages: document.pages.length > 2,
    book: document.pages.length > 6,
    salutation: rows.some((text) => isSalutation(text)),
    closing: rows.some((text) => isClosing(text)),
    ...signs(layout),
    colons: share(layout.segments.filter((segment) => /^[\p{L}][^:]{1,40}:/u.test(segment.text)).length, 10),
    form_entries: document.formEntries.length > 2,
    form_keys: share(Math.max(0, layout.segments.filter(({ text }) => asksForEntry(text)).length - fewKeys), fewKeys),
    form_words: share(rows.filter((text) => saysForm(text) || /[☐☑☒]/u.test(text)).length, 3),
  });
}

/** Words that documents of a kind have in common besides their title; one of them may stand anywhere. */
function signs(layout: Layout): Record<string, number> {
  const found = new Map<string, Set<string>>();
  for (const { name, segment, from, to } of labelsOn(layout, kindIndex))
    found.set(name, (found.get(name) ?? new Set()).add(fold(segment.text.slice(from, to))));
  return Object.fromEntries([...found].map(([name, texts]) => [`signs.${name}`, share(texts.size - 1, enoughSigns)]));
}

const enoughSigns = 3;

function labelsOn({ segments }: Layout, index: PhraseIndex<string>): Label[] {
  return segments.flatMap((segment) => labelsIn(segment, index));
}

/** Letters, bills and slips ask for so many things, too: "Date", "Name", "Total". */
const fewKeys = 6;

/** A slip, or one printed on a larger sheet. */
function isNarrow(page: ReadPage | undefined, { rows, lineHeight, isScanned }: Layout): boolean {
  if (page === undefined) return false;
  if (!isScanned && page.width < widestRoll) return true;
  const own = rows.filter((row) => row.page === page.number);
  const left = Math.min(...own.map((row) => row.segments[0]!.box[0]));
  const right = Math.max(...own.map((row) => row.segments.at(-1)!.box[2]));
  // A picture may be of any size: only its print tells how wide the paper was.
  if (isScanned) return ((right - left) * page.width) / (lineHeight * page.height) < linesOfSlip;
  return page.height / page.width > longestSheet || (own.length >= fewestRows && right - left < slipWidth);
}

/** Whatever it calls itself, a page as wide as the paper of a till, or longer than any sheet and narrower than one, was printed by a till. */
function isRoll(page: ReadPage | undefined, { isScanned }: Layout): boolean {
  if (page === undefined || isScanned) return false;
  const { width, height } = page;
  return (width < widestRoll && height > width) || (width < widthOfA5 && height / width > longestSheet);
}

/** "Maestro 27.85": a way of payment in front of an amount that is printed elsewhere as well. */
function isPaid(context: Context): boolean {
  const amounts = context.layout.rows.map(({ segments }) =>
    segments.flatMap((segment) => context.numbersIn(segment)).findLast(context.isMoney),
  );
  const times = new Map<number, number>();
  for (const segment of context.layout.segments)
    for (const value of new Set(context.numbersIn(segment).map((number) => number.value)))
      times.set(value, (times.get(value) ?? 0) + 1);
  return context.layout.rows.some(({ text }, index) => {
    const amount = amounts[index]?.value;
    return amount !== undefined && times.get(amount)! > 1 && saysCash(text);
  });
}

/** The print of a slip is no wider than so many of its lines are high: 118 of 120 pictures of slips and invoices are told apart. */
const linesOfSlip = 42;
/** Sheets of A4 are 1.41 times as high as wide, legal paper 1.55 times. */
const longestSheet = 1.6;
/** Rolls are 57 to 80 mm wide, and some programs print their slips on 90 or 100, of 72 points each 25.4; a sheet of A6 is 105. */
const widestRoll = 290;
const widthOfA5 = 419;
/** A slip is 58 or 80 mm wide, a sheet of A4 210; shorter texts than this may be anything. */
const slipWidth = 80 / 210;
const fewestRows = 12;

/** How much each title looks like the document's own: alone or first on its line, large, bold, high on the page. */
function titles(context: Context): Record<string, number> {
  const found: Record<string, number> = {};
  let best: { name: string; worth: number; length: number } | undefined;
  // "Receipt" among movements is one of them.
  const header = context.layout.rows.findIndex(isMovementHeader);
  for (const label of context.labels.flatMap((one) => [one, ...titleInNumber(context, one)])) {
    if (header >= 0 && label.segment.row > header) continue;
    if (!label.name.startsWith("title.") || isMovement(context, context.layout.rows[label.segment.row]!)) continue;
    const worth = titleWorth(context, label);
    if (worth <= 0 || (isAnythingElse(label.name) && worth < plainTitle)) continue;
    found[label.name] = Math.max(found[label.name] ?? 0, worth);
    if (!best || worth > best.worth + 1e-9 || (worth > best.worth - 1e-9 && label.length > best.length))
      best = { name: label.name, worth, length: label.length };
  }
  if (!best) return found;
  const billed = Math.max(0, ...billTitles.map((name) => found[name] ?? 0));
  return {
    ...found,
    [`${best.name}.best`]: 1,
    ...(best.worth >= plainTitle && best.worth > billed + 0.1 ? { titled_otherwise: 1 } : {}),
  };
}

/** "DEVIS N° D-2026-118" in capitals or large print: the word for a number of this kind begins with the title. */
function titleInNumber({ layout }: Context, { name, from, to, segment }: Label): Label[] {
  const { text, height } = segment;
  const isHeading = isLargePrint(height, layout.lineHeight) || text === text.toUpperCase();
  const words = text.slice(0, to).split(/\s+/);
  if (name !== "other_number" || from > 0 || !isHeading || words.length < 2) return [];
  const title = labelsIn({ ...segment, text: words.slice(0, -1).join(" ") }, fieldIndex);
  return title
    .filter((one) => one.isAlone && one.name.startsWith("title."))
    .map((one) => ({ ...one, segment, isAlone: false }));
}

/** "Menu" on a slip is a dish: the titles of anything else must look like one, on a line of their own, and large or high on the page. */
export const isAnythingElse = (name: string): boolean => name === "title.document" || name === "title.form";
const plainTitle = 0.5;

/** A page that plainly calls itself something else is no bill, whatever it repeats of one. */
const billTitles = ["title.invoice", "title.credit_note", "title.receipt", "title.bank_statement"];

function titleWorth(context: Context, { name, segment, from: start, to, isAlone, isStrong }: Label): number {
  // "GUEST FOLIO / INVOICE" has two titles.
  const from = /\p{Lu} ?\/ ?$/u.test(segment.text.slice(0, start)) ? 0 : start;
  if (from > 12 || segment.page > 1 || !isStrong) return 0;
  // "Due upon receipt" is when to pay.
  if (name === "title.receipt" && /\b(?:up)?on $/i.test(segment.text.slice(0, from))) return 0;
  const rest = segment.text.slice(to);
  const isLine = isAlone || /^[\s:.,#°º/–-]*(n[or°º]?\.?\s*)?[\p{Lu}\d/(-]*\d/iu.test(rest) || /^\s*[/–-]/.test(rest);
  // "Vedrører faktura: 20718" on a credit note names another document.
  if (from > 3 || (!isLine && rest.length > 30)) return scoreOf("title", { in_prose: 1 });
  return scoreOf("title", {
    [isLine ? "own_line" : "start_of_line"]: 1,
    large: isLargePrint(segment.height, context.layout.lineHeight),
    head: isInHead(segment.box),
    bold: segment.isBold,
    capitals: segment.text === segment.text.toUpperCase(),
  });
}

/** Rows in which a quantity times a price gives an amount. */
function pricedRows(context: Context): number {
  return context.layout.rows.filter((row) => solveRow(context, cutRow(context, row).numbers).some(isProduct)).length;
}

function movements(context: Context): number {
  return context.layout.rows.filter((row) => isMovement(context, row)).length;
}

function isMovementHeader({ segments }: Row): boolean {
  return segments.filter((segment) => labelsIn(segment, movementIndex).some(({ from }) => from <= 1)).length >= 3;
}

/** What is owed for bills: a column of charges, or movements that are called invoices. Banks move money and bill nobody. */
function isBilled(context: Context): boolean {
  const { rows } = context.layout;
  const isCharged = rows.some(
    (row) =>
      isMovementHeader(row) &&
      row.segments.some((segment) => labelsIn(segment, billedIndex).some(({ isAlone }) => isAlone)),
  );
  const moved = rows.filter((row) => isMovement(context, row));
  const invoiced = moved.filter(({ segments }) =>
    segments.some((segment) =>
      context.labelsOf(segment).some(({ name, from }) => name === "title.invoice" && from === 0),
    ),
  );
  return isCharged || (invoiced.length > 1 && invoiced.length >= moved.length / 2);
}

/** Rows that end in what the row above ended in, and one of their amounts more or less. */
function runningBalances({ layout, numbersIn, isMoney }: Context): number {
  let before: number | undefined;
  let count = 0;
  for (const { segments } of layout.rows) {
    const amounts = segments.flatMap((segment) =>
      numbersIn(segment)
        .filter(isMoney)
        .map(({ value }) => value),
    );
    const after = amounts.pop();
    const moved = before === undefined || after === undefined ? Number.NaN : Math.abs(after - before);
    if (amounts.some((value) => value !== 0 && Math.abs(Math.abs(value) - moved) < cent)) count++;
    before = after;
  }
  return count;
}

/** Whether a row begins with a date and holds an amount. */
function isMovement(context: Context, { segments }: Row): boolean {
  const lead = segments[0]!;
  const isDated =
    findDates(lead.text.slice(0, 24), context.dateOrder)[0]?.from === 0 ||
    /^\d{1,2}[./ -](\d{1,2}|\p{L}{3})\.?$/u.test(lead.text);
  return segments.length > 2 && isDated && segments.some(context.hasMoney);
}
