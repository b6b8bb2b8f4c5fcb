import type { Box } from "../../../ports/document-reader.ts";
import { isRightUnder, isSameEdge, startAlike } from "../../reading/geometry.ts";
import { boxOfSpan, type Row } from "../../reading/layout.ts";
import type { Segment } from "../../reading/segment.ts";
import { asksForEntry, isPostalLine } from "../../reading/words.ts";

/** Part of a run of text: a key, a value, or text that is neither. */
export interface Piece {
  readonly text: string;
  readonly segment: Segment;
  readonly box: Box;
  readonly isKey: boolean;
  /** It stands under its caption, and asks for nothing itself. */
  readonly isAnswer?: boolean;
}

/** An answer stands no further right of its question than this, as a part of the page's width: tried on 36 forms (bench/extraction). */
export const farAnswer = 0.4;

/** The rows of a form, each cut into what is asked and what stands beside it. */
export function cutIntoPieces(rows: readonly Row[]): Piece[][] {
  return markColumnKeys(markCaptions(rows.map((row) => answersOf(row.segments.flatMap(splitPieces)))));
}

/** A heading beside a heading: "DATE ISSUED  PROJECT NO.", or a list of choices in capitals. A hint in brackets is no answer either. */
export function asksToo(key: string, value: string): boolean {
  if (/^\([^)]*\)$/.test(value)) return true;
  if (/[:?]\s*$/.test(key)) return false;
  if (/\d|\p{Ll}/u.test(value)) return false;
  return asksForEntry(value) !== undefined || !(/\p{Ll}/u.test(key) || asksForEntry(key));
}

/** Behind a colon stands an answer, even if it reads like a question: "Facility: | Fuller Company". */
function answersOf(pieces: readonly Piece[]): Piece[] {
  const hasColon = (piece: Piece | undefined): boolean => piece !== undefined && /[:?]\s*$/.test(piece.text);
  return pieces.map((piece, index) => {
    const before = pieces[index - 1];
    const after = pieces[index + 1];
    const isAnswer = before?.isKey && hasColon(before) && !hasColon(piece) && (!after || after.isKey);
    if (isAnswer) return { ...piece, isKey: false };
    // "Age | : 36": the colon stands with the answer.
    const isAsked = after !== undefined && /^[:：]/.test(after.segment.text) && after.segment !== piece.segment;
    return isAsked && /\p{L}/u.test(piece.text) ? { ...piece, isKey: true } : piece;
  });
}

/** Short texts that line up on the left and each have something to their right are keys, colon or not. */
function markColumnKeys(rows: Piece[][]): Piece[][] {
  const isShaped = (piece: Piece): boolean => {
    const letters = piece.text.match(/\p{L}/gu)?.length ?? 0;
    return (
      letters >= 3 &&
      !isPostalLine(piece.text) &&
      !piece.isAnswer &&
      /^[^\p{L}]?\p{Lu}/u.test(piece.text) &&
      !/[.,;]$/.test(piece.text)
    );
  };
  const lefts = rows.flatMap((pieces) => {
    const first = pieces[0];
    return first && (first.isKey || (isShaped(first) && pieces.length > 1))
      ? [{ left: first.box[0], isKey: first.isKey, page: first.segment.page }]
      : [];
  });
  const seconds = rows.flatMap((pieces) =>
    pieces.length === 4 && (pieces[2]!.isKey || isShaped(pieces[2]!)) ? [pieces[2]!] : [],
  );
  // Two questions and their answers side by side, row under row.
  const hasPeers = (piece: Piece): boolean =>
    isShaped(piece) &&
    seconds.filter((other) => other.segment.page === piece.segment.page && startAlike(other.box, piece.box)).length >=
      3;
  return rows.map((given) => {
    const isDouble = given.length === 4 && !given[1]!.isKey && !given[3]!.isKey && hasPeers(given[2]!);
    const pieces = isDouble ? given.map((piece, index) => (index === 2 ? { ...piece, isKey: true } : piece)) : given;
    const first = pieces[0];
    const second = pieces[1];
    if (!first || !second || first.isKey || second.isKey || !isShaped(first)) return pieces;
    const gap = second.box[0] - first.box[2];
    const peers = lefts.filter(
      (other) => other.page === first.segment.page && isSameEdge(other.left, first.box[0]),
    ).length;
    if (peers < 3 || gap <= 0 || gap > farAnswer) return pieces;
    return [{ ...first, isKey: true }, ...pieces.slice(1)];
  });
}

/** Print so much larger than what stands over it is an answer under its caption. */
const largerPrint = 1.15;
const fewestCaptions = 3;
const longestCaption = 36;

