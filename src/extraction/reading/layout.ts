import type { Box, ReadDocument, TextLine, Word } from "../../ports/document-reader.ts";
import { findDates } from "./dates.ts";
import { endAlike, isInColumn, isRightUnder, middle, startAlike, union } from "./geometry.ts";
import type { Segment } from "./segment.ts";

export interface Row {
  readonly index: number;
  readonly page: number;
  readonly top: number;
  readonly bottom: number;
  /** From left to right. */
  readonly segments: readonly Segment[];
  readonly text: string;
}

/** The whole document as rows of segments in reading order. */
export interface Layout {
  readonly rows: readonly Row[];
  readonly segments: readonly Segment[];
  readonly pageCount: number;
  /** Usual height of a line, as a fraction of the page. */
  readonly lineHeight: number;
  readonly text: string;
  readonly isScanned: boolean;
}

/** More than any page that people read; what goes beyond is left out, so that no file can make the rules slow. */
const mostLinesPerPage = 3000;
const longestLine = 1000;

/** Puts lines into rows: what stands side by side belongs to one row, however the file ordered it. */
export function layOut(document: Pick<ReadDocument, "pages">): Layout {
  const rows: Row[] = [];
  const segments: Segment[] = [];
  for (const page of document.pages) {
    const groups = groupRows(dropDoubled(page.lines.slice(0, mostLinesPerPage).map(shorten)));
    for (const group of joinCodes(groups.map((lines) => joinNeighbours(lines, page.height / page.width)))) {
      const index = rows.length;
      const members = group.map((line): Segment => {
        const segment = {
          ...line,
          id: segments.length,
          page: page.number,
          row: index,
          height: line.box[3] - line.box[1],
        };
        segments.push(segment);
        return segment;
      });
      rows.push({
        index,
        page: page.number,
        top: Math.min(...members.map((member) => member.box[1])),
        bottom: Math.max(...members.map((member) => member.box[3])),
        segments: members,
        text: members.map((member) => member.text).join(" "),
      });
    }
  }
  const heights = segments.map((segment) => segment.height).sort((left, right) => left - right);
  return {
    rows,
    segments,
    pageCount: document.pages.length,
    lineHeight: heights[Math.floor(heights.length / 2)] ?? 0.012,
    text: rows.map((row) => row.segments.map((segment) => segment.text).join("  ")).join("\n"),
    isScanned: segments.some((segment) => segment.source === "ocr"),
  };
}

/** "I N V O I C E" is a word with its letters set apart. */
function closeUp(line: TextLine): TextLine {
  if (!/^\p{L}(?: \p{L}){3,}$/u.test(line.text)) return line;
  const text = line.text.replaceAll(" ", "");
  return { ...line, text, words: [{ text, box: line.box }] };
}

function shorten(given: TextLine): TextLine {
  const line = closeUp(given);
  if (line.text.length <= longestLine) return line;
  return { ...line, text: line.text.slice(0, longestLine), words: line.words.slice(0, longestLine / 2) };
}

/** Where recognition cut a line in two, a letter at the cut may have been read in both halves: "Kestrel H" and "Hardware". */
function dropDoubled(lines: readonly TextLine[]): TextLine[] {
  return lines.map((line) => {
    if (line.source !== "ocr" || line.words.length < 2) return line;
    const isDoubled = ({ text, box }: Word): boolean =>
      text.length === 1 &&
      lines.some(
        (other) =>
          other !== line &&
          isWithin((box[0] + box[2]) / 2, other.box[0], other.box[2]) &&
          isWithin(middle(other.box), line.box[1], line.box[3]),
      );
    const words = line.words.filter(
      (word, index) => !((index === 0 || index === line.words.length - 1) && isDoubled(word)),
    );
    if (words.length === line.words.length || words.length === 0) return line;
    return {
      ...line,
      words,
      text: words.map(({ text }) => text).join(" "),
      box: words.map(({ box }) => box).reduce(union),
    };
  });
}

function isWithin(value: number, from: number, to: number): boolean {
  return value > from && value < to;
}

function groupRows(lines: readonly TextLine[]): TextLine[][] {
  const sorted = [...lines].sort((left, right) => middle(left.box) - middle(right.box));
  const groups: { lines: TextLine[]; center: number; height: number }[] = [];
  for (const line of sorted) {
    const center = middle(line.box);
    const height = line.box[3] - line.box[1];
    const last = groups.at(-1);
    if (last && center - last.center < 0.5 * Math.min(height, last.height) && !overlapsAny(line, last.lines)) {
      last.lines.push(line);
      last.center = last.lines.reduce((sum, member) => sum + middle(member.box), 0) / last.lines.length;
      last.height = Math.min(last.height, height);
    } else {
      groups.push({ lines: [line], center, height });
    }
  }
  return groups.map((group) => group.lines.sort((left, right) => left.box[0] - right.box[0]));
}

/** Words that a file placed one by one, closer than a wide blank, are one run of text. */
function joinNeighbours(lines: readonly TextLine[], aspect: number): TextLine[] {
  const joined: TextLine[] = [];
  for (const [index, line] of lines.entries()) {
    const last = joined.at(-1);
    const height = (line.box[3] - line.box[1]) * aspect;
    const gap = last ? line.box[0] - last.box[2] : Number.POSITIVE_INFINITY;
    const isLabelEnd = last?.text.endsWith(":") ?? false;
    const isOneRun = (): boolean =>
      (!isLabelEnd && isTextual(last!.text) && isTextual(line.text)) ||
      isCutNumber(last!.text, line.text) ||
      isCutDate(last!.text, line.text);
    const isClose = last !== undefined && gap < height * 0.45 && gap > -height * 2 && isOneRun();
    const isSplitAmount =
      last?.source === "ocr" && gap < height && isCutNumber(last.text, line.text) && isPriced(line, lines[index + 1]);
    if (last && (isClose || isSplitAmount || isOneBlankAway(last, line))) {
      joined[joined.length - 1] = {
        ...last,
        text: `${last.text} ${line.text}`,
        box: union(last.box, line.box),
        words: [...last.words, ...line.words],
        confidence: (last.confidence + line.confidence) / 2,
      };
    } else {
      joined.push(line);
    }
  }
  return joined;
}

