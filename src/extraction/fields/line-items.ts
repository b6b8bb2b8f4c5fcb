import type { Box } from "../../ports/document-reader.ts";
import { isInColumn, isRightUnder, isSameEdge, startAlike, union } from "../reading/geometry.ts";
import type { Row } from "../reading/layout.ts";
import type { Segment } from "../reading/segment.ts";
import { type ColumnRole, endsSection } from "../reading/words.ts";
import type { Context } from "./context.ts";
import { findItemHeaders, type ItemHeader, nearestRole } from "./item-headers.ts";
import { type CellRow, cutRow, isProduct, type NumberCell, type Solved, solveRow, type TextCell } from "./item-rows.ts";
import { candidateIn, type Finding, weigh, weightOf } from "./pick.ts";
import { findRowsOverSums, isPrintedSum } from "./rows-over-sums.ts";
import { startsWithSum } from "./spans.ts";

export interface LineItem {
  description: string | null;
  quantity: number | null;
  unit_price: number | null;
  total: number | null;
}

interface OpenItem {
  item: LineItem;
  lastRow: Row;
  box: Box;
  segment: NumberCell["segment"];
  descriptionBox: Box | undefined;
  isSolved: boolean;
}

/** The numbers of an item; a row may leave some of them out. */
interface ItemParts {
  readonly quantity?: NumberCell | undefined;
  readonly price?: NumberCell | undefined;
  readonly total: NumberCell;
}

/** Where the right edges of numbers stood in the rows before. */
type Places = Map<"quantity" | "unit_price" | "total", number[]>;

const rolesOf = ({ quantity, price, total }: Solved) =>
  [
    ["quantity", quantity],
    ["unit_price", price],
    ["total", total],
  ] as const;

/** Finds the goods or services of an invoice: by column headings, and by rows in which quantity times price gives the total. */
export function findLineItems(context: Context): Finding<LineItem>[] {
  return context.once("lines", () => searchLineItems(context));
}

function searchLineItems(context: Context): Finding<LineItem>[] {
  const headers = findItemHeaders(context);
  const withHeader = headers.length > 0 ? readItems(context, headers) : [];
  const plain = withHeader.length > 0 ? withHeader : readItems(context, []);
  const isWhole = isPrintedSum(
    context,
    plain.map(({ item }) => item.total ?? 0),
  );
  const proven = isWhole ? [] : readProven(context, headers[0]);
  const found = proven.length > plain.length ? proven : plain;
  return found.map((open) =>
    weigh(
      "lines",
      candidateIn(open.item, open.segment, open.box, { checked: open.isSolved, headed: headers.length > 0 }),
    ),
  );
}

function readItems(context: Context, headers: readonly ItemHeader[]): OpenItem[] {
  const items: OpenItem[] = [];
  const first = headers[0];
  let header = first;
  let isOver = false;
  const places: Places = new Map();
  const rows = context.layout.rows;
  // Rows with one possible reading show where each column stands; rows like 1 x 160 = 160 follow them.
  for (const row of rows) {
    if (first && row.index <= first.lastRow) continue;
    const [best, next] = solveRow(context, cutRow(context, row).numbers);
    if (best && isProduct(best) && !(next && isProduct(next))) remember(places, best);
  }
  for (let index = first ? first.lastRow + 1 : 0; index < rows.length && !isOver; index++) {
    const row = rows[index]!;
    const next = headers.find((candidate) => index >= candidate.firstRow && index <= candidate.lastRow);
    if (next) {
      header = next;
      index = next.lastRow;
      continue;
    }
    const cells = withTextOver(context, cutRow(context, row), header?.lastRow, items.at(-1));
    if (isNumbering(cells)) continue;
    const goesOn = headers.some((candidate) => candidate.firstRow > index && candidate.page > row.page);
    if (items.length > 0 && (endsSection(row.segments[0]?.text ?? "") || isTaxHeading(context, row)) && !goesOn) break;
    if (isTotalsRow(context, row, cells) && (items.length > 0 || !first)) {
      if (items.length > 0) isOver = !goesOn;
      if (isOver) break;
      continue;
    }
    const solved = pickSolution(solveRow(context, cells.numbers), header, places);
    if (solved && (first || isConvincing(context, solved, cells))) {
      items.push(makeItem(cells, solved, header, true));
      remember(places, solved);
      continue;
    }
    // A total may stand a little lower than its row.
    const after = rows[index + 1];
    if (
      !solved &&
      first &&
      after?.page === row.page &&
      isRightUnder(after.top, row.bottom, context.layout.lineHeight)
    ) {
      const below = cutRow(context, after).numbers;
      const numbers = [...cells.numbers, ...below].sort((left, right) => left.box[0] - right.box[0]);
      const both = pickSolution(solveRow(context, numbers), header, places);
      if (both && cells.numbers.length > 0 && below.includes(both.total) && !below.includes(both.price)) {
        items.push(makeItem(cells, both, header, true));
        remember(places, both);
        index++;
        continue;
      }
    }
    const plain = header && readByColumns(context, cells, header, places);
    if (plain && cells.texts.length > 0) {
      items.push(makeItem(cells, plain, header, false));
      continue;
    }
    extendDescription(context, items.at(-1), cells);
  }
  return items;
}

