import type { FoundNumber } from "../reading/amounts.ts";
import { boxOfSpan, overlapX, type Segment } from "../reading/layout.ts";
import { type Context, isMoney } from "./context.ts";
import { type Finding, findingIn } from "./finding.ts";
import type { Label } from "./labels.ts";

/** Net, tax and gross of a document. */
export interface Totals {
  net?: Finding<number>;
  tax?: Finding<number>;
  gross?: Finding<number>;
}

interface Amount {
  readonly value: number;
  readonly segment: Segment;
  readonly number: FoundNumber;
}

interface Claim extends Amount {
  /** It stands in a column under its label, which may as well be a column of the items. */
  readonly isBelow?: boolean;
  readonly points: number;
  readonly isStrong: boolean;
}

const cent = 0.015;

/** Finds the totals whose labels and arithmetic agree best: net + tax = gross. */
export function findTotals(context: Context): Totals {
  const amounts = context.layout.segments.flatMap((segment) =>
    context
      .numbersIn(segment)
      .filter(isMoney)
      .map((number): Amount => ({ value: number.value, segment, number })),
  );
  const nets = strongest(claimsFor(context, "net_total"));
  const taxes = withSums(strongest(claimsFor(context, "tax_total")));
  const grosses = strongest(claimsFor(context, "grand_total"));
  const solved = solve(nets, taxes, grosses, amounts);
  if (solved) return solved;
  const proven = solveByRate(context, amounts);
  if (proven) return proven;
  const gross = bestClaim(grosses, (claim) => claim.points + rankBySize(claim, grosses));
  const net = bestClaim(
    nets.filter(
      (claim) =>
        // Several amounts below one label are those of several tax rates.
        !(claim.isBelow && nets.filter((other) => other.isBelow).length > 1) &&
        (!gross || Math.abs(claim.value) <= Math.abs(gross.value) + cent),
    ),
    (claim) => claim.points,
  );
  const tax = bestClaim(
    taxes.filter((claim) => !claim.isBelow && (!gross || Math.abs(claim.value) < Math.abs(gross.value) * 0.35)),
    (claim) => claim.points,
  );
  const disagrees = gross && net && tax ? false : undefined;
  return {
    ...(net?.isStrong ? { net: asFinding(net, nets, disagrees) } : {}),
    ...(tax?.isStrong ? { tax: asFinding(tax, taxes, disagrees) } : {}),
    ...(gross ? { gross: asFinding(gross, grosses, disagrees) } : {}),
  };
}

/** The search below tries every combination, so a document of nothing but totals must not have them all. */
function strongest(claims: readonly Claim[]): Claim[] {
  return claims.length <= 60 ? [...claims] : [...claims].sort((left, right) => right.points - left.points).slice(0, 60);
}

/** Larger totals are more often the grand total. */
function rankBySize(claim: Claim, all: readonly Claim[]): number {
  const largest = Math.max(...all.map((other) => Math.abs(other.value)));
  return largest > 0 && Math.abs(claim.value) >= largest - cent ? 0.25 : 0;
}

/** Amounts that stand beside, inside or below a label of this kind. */
function claimsFor(context: Context, name: "net_total" | "tax_total" | "grand_total"): Claim[] {
  const claims: Claim[] = [];
  for (const label of context.labels) {
    if (label.name !== name || isInProse(label)) continue;
    // "Total tax" and "VAT ID" begin with words that mean something else on their own.
    const longer = context
      .labelsOf(label.segment)
      .find((other) => other.from <= label.from && other.to >= label.to && other.length > label.length);
    if (longer) continue;
    const base = (label.isStrong ? 0.8 : 0.45) + Math.min(0.2, label.length * 0.012);
    const claim = (amount: Amount, points: number, isBelow = false): void => {
      claims.push({ ...amount, points, isStrong: label.isStrong, isBelow });
    };
    const beside = amountsBeside(context, label);
    const last = beside.at(-1);
    if (last) claim(last, base + qualifier(context, label, name) - (beside.length - 1) * 0.02);
    if (label.isAlone || isRateHeading(label)) {
      for (const [step, below] of columnBelow(context, label).entries()) claim(below, base - 0.2 - step * 0.02, true);
    }
  }
  return claims;
}

