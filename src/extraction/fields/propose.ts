import { isInFoot, isLargePrint } from "../reading/geometry.ts";
import { weakly } from "../reading/normalize.ts";
import type { Segment } from "../reading/segment.ts";
import type { Claim, Span } from "./claims.ts";
import type { Context } from "./context.ts";
import { type Candidate, candidateIn, type Notes, scoreOf } from "./pick.ts";

/** How long a label is that can mean nothing else. */
const longLabel = 16;

/** The reasons that a label gives for a value: which label, how sure it is, and where it stands. */
export function labelReasons(claim: Claim | undefined): Notes {
  if (!claim) return { unlabelled: 1 };
  const { label, place, gap, isLast } = claim;
  const strength = label.isStrong ? "strong" : "weak";
  return { [strength]: 1, right: place === "right", gap, alone: label.isAlone, not_last: !isLast };
}

/** Of several labels that may mean a value, the surest and nearest. */
export function bestClaim(claims: readonly Claim[]): Claim | undefined {
  return claims.reduce<Claim | undefined>(
    (best, claim) => (best && worth(best) >= worth(claim) ? best : claim),
    undefined,
  );
}

/** Every field weighs the same claims, so each is weighed once. */
const worth = weakly(({ label, place, gap, skipped }: Claim) =>
  scoreOf("claim", {
    [label.isStrong ? "strong" : "weak"]: 1,
    length: Math.min(1, label.length / longLabel),
    [place === "below" && label.isAlone ? "below_alone" : place]: 1,
    gap,
    skipped: Math.min(1, skipped / 3),
  }),
);

/** Where on the document a value stands. */
export function placeReasons(context: Context, { segment, box }: Span<unknown>): Notes {
  return {
    top: segment.page > 1 ? 0 : 1 - box[1],
    large: isLargePrint(segment.height, context.layout.lineHeight),
    bold: segment.isBold,
    foot: isAtFoot(context, segment),
  };
}

/** Among the last lines of its page, however long that is: there stands who sends it, and what is said of the form. */
function isAtFoot(context: Context, { page, row, box }: Segment): boolean {
  const ends = context.once("last rows", () => new Map(context.layout.rows.map((one) => [one.page, one.bottom])));
  return row > 9 && isInFoot([0, 0, 1, box[3] / ends.get(page)!]);
}

/** Candidates from values with labels around them; those that only another label means say so. */
export function proposeSpans<Value>(
  context: Context,
  spans: readonly Span<Value>[],
  meanings: readonly string[],
  more: (span: Span<Value>, claim: Claim | undefined) => Notes,
): Candidate<Value>[] {
  return spans.map((span) => {
    const own = claimOf(span, meanings);
    return candidateIn(
      span.value,
      span.segment,
      span.box,
      labelReasons(own),
      { pair: own && isPair(own, span), others: !own && span.claims.some(isSure) },
      placeReasons(context, span),
      more(span, own),
    );
  });
}

/** "Tax: 136.00": a run of text that is a label and its value, and nothing else but a rate or a currency. */
function isPair({ label, place, gap }: Claim, { segment, to }: Span<unknown>): boolean {
  return place === "inline" && label.from <= 2 && gap < 0.2 && /^\W*\p{L}{0,4}\W*$/u.test(segment.text.slice(to));
}

/** Of the labels that give a value one of these meanings, the surest and nearest. */
export function claimOf({ claims }: Span<unknown>, meanings: readonly string[]): Claim | undefined {
  return bestClaim(claims.filter(({ label }) => meanings.includes(label.name)));
}

function isSure({ label, place }: Claim): boolean {
  // What has its value with it means nothing beside it: "Invoice #2015-11-04".
  const isPaired = place === "right" && !label.isAlone;
  return label.isStrong && place !== "below" && !isPaired && !label.name.startsWith("title.");
}