/** Small or plain words over large or bold ones, several on a page: "GATE" over "14A". */
function markCaptions(rows: Piece[][]): Piece[][] {
  const captions = new Map<Piece, Piece>();
  for (const [index, pieces] of rows.entries()) {
    for (const piece of pieces) {
      if (piece.isKey || piece.text.length > longestCaption || !/\p{L}{2}/u.test(piece.text)) continue;
      const under = rows[index + 1]?.find((other) => startAlike(other.box, piece.box));
      if (
        !under ||
        under.isKey ||
        captions.has(piece) ||
        !isRightUnder(under.box[1], piece.box[3], under.segment.height)
      )
        continue;
      const isLarger = under.segment.height > piece.segment.height * largerPrint;
      const isBolder = under.segment.isBold === true && piece.segment.isBold !== true;
      const isSmaller = piece.segment.height > under.segment.height * largerPrint;
      if (under.segment.page === piece.segment.page && (isLarger || (isBolder && !isSmaller)))
        captions.set(piece, under);
    }
  }
  const answers = new Set(captions.values());
  const own = [...captions.keys()].filter((piece) => !answers.has(piece));
  const onPage = (page: number): number => own.filter(({ segment }) => segment.page === page).length;
  const marked = new Set(own.filter(({ segment }) => onPage(segment.page) >= fewestCaptions));
  const taken = new Set([...marked].map((piece) => captions.get(piece)!));
  return rows.map((pieces) =>
    pieces.map((piece) =>
      marked.has(piece) ? { ...piece, isKey: true } : taken.has(piece) ? { ...piece, isAnswer: true } : piece,
    ),
  );
}

/** Cuts "NAME: Smith  DATE: 1 May" into keys and values. */
function splitPieces(segment: Segment): Piece[] {
  const text = segment.text;
  const cuts: { from: number; to: number; isKey: boolean }[] = [];
  let start = 0;
  for (const match of text.matchAll(/(?<![\d:])[:：](?!\/\/)(?=\s|$|[\p{L}\d$(_])/gu)) {
    const end = match.index + 1;
    const before = text.slice(start, end);
    const keyStart = start + lastKeyStart(before, start > 0);
    if (keyStart > start && text.slice(start, keyStart).trim() !== "")
      cuts.push({ from: start, to: keyStart, isKey: false });
    if (text.slice(keyStart, end).length <= 60) cuts.push({ from: keyStart, to: end, isKey: true });
    else cuts.push({ from: keyStart, to: end, isKey: false });
    start = end;
  }
  const glued = cuts.length === 0 ? capitalsBefore(text) : 0;
  if (glued > 0) {
    cuts.push({ from: 0, to: glued, isKey: true });
    start = glued;
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

const mostKeyWords = 3;

/** Where the words of the key begin when a value stands before it in the same run. */
function lastKeyStart(text: string, hasValueBefore: boolean): number {
  if (!hasValueBefore) return 0;
  const words = [...text.matchAll(/\S+/g)];
  let index = words.length - 1;
  while (
    index > 0 &&
    words.length - index < mostKeyWords &&
    /^\p{L}[\p{L}.'/-]*$/u.test(words[index - 1]![0]) &&
    !/^\p{Lu}/u.test(words[index]![0])
  )
    index--;
  return words[index]?.index ?? 0;
}

/** How many characters of "NAME Jimmy Bell" or "DATEMay 27" are a heading in capitals before its answer; 0 when it is not one. */
function capitalsBefore(text: string): number {
  const match =
    /^(?<key>\p{Lu}[\p{Lu}.'&/()-]*(?: [\p{Lu}.'&/()#-]+){0,4}) ?[_.]*(?=\p{Lu}\p{Ll}|[_ ]\s?\d|\d+[/-])/u.exec(text);
  const key = match?.groups?.key?.trimEnd() ?? "";
  return key.length >= 3 && asksForEntry(key) ? key.length : 0;
}

/** Short text without figures that asks for something: the usual words of forms, or a question mark. */
function looksLikeKey(text: string): boolean {
  if (/\?\s*$/.test(text) && text.length < 80) return true;
  if (text.length > 36 || /\d{3,}/.test(text)) return false;
  const asked = asksForEntry(text);
  return asked === "whole" || (asked === "end" && /^\p{Lu}/u.test(text) && text.trim().split(/\s+/).length <= 4);
}

function cleanPiece(text: string, isKey: boolean): string {
  const bare = text
    .replace(/_{2,}|\.{4,}|-{4,}/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return isKey ? bare : bare.replace(/^[:;,.\s-]+(?=[\p{L}\d$(])/u, "").trim();
}