/** "Taxable amount | Tax": the headings of what was charged at which rate. */
function isTaxHeading(context: Context, row: Row): boolean {
  const names = row.segments.flatMap((segment) => context.labelsOf(segment).map(({ name }) => name));
  return names.includes("net_total") && names.includes("tax_total") && !row.segments.some(context.hasMoney);
}

/** "1 | 2 | 3 | 4": the columns themselves are numbered under their headings. */
function isNumbering({ numbers }: CellRow): boolean {
  const [first, ...others] = numbers.map(({ number }) => number.value);
  return others.length >= 2 && others.every((value, index) => value === first! + index + 1) && first! <= 1;
}

/** The numbers of a row may stand between the two lines of its description. */
function withTextOver(
  context: Context,
  cells: CellRow,
  headerRow: number | undefined,
  last: OpenItem | undefined,
): CellRow {
  const above = context.layout.rows[cells.row.index - 1];
  const isFree = above?.page === cells.row.page && above.index !== headerRow && above !== last?.lastRow;
  if (!isFree || cells.texts.length > 0 || above.segments.length > 1 || solveRow(context, cells.numbers).length === 0)
    return cells;
  const { numbers, texts } = cutRow(context, above);
  const isNear = isRightUnder(cells.row.top, above.bottom, context.layout.lineHeight);
  return isNear && numbers.length === 0 ? { ...cells, texts } : cells;
}

/** Every total is printed where the rows add up: whatever else a row holds is read as far as it can be. */
function readProven(context: Context, header: ItemHeader | undefined): OpenItem[] {
  const items: OpenItem[] = [];
  for (const { cells, total } of findRowsOverSums(context)) {
    const rows = context.layout.rows.slice((items.at(-1)?.lastRow.index ?? cells.row.index) + 1, cells.row.index);
    for (const row of rows) extendDescription(context, items.at(-1), cutRow(context, row));
    const solved = solveRow(context, cells.numbers).find((one) => one.total.box[2] === total.box[2]);
    const plain = header && readByColumns(context, cells, header, new Map());
    items.push(makeItem(cells, solved ?? { ...plain, total }, header, true));
  }
  return items;
}

function isConvincing(context: Context, solved: Solved, cells: CellRow): boolean {
  return (
    context.isMoney(solved.total.number) &&
    cells.texts.length > 0 &&
    (isProduct(solved) || context.isMoney(solved.price.number))
  );
}

/** The solution that agrees best with headings and with the rows before. */
function pickSolution(
  solutions: readonly Solved[],
  header: ItemHeader | undefined,
  places: Places,
): Solved | undefined {
  const score = (solved: Solved): number => {
    let { points } = solved;
    for (const [role, cell] of rolesOf(solved)) {
      if (header && nearestRole(cell.box, header) === role) points += weightOf("place", "headed");
      const known = places.get(role);
      if (known)
        points += weightOf("place", known.some((right) => isSameEdge(right, cell.box[2])) ? "aligned" : "elsewhere");
    }
    return points;
  };
  return [...solutions].sort((left, right) => score(right) - score(left))[0];
}

function remember(places: Places, solved: Solved): void {
  for (const [role, cell] of rolesOf(solved)) places.set(role, [...(places.get(role) ?? []), cell.box[2]]);
}