/** "VAT 19 %" over a column of its own. */
function isRateHeading({ segment, from, to }: Label): boolean {
  const rest = segment.text.slice(0, from) + segment.text.slice(to);
  return rest.includes("%") && rest.replace(/\d+(?:[.,]\d+)?\s?%/g, "").replace(/[^\p{L}\d]/gu, "").length <= 5;
}

/** Words beside the label that say which total it is. */
function qualifier(context: Context, label: Label, name: string): number {
  const row = context.layout.rows[label.segment.row]!.segments.map((segment) => segment.text)
    .join(" ")
    .toLowerCase();
  const saysNet = /\b(excl|exc|ex|excluding|before|net|netto|ohne|ht|hors|sin|sem|imponibile|sub)\b/.test(row);
  const saysGross = /\b(incl|inc|including|inclusive|brutto|gross|ttc|inkl|lordo|con iva|com iva)\b/.test(row);
  if (name === "grand_total") return (saysGross ? 0.15 : 0) - (saysNet && !saysGross ? 0.35 : 0);
  if (name === "net_total") return (saysNet ? 0.1 : 0) - (saysGross && !saysNet ? 0.3 : 0);
  return 0;
}

function isInProse(label: Label): boolean {
  const before = label.segment.text.slice(0, label.from).trim();
  return before.split(/\s+/).length > 5;
}

function amountsBeside(context: Context, label: Label): Amount[] {
  const row = context.layout.rows[label.segment.row]!;
  const found: Amount[] = [];
  for (const segment of row.segments) {
    if (segment.box[2] < label.segment.box[0]) continue;
    for (const number of context.numbersIn(segment)) {
      if (segment.id === label.segment.id && number.from < label.to) continue;
      if (segment.id !== label.segment.id && segment.box[0] < label.segment.box[0]) continue;
      if (isMoney(number) || (number.decimals === 0 && !number.isPercent && isLoneInteger(segment)))
        found.push({ value: number.value, segment, number });
    }
    // The next label in the row starts another pair.
    if (segment.id !== label.segment.id && found.length > 0 && context.isLabel(segment)) break;
  }
  // Recognition sometimes drops the amount a little below its label's row.
  if (found.length === 0 && label.segment.source === "ocr") {
    const near = [context.layout.rows[row.index + 1], context.layout.rows[row.index - 1]];
    for (const other of near) {
      if (!other || other.page !== row.page || other.segments.some((segment) => context.isLabel(segment))) continue;
      for (const segment of other.segments) {
        const offset = Math.abs(
          (segment.box[1] + segment.box[3]) / 2 - (label.segment.box[1] + label.segment.box[3]) / 2,
        );
        if (segment.box[0] < label.segment.box[2] || offset > label.segment.height * 0.9) continue;
        const number = context.numbersIn(segment).filter(isMoney).at(-1);
        if (number) found.push({ value: number.value, segment, number });
      }
    }
  }
  return found;
}

