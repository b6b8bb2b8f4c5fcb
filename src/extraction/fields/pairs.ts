import type { Box } from "../../ports/document-reader.ts";
import { boxOfSpan, overlapX, type Segment, union } from "../reading/layout.ts";
import type { Context } from "./context.ts";
import { type Finding, findingIn } from "./finding.ts";

export interface Pair {
  key: string;
  value: string;
}

/** Part of a run of text: a key, a value, or text that is neither. */
interface Piece {
  readonly text: string;
  readonly segment: Segment;
  readonly box: Box;
  readonly isKey: boolean;
}

/** Finds what a form asks and what was answered: after the colon, right of it, or below it. */
export function findPairs(context: Context): Finding<Pair>[] {
  const pairs: Finding<Pair>[] = context.document.formEntries
    .filter((entry) => entry.value !== "")
    .map((entry) => ({
      value: { key: entry.name, value: entry.value },
      page: entry.page,
      box: entry.box,
      evidence: { reading: 1, fit: 1, isLabelled: true, margin: 1, isEmbedded: true },
    }));
  const rows = markColumnKeys(context.layout.rows.map((row) => row.segments.flatMap(splitPieces)));
  const used = new Set<Piece>();
  for (const [index, pieces] of rows.entries()) {
    for (const [position, key] of pieces.entries()) {
      if (!key.isKey) continue;
      const right = valuesRight(pieces, position, used);
      const raised = right.length > 0 ? undefined : valueRaised(context, rows, index, key, used);
      const below = right.length > 0 || raised ? undefined : valueBelow(context, rows, index, key, used);
      const first = right[0] ?? raised ?? below;
      if (!first) continue;
      const values = right.length > 0 ? right : [first];
      for (const value of values) used.add(value);
      const more = right.length > 0 ? continuation(context, rows, index, first, used) : [];
      const parts = [...values, ...more];
      const text = parts.map((part) => part.text).join(" ");
      const gap = right.length > 0 ? first.box[0] - key.box[2] : 0.2;
      pairs.push(
        findingIn({ key: key.text, value: text }, first.segment, parts.map((part) => part.box).reduce(union), {
          fit: right.length > 0 ? Math.max(0.3, 0.95 - Math.max(0, gap) * 1.2) : 0.45,
          isLabelled: /[:?]\s*$/.test(key.text),
          margin: 0.5,
        }),
      );
    }
  }
  return pairs;
}

/** Short texts that line up on the left and each have something to their right are keys, colon or not. */
function markColumnKeys(rows: Piece[][]): Piece[][] {
  const isShaped = (piece: Piece): boolean => {
    const letters = piece.text.match(/\p{L}/gu)?.length ?? 0;
    return (
      piece.text.length <= 38 &&
      letters >= 3 &&
      letters > piece.text.length * 0.6 &&
      /^[^\p{L}]?\p{Lu}/u.test(piece.text) &&
      piece.text.split(/\s+/).length <= 5 &&
      !/[.,;]$/.test(piece.text)
    );
  };
  const lefts = rows.flatMap((pieces) => {
    const first = pieces[0];
    return first && (first.isKey || (isShaped(first) && pieces.length > 1))
      ? [{ left: first.box[0], isKey: first.isKey, page: first.segment.page }]
      : [];
  });
  return rows.map((pieces) => {
    const first = pieces[0];
    const second = pieces[1];
    if (!first || !second || first.isKey || second.isKey || !isShaped(first)) return pieces;
    const gap = second.box[0] - first.box[2];
    const peers = lefts.filter(
      (other) => other.page === first.segment.page && Math.abs(other.left - first.box[0]) < 0.012,
    ).length;
    // Rows of many cells are a table, not questions and answers.
    if (peers < 3 || gap < 0.008 || gap > 0.4 || pieces.length > 5) return pieces;
    const isTable = pieces.slice(1).filter((piece) => /^[\d.,%$-]+$/.test(piece.text)).length > 2;
    return isTable ? pieces : [{ ...first, isKey: true }, ...pieces.slice(1)];
  });
}