/** Rows whose arithmetic does not tell: take the numbers under the headings. */
function readByColumns(context: Context, cells: CellRow, header: ItemHeader, places: Places): ItemParts | undefined {
  const byRole = new Map<ColumnRole, NumberCell>();
  for (const cell of cells.numbers) {
    if (cell.number.isPercent) continue;
    const role = nearestRole(cell.box, header);
    if (role && !byRole.has(role)) byRole.set(role, cell);
  }
  const known = places.get("total");
  const total =
    cells.numbers.find(
      (cell) => context.isMoney(cell.number) && known?.some((right) => isSameEdge(right, cell.box[2])),
    ) ??
    byRole.get("total") ??
    // "Item, Price": where nothing else is an amount, the price is what the item costs.
    (header.columns.some(({ role }) => role === "total") ? undefined : byRole.get("unit_price"));
  if (!total || !context.isMoney(total.number)) return undefined;
  const quantity = byRole.get("quantity");
  const price = byRole.get("unit_price");
  const hasQuantityColumn = header.columns.some((column) => column.role === "quantity");
  // Where a column of quantities exists, a row without one is a note or a carried-over sum.
  if (hasQuantityColumn && !quantity && !price) return undefined;
  return { quantity, price: price === total ? undefined : price, total };
}

/** A row that begins with the word for a sum and ends with an amount. */
function isTotalsRow(context: Context, row: Row, { numbers }: CellRow): boolean {
  const isSum = (segment: Segment | undefined): boolean => segment !== undefined && startsWithSum(context, segment);
  const texts = row.segments.filter((one) => /\p{L}{2}/u.test(one.text) && (isSum(one) || !context.hasMoney(one)));
  const isTotal = texts[0] && context.labelsOf(texts[0]).some(({ name, from }) => name === "grand_total" && from === 0);
  // "VAT" may be a column of every item; a sum has at most its rate beside its amount, if it is not that of all columns.
  return (
    numbers.some(({ number }) => context.isMoney(number) || number.hasCurrency) &&
    // A note may stand left of the sums.
    (isSum(texts[0]) || (texts.length === 2 && numbers.length === 1 && isSum(texts[1]))) &&
    (isTotal || numbers.filter(({ number }) => !number.isPercent).length <= 3) &&
    !solveRow(context, numbers).some(isProduct)
  );
}

function makeItem(cells: CellRow, parts: ItemParts, header: ItemHeader | undefined, isSolved: boolean): OpenItem {
  const { quantity, price, total } = parts;
  const numbers = [quantity, price, total].filter((cell) => cell !== undefined);
  const text = describe(cells, header, numbers);
  const used = text ? [...numbers, text] : numbers;
  return {
    item: {
      description: text?.text ?? null,
      quantity: quantity?.number.value ?? null,
      unit_price: price?.number.value ?? null,
      total: total.number.value,
    },
    lastRow: cells.row,
    box: used.map((cell) => cell.box).reduce(union),
    segment: total.segment,
    descriptionBox: text?.box,
    isSolved,
  };
}

/** The text under the heading for descriptions, else the first that is words, else the longest. */
function describe(cells: CellRow, header: ItemHeader | undefined, used: readonly NumberCell[]): TextCell | undefined {
  const column = header?.columns.find((candidate) => candidate.role === "description");
  const texts = cells.texts
    .filter((text) => /\p{L}{2}/u.test(text.text))
    // Numbers behind a name that are nothing else belong to it.
    .map((cell) =>
      used.some(({ segment }) => segment === cell.segment)
        ? cell
        : { ...cell, text: cell.whole, box: union(cell.box, cell.segment.box) },
    );
  if (column) {
    const under = texts.filter((text) => isInColumn(text.box, column.box) || startAlike(text.box, column.box));
    if (under.length > 0) return joinTexts(under);
  }
  const [first] = texts;
  // A code stands before the name, "31 days" behind it.
  const isName = first !== undefined && /\p{L}{4}/u.test(first.text) && !/\d/.test(first.text);
  return isName ? first : [...texts].sort((left, right) => right.text.length - left.text.length)[0];
}

function joinTexts(texts: readonly TextCell[]): TextCell {
  const text = texts.map((part) => part.text).join(" ");
  return { text, whole: text, segment: texts[0]!.segment, box: texts.map((part) => part.box).reduce(union) };
}

/** Lines of text right under an item belong to its description. */
function extendDescription(context: Context, open: OpenItem | undefined, cells: CellRow): void {
  if (!open || cells.row.page !== open.lastRow.page || cells.numbers.some((cell) => context.isMoney(cell.number)))
    return;
  if (!isRightUnder(cells.row.top, open.lastRow.bottom, context.layout.lineHeight)) return;
  const anchor = open.descriptionBox;
  const matching = cells.texts.filter((text) => !anchor || startAlike(text.box, anchor));
  if (matching.length === 0 || (open.item.description ?? "").length > 400) return;
  open.item.description = [open.item.description, ...matching.map((text) => text.text)].filter(Boolean).join(" ");
  open.lastRow = cells.row;
  open.box = matching.map((text) => text.box).reduce(union, open.box);
  open.descriptionBox ??= matching[0]!.box;
}