function isLoneInteger(segment: Segment): boolean {
  return /^\W*\d[\d.,' ]*\W*$/.test(segment.text) && segment.text.replace(/\D/g, "").length <= 9;
}

function columnBelow(context: Context, label: Label): Amount[] {
  const found: Amount[] = [];
  for (let index = label.segment.row + 1; index < context.layout.rows.length && found.length < 6; index++) {
    const row = context.layout.rows[index]!;
    if (row.page !== label.segment.page || row.top - label.segment.box[3] > 0.25) break;
    for (const segment of row.segments) {
      if (overlapX(segment.box, label.segment.box) < 0.2) continue;
      const number = context.numbersIn(segment).filter(isMoney).at(-1);
      if (number) found.push({ value: number.value, segment, number });
    }
  }
  return found;
}

/** Several rates have several tax rows; their sum is a claim too. */
function withSums(claims: readonly Claim[]): Claim[] {
  const rows = new Map<string, Claim>();
  for (const claim of claims) rows.set(`${claim.segment.id}:${claim.number.from}`, claim);
  const single = [...rows.values()];
  const sums: Claim[] = [];
  for (let first = 0; first < single.length && first < 8; first++) {
    for (let second = first + 1; second < single.length && second < 8; second++) {
      const pair = [single[first]!, single[second]!];
      const pairSum = pair.reduce((sum, claim) => sum + claim.value, 0);
      sums.push({
        ...pair[1]!,
        value: roundCents(pairSum),
        points: Math.min(...pair.map((claim) => claim.points)) - 0.25,
      });
      for (let third = second + 1; third < single.length && third < 8; third++) {
        const sum = pairSum + single[third]!.value;
        sums.push({
          ...single[third]!,
          value: roundCents(sum),
          points: Math.min(...pair.map((claim) => claim.points)) - 0.35,
        });
      }
    }
  }
  return [...claims, ...sums];
}

function solve(
  nets: readonly Claim[],
  taxes: readonly Claim[],
  grosses: readonly Claim[],
  amounts: readonly Amount[],
): Totals | undefined {
  let best: { points: number; net: Claim | Amount; tax: Claim | Amount | undefined; gross: Claim } | undefined;
  const consider = (points: number, net: Claim | Amount, tax: Claim | Amount | undefined, gross: Claim): void => {
    if (!best || points > best.points + 1e-9) best = { points, net, tax, gross };
  };
  const biggest = Math.max(0, ...amounts.map((amount) => Math.abs(amount.value)));
  for (const gross of grosses) {
    if (gross.value === 0) continue;
    const size = Math.abs(gross.value) >= biggest - cent ? 0.3 : 0;
    for (const net of nets) {
      if (Math.abs(net.value) > Math.abs(gross.value) * 1.001 + cent && Math.sign(net.value) === Math.sign(gross.value))
        continue;
      for (const tax of taxes) {
        if (tax.value === gross.value && tax.segment.id === gross.segment.id) continue;
        if (Math.abs(Math.abs(net.value) + Math.abs(tax.value) - Math.abs(gross.value)) > cent) continue;
        if (tax.value === 0 && net.segment.id === gross.segment.id) continue;
        consider(gross.points + net.points + tax.points + size + (tax.value !== 0 ? 0.6 : 0.2), net, tax, gross);
      }
      // The tax row may have no word the lexicon knows: any printed difference will do.
      const difference = Math.abs(gross.value) - Math.abs(net.value);
      if (difference > cent && difference < Math.abs(gross.value) * 0.3) {
        const printed = amounts.find(
          (amount) =>
            Math.abs(Math.abs(amount.value) - difference) < 0.006 && amount.segment.row <= gross.segment.row + 1,
        );
        if (printed) consider(gross.points + net.points + size + 0.25, net, printed, gross);
      }
    }
    for (const tax of taxes) {
      if (tax.value === 0 || Math.abs(tax.value) > Math.abs(gross.value) * 0.3) continue;
      const rest = Math.abs(gross.value) - Math.abs(tax.value);
      const printed = amounts.find(
        (amount) => Math.abs(Math.abs(amount.value) - rest) < 0.006 && amount.segment.id !== gross.segment.id,
      );
      if (printed) consider(gross.points + tax.points + size + 0.2, printed, tax, gross);
    }
  }
  if (!best) return undefined;
  const { net, tax, gross } = best;
  return {
    net: asFinding({ points: 0.5, isStrong: false, ...net }, nets, true),
    ...(tax ? { tax: asFinding({ points: 0.5, isStrong: false, ...tax }, taxes, true) } : {}),
    gross: asFinding(gross, grosses, true),
  };
}

/** Whatever they are called: an amount, a printed rate of it and their sum, close together, are net, tax and gross. */
function solveByRate(context: Context, amounts: readonly Amount[]): Totals | undefined {
  const rates = context.layout.segments.flatMap((segment) => ratesIn(context, segment));
  const last = amounts.slice(-40);
  let best: { net: Amount; tax: Amount; gross: Amount } | undefined = solveBySummary(context, amounts);
  for (const [index, gross] of last.entries()) {
    if (best && Math.abs(gross.value) <= Math.abs(best.gross.value)) continue;
    const near = last.slice(Math.max(0, index - 6), index).filter(({ segment }) => segment.page === gross.segment.page);
    for (const net of near) {
      for (const tax of near) {
        if (tax === net || Math.abs(net.value + tax.value - gross.value) > cent) continue;
        if (rates.some((rate) => isRateOf(rate, net, tax))) best = { net, tax, gross };
      }
    }
  }
  const proven = (amount: Amount): Finding<number> => asFinding({ ...amount, points: 0.5, isStrong: false }, [], true);
  return best && { net: proven(best.net), tax: proven(best.tax), gross: proven(best.gross) };
}

/** A summary by tax rates: rows of a rate, an amount and that rate of it, which all together give an amount below them. */
function solveBySummary(
  context: Context,
  amounts: readonly Amount[],
): { net: Amount; tax: Amount; gross: Amount } | undefined {
  const rows = context.layout.rows.flatMap((row) => {
    const rates = row.segments.flatMap((segment) => ratesIn(context, segment));
    const inRow = amounts.filter(({ segment }) => segment.row === row.index);
    const net = inRow.find((amount) => inRow.some((tax) => rates.some((rate) => isRateOf(rate, amount, tax))));
    const tax = net && inRow.find((amount) => rates.some((rate) => isRateOf(rate, net, amount)));
    return net && tax ? [{ net, tax }] : [];
  });
  const end = rows.at(-1);
  if (!end || rows.length < 2) return undefined;
  const sum = (part: "net" | "tax"): number => roundCents(rows.reduce((total, row) => total + row[part].value, 0));
  const gross = amounts.find(
    ({ value, segment }) => segment.row > end.net.segment.row && Math.abs(value - sum("net") - sum("tax")) < cent,
  );
  return gross && { net: { ...end.net, value: sum("net") }, tax: { ...end.tax, value: sum("tax") }, gross };
}

function ratesIn(context: Context, segment: Segment): number[] {
  return context
    .numbersIn(segment)
    .filter((number) => number.isPercent && number.value > 0 && number.value <= 30)
    .map((number) => number.value);
}

function isRateOf(rate: number, net: Amount, tax: Amount): boolean {
  return net !== tax && Math.abs((net.value * rate) / 100 - tax.value) < cent;
}

function bestClaim(claims: readonly Claim[], points: (claim: Claim) => number): Claim | undefined {
  return [...claims].sort((left, right) => points(right) - points(left) || right.segment.row - left.segment.row)[0];
}

function asFinding(claim: Claim, rivals: readonly Claim[], isChecked: boolean | undefined): Finding<number> {
  const rival = Math.max(
    0,
    ...rivals.filter((other) => Math.abs(other.value - claim.value) > cent).map((other) => other.points),
  );
  return findingIn(claim.value, claim.segment, boxOfSpan(claim.segment, claim.number.from, claim.number.to), {
    fit: Math.max(0, Math.min(1, claim.points)),
    isLabelled: claim.isStrong,
    isChecked,
    margin: Math.max(0, Math.min(1, 1 - rival / Math.max(0.01, claim.points))),
  });
}

function roundCents(value: number): number {
  return Math.round(value * 100) / 100;
}