/** Cuts "NAME: Smith  DATE: 1 May" into keys and values. */
function splitPieces(segment: Segment): Piece[] {
  const text = segment.text;
  const cuts: { from: number; to: number; isKey: boolean }[] = [];
  let start = 0;
  for (const match of text.matchAll(/(?<![\d:])[:：](?!\/\/)(?=\s|$|[\p{L}\d$(_])/gu)) {
    const end = match.index + 1;
    if (/\d$/.test(text.slice(0, match.index)) && /^\d/.test(text.slice(end))) continue;
    const before = text.slice(start, end);
    const keyStart = start + lastKeyStart(before, start > 0);
    if (keyStart > start && text.slice(start, keyStart).trim() !== "")
      cuts.push({ from: start, to: keyStart, isKey: false });
    if (text.slice(keyStart, end).length <= 60) cuts.push({ from: keyStart, to: end, isKey: true });
    else cuts.push({ from: keyStart, to: end, isKey: false });
    start = end;
  }
  if (text.slice(start).trim() !== "")
    cuts.push({ from: start, to: text.length, isKey: cuts.length === 0 && looksLikeKey(text) });
  return cuts
    .map((cut) => {
      const raw = text.slice(cut.from, cut.to);
      const lead = raw.length - raw.trimStart().length;
      return {
        text: cleanPiece(raw, cut.isKey),
        segment,
        box: boxOfSpan(segment, cut.from + lead, cut.to),
        isKey: cut.isKey,
      };
    })
    .filter((piece) => /[\p{L}\d]/u.test(piece.text));
}

/** Where the words of the key begin when a value stands before it in the same run. */
function lastKeyStart(text: string, hasValueBefore: boolean): number {
  if (!hasValueBefore) return 0;
  const words = [...text.matchAll(/\S+/g)];
  let index = words.length - 1;
  // A key in capitals reaches back over capitals; otherwise take up to three words.
  const isUpper = (word: string): boolean => /\p{Lu}/u.test(word) && word === word.toUpperCase() && !/\d/.test(word);
  const last = words[index]?.[0] ?? "";
  if (isUpper(last)) while (index > 0 && isUpper(words[index - 1]![0])) index--;
  else
    while (
      index > 0 &&
      words.length - index < 3 &&
      /^\p{L}[\p{L}.'/-]*$/u.test(words[index - 1]![0]) &&
      /^\p{Lu}/u.test(words[index]![0]) === false
    )
      index--;
  return words[index]?.index ?? 0;
}

/** Short text without figures that asks for something: the usual words of forms, or a question mark. */
function looksLikeKey(text: string): boolean {
  if (/\?\s*$/.test(text) && text.length < 80) return true;
  if (text.length > 36 || /\d{3,}/.test(text)) return false;
  return /^(name|date|address|city|state|zip|phone|telephone|tel|fax|title|signature|signed|company|department|subject|to|from|cc|re|attn|attention|amount|total|number|no\.?|account|account no\.?|brand|product|code|type|page|pages|quantity|description|country|region|division|manufacturer|supplier|vendor|project|employee|manager|approved( by)?|prepared by|requested by|submitted by|received( by)?|e-?mail|sex|age|date of birth|place|street|ort|straße|plz|datum|unterschrift|nom|prénom|adresse|ville|fecha|nombre|dirección|nome|cognome|indirizzo|firma)\s*(\([^)]*\))?\s*#?$/i.test(
    text.trim(),
  );
}

function cleanPiece(text: string, isKey: boolean): string {
  const bare = text
    .replace(/_{2,}|\.{4,}|-{4,}/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return isKey ? bare : bare.replace(/^[:;,.\s-]+(?=[\p{L}\d$(])/u, "").trim();
}

/** What follows on the row, up to the next key or a wide blank. */
function valuesRight(pieces: readonly Piece[], position: number, used: ReadonlySet<Piece>): Piece[] {
  const found: Piece[] = [];
  let edge = pieces[position]!.box[2];
  for (const piece of pieces.slice(position + 1)) {
    const most = found.length === 0 ? 0.45 : 0.05;
    if (piece.isKey || used.has(piece) || piece.box[0] - edge > most) break;
    found.push(piece);
    edge = piece.box[2];
  }
  return found;
}

/** Typed or written a little above the line that its key is printed on. */
function valueRaised(
  context: Context,
  rows: readonly Piece[][],
  index: number,
  key: Piece,
  used: ReadonlySet<Piece>,
): Piece | undefined {
  for (const step of [index - 1, index + 1]) {
    const row = context.layout.rows[step];
    if (!row || row.page !== key.segment.page) continue;
    const offset = Math.abs((row.top + row.bottom) / 2 - (key.box[1] + key.box[3]) / 2);
    if (offset > Math.max(key.segment.height, context.layout.lineHeight) * 1.5) continue;
    const value = rows[step]!.find(
      (piece) =>
        !piece.isKey && !used.has(piece) && piece.box[0] > key.box[2] - 0.02 && piece.box[0] - key.box[2] < 0.12,
    );
    const isTaken =
      value &&
      rows[step]!.some((piece) => piece.isKey && piece.box[2] <= value.box[0] && value.box[0] - piece.box[2] < 0.3);
    if (value && !isTaken) return value;
  }
  return undefined;
}

function valueBelow(
  context: Context,
  rows: readonly Piece[][],
  index: number,
  key: Piece,
  used: ReadonlySet<Piece>,
): Piece | undefined {
  for (let step = index + 1; step < rows.length && step <= index + 2; step++) {
    const row = context.layout.rows[step]!;
    if (
      row.page !== key.segment.page ||
      row.top - key.box[3] > Math.max(key.segment.height, context.layout.lineHeight) * 2
    )
      return undefined;
    const under = rows[step]!.filter(
      (piece) => overlapX(piece.box, key.box) > 0.3 || Math.abs(piece.box[0] - key.box[0]) < 0.02,
    );
    const value = under.find((piece) => !piece.isKey && !used.has(piece));
    if (value)
      return rows[step]!.some(
        (piece) => piece.isKey && piece.box[2] <= value.box[0] + 0.01 && value.box[0] - piece.box[2] < 0.25,
      )
        ? undefined
        : value;
    if (under.length > 0) return undefined;
  }
  return undefined;
}

/** Lines right under a value, with the same left edge and nothing asked beside them, go on with it. */
function continuation(
  context: Context,
  rows: readonly Piece[][],
  index: number,
  value: Piece,
  used: Set<Piece>,
): Piece[] {
  const more: Piece[] = [];
  let last = value;
  for (let step = index + 1; step < rows.length && more.length < 8; step++) {
    const row = context.layout.rows[step]!;
    const pieces = rows[step]!;
    if (row.page !== value.segment.page || row.top - last.box[3] > context.layout.lineHeight * 0.9) break;
    if (pieces.some((piece) => piece.isKey)) break;
    const next = pieces.find((piece) => Math.abs(piece.box[0] - value.box[0]) < 0.015);
    if (!next || used.has(next) || pieces.length > 2) break;
    used.add(next);
    more.push(next);
    last = next;
  }
  return more;
}