/** "EUINPL25-" over "48213": a code that its narrow cell broke at a hyphen is one. */
function joinCodes(groups: readonly TextLine[][]): TextLine[][] {
  const isPart = (text: string): boolean => /^[\p{Lu}\d-]*\d[\p{Lu}\d-]*$/u.test(text);
  const joined = groups.map((lines) => [...lines]);
  for (const [index, lines] of joined.entries()) {
    for (const [place, line] of lines.entries()) {
      if (!line.text.endsWith("-") || !isPart(line.text)) continue;
      const under = joined[index + 1] ?? [];
      const end = under.findIndex(
        ({ text, box }) => isPart(text) && (startAlike(box, line.box) || endAlike(box, line.box)),
      );
      const rest = under[end];
      if (!rest || !isRightUnder(rest.box[1], line.box[3], line.box[3] - line.box[1])) continue;
      under.splice(end, 1);
      const words = [...line.words, ...rest.words];
      lines[place] = { ...line, text: line.text + rest.text, words, box: union(line.box, rest.box) };
    }
  }
  return joined.filter((lines) => lines.length > 0);
}

/** In typewriter print every letter is as wide as a blank, and columns stand further apart than one. */
function isOneBlankAway(left: TextLine, right: TextLine): boolean {
  const pitch = (line: TextLine): number => (line.box[2] - line.box[0]) / line.text.length;
  const gap = (right.box[0] - left.box[2]) / pitch(left);
  if (left.source !== "text" || Math.abs(pitch(right) / pitch(left) - 1) > 0.06 || gap < 0.8 || gap > 1.2) return false;
  // What stands behind a label is found beside it.
  if (left.text.endsWith(":")) return false;
  const isAmount = /^\W*[\d.,]*[.,]\d{2}\W*$/.test(right.text);
  return (isTextual(left.text) && !isAmount) || isTextual(right.text) || isCutNumber(left.text, right.text);
}

function isTextual(text: string): boolean {
  return /\p{L}|^[&+]$/u.test(text) && !/^\W*[\d.,]+\W*\p{L}{0,3}\W*$/u.test(text);
}

/** "17" and "115,00" a blank apart are one amount, "23" and "%" a rate, "111" and "51 Stockholm" a postcode; an IBAN comes in groups of four. */
function isCutNumber(left: string, right: string): boolean {
  return (
    (/(?:^|: ?)[-–−+(]?(?:\p{Sc} ?)?[1-9]\d{0,2}(?: \d{3})*$/u.test(left) &&
      /^\d{3}(?: \d{3})*,\d{2}(?!\d)/.test(right)) ||
    // Forints have no smaller part, and crowns often none that is printed: "27" and "151", "1 093" and "380 Ft".
    (/(?:^|: ?)[-–−+]?[1-9]\d{0,2}(?: \d{3})*$/.test(left) && /^\d{3}(?: \d{3})*(?:\s?(?:Ft|Kč|kr))?$/.test(right)) ||
    (/^\d{1,2}(?:[.,]\d{1,3})?$/.test(left) && right === "%") ||
    (/^\d{3}$/.test(left) && /^\d{2} \p{Lu}\p{Ll}/u.test(right)) ||
    (/(?<![\p{L}\d])[A-Z]{2}\d{2}(?: [A-Z\d]{4})+$|^(?:IBAN:? ?)?[A-Z]{2}\d{2}$/u.test(left) &&
      /^[A-Z\d]{1,4}$/.test(right))
  );
}

/** Whether the currency of countries that group thousands by blanks stands behind a number: in print of a till a blank is wide. */
function isPriced({ text }: TextLine, next: TextLine | undefined): boolean {
  return /\d ?(?:Ft|Kč|kr)$/.test(text) || /^(?:Ft|Kč|kr)$/.test(next?.text ?? "");
}

/** "5" and "de agosto de 2023" are one date. */
function isCutDate(left: string, right: string): boolean {
  // "4." and "4." and "2024" as well.
  if (/^\d{1,2}\.$/.test(left) && /^\d{1,2}\.$/.test(right)) return true;
  return /^\d{1,2}\.?(?: \d{1,2}\.)?$/.test(left) && findDates(`${left} ${right}`, "dmy")[0]?.from === 0;
}

function overlapsAny(line: TextLine, others: readonly TextLine[]): boolean {
  return others.some((other) => isInColumn(line.box, other.box));
}

/** The box around the words that hold characters `from` to `to` of a line. */
export function boxOfSpan(segment: Pick<TextLine, "text" | "words" | "box">, from: number, to: number): Box {
  let position = 0;
  let box: Box | undefined;
  for (const word of segment.words as readonly Word[]) {
    const start = segment.text.indexOf(word.text, position);
    if (start < 0) continue;
    const end = start + word.text.length;
    position = end;
    if (end > from && start < to) box = box ? union(box, word.box) : word.box;
  }
  return box ?? segment.box;
}
