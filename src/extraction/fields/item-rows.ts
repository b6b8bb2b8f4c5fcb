import type { Box } from "../../ports/document-reader.ts";
import type { FoundNumber } from "../reading/amounts.ts";
import { cent } from "../reading/amounts.ts";
import { boxOfSpan, type Row } from "../reading/layout.ts";
import type { Segment } from "../reading/segment.ts";
import type { Context } from "./context.ts";
import { scoreOf } from "./pick.ts";

/** A number of a row with its place. */
export interface NumberCell {
  readonly number: FoundNumber;
  readonly box: Box;
  readonly segment: Segment;
}

export interface TextCell {
  readonly text: string;
  readonly box: Box;
  readonly segment: Segment;
  /** With the numbers behind it in its run, which may turn out to be nothing else. */
  readonly whole: string;
}

/** A row cut into what is a number of its own and what is text. */
export interface CellRow {
  readonly row: Row;
  readonly numbers: readonly NumberCell[];
  readonly texts: readonly TextCell[];
}

/** Numbers inside a description ("pack of 100") are text; those before it, after it or on their own are cells. */
export function cutRow(context: Context, row: Row): CellRow {
  const numbers: NumberCell[] = [];
  const texts: TextCell[] = [];
  for (const segment of row.segments) {
    const found = context.numbersIn(segment);
    const tail = tailNumbers(segment.text, found);
    const rest = found.filter((number) => !tail.includes(number));
    // "10% on seats" and "2.5 l can" begin a description; "3 chairs" begins with a quantity or a position.
    const first = rest[0];
    const isHead =
      first &&
      first.from <= 1 &&
      !first.isPercent &&
      first.decimals === 0 &&
      /^\W?\s/.test(segment.text.slice(first.to));
    const head = isHead ? [first] : [];
    const taken = [...head, ...tail];
    for (const number of taken) numbers.push({ number, segment, box: boxOfSpan(segment, number.from, number.to) });
    const from = head[0]?.to ?? 0;
    const to = tail[0]?.from ?? segment.text.length;
    const trim = (raw: string): string => raw.replace(/^[\s.:|)-]+|[\s|(]+$/g, "");
    const text = trim(segment.text.slice(from, to));
    if (/\p{L}{2}|\p{L}.*\d/u.test(text))
      texts.push({ text, segment, box: boxOfSpan(segment, from, to), whole: trim(segment.text.slice(from)) });
  }
  numbers.sort((left, right) => left.box[0] - right.box[0]);
  return { row, numbers, texts };
}

/** The run of numbers at the end of a text, with units between them. */
function tailNumbers(text: string, found: readonly FoundNumber[]): FoundNumber[] {
  const tail: FoundNumber[] = [];
  let end = text.length;
  for (const number of [...found].reverse()) {
    const between = text.slice(number.to, end).trim();
    const isUnit =
      /^[\s/*x×@=|€$£:;,.)(%-]*(\p{L}{1,6}[²³23]?[.()s]*)?([\s/*x×@=|€$£:;,.)(%-]*(\(?\p{L}{1,5}\)?\.?)?)?$/u.test(
        between,
      );
    // "3. Delivery" is the third of the goods, "20kg bag" a name, and "Backup #58210034" one with a code.
    const isPosition = number.from <= 1 && /^(?:[.)] ?|(?![x×])\p{L}+ )\p{L}/u.test(text.slice(number.to));
    const isCode = /[#№]\s?$/.test(text.slice(0, number.from));
    // "Less: 10% on seats" is a name to its end; "19 % VAT" ends with a rate.
    if (
      !isUnit ||
      isPosition ||
      isCode ||
      isMeasure(text, number) ||
      (number.isPercent && /\p{L}\s+\p{L}/u.test(between))
    )
      break;
    // A name that ends in a number ("Exchange 2010") is still a name.
    const isBareInName =
      number.decimals === 0 &&
      !number.hasCurrency &&
      !number.isPercent &&
      tail.length === 0 &&
      /\p{L}{3,}[^\d]*$/u.test(text.slice(0, number.from)) &&
      number.from > 3;
    if (isBareInName) break;
    tail.unshift(number);
    end = number.from;
  }
  return tail;
}

/** "Riesling 0,75 l", "cable 2 m" and "battery 1,5 V" are names with their measure; "12 h @ 75" counts hours. */
function isMeasure(text: string, { from, to }: FoundNumber): boolean {
  return (
    /\p{L}{2}/u.test(text.slice(0, from)) &&
    /^\s?(l|cl|ml|kg|g|mg|m|m²|m2|cm|mm|km|kwh|wh|w|v|ah|mah|hz|h|in|ft|oz|lb|mb|gb|tb)\b(?!\.?\s*[@x×*])/iu.test(
      text.slice(to),
    )
  );
}

/** Quantity, unit price and total of one row. */
export interface Solved {
  readonly quantity: NumberCell;
  readonly price: NumberCell;
  readonly total: NumberCell;
  /** Better fits have more evidence: real products before 1 x price = price. */
  readonly points: number;
}

/** Whether a row multiplies two numbers, neither of them 1. */
export function isProduct({ points }: Solved): boolean {
  return points > 1;
}

/** All ways in which quantity times price gives the total, discounts included. */
export function solveRow(context: Context, given: readonly NumberCell[]): Solved[] {
  const solutions: Solved[] = [];
  // No row of goods has more numbers than this, and the search grows with their cube.
  const numbers = given.slice(-12);
  const plain = numbers.filter((cell) => !cell.number.isPercent);
  const discounts = [
    0,
    ...numbers
      .filter((cell) => cell.number.isPercent && cell.number.value !== 0 && Math.abs(cell.number.value) < 100)
      .map((cell) => Math.abs(cell.number.value) / 100),
  ];
  for (const total of plain) {
    if (!context.isMoney(total.number) && total.number.decimals !== 0) continue;
    for (const quantity of plain) {
      if (
        quantity === total ||
        quantity.number.value === 0 ||
        (quantity.number.hasCurrency && quantity.number.decimals > 0)
      )
        continue;
      for (const price of plain) {
        if (
          price === total ||
          price === quantity ||
          (price.number.decimals === 0 && !price.number.hasCurrency && total.number.decimals > 0)
        )
          continue;
        // Totals stand right of what they are made of.
        if (total.box[0] < quantity.box[0] || total.box[0] < price.box[0]) continue;
        for (const discount of discounts) {
          const expected = quantity.number.value * price.number.value * (1 - discount);
          // A price may have been rounded before it was printed.
          const rounding = price.number.decimals < 2 ? 0 : 10 ** -price.number.decimals / 4;
          const slack = cent + Math.abs(quantity.number.value) * rounding;
          if (Math.abs(Math.abs(expected) - Math.abs(total.number.value)) > slack) continue;
          const isReal =
            ![0, 1].includes(Math.abs(quantity.number.value)) && ![0, 1].includes(Math.abs(price.number.value));
          const points = scoreOf("product", {
            [isReal ? "real" : "by_one"]: 1,
            discount,
            finer_price: quantity.number.decimals <= price.number.decimals,
            whole_quantity: Number.isInteger(quantity.number.value),
            right: total.box[2],
            in_order: price.box[0] > quantity.box[0],
          });
          solutions.push({ quantity, price, total, points });
        }
      }
    }
  }
  return solutions.sort((left, right) => right.points - left.points);
}
