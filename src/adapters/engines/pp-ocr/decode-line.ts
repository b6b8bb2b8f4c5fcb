import type { Raster } from "./raster.ts";

/** One character with the place of its peak along the line, 0 to 1. */
interface Peak {
  readonly character: string;
  readonly at: number;
  readonly probability: number;
  /** Whether the recogniser saw a space before it. */
  readonly isAfterSpace: boolean;
}

export interface DecodedWord {
  readonly text: string;
  /** Left and right edge along the line, 0 to 1. */
  readonly from: number;
  readonly to: number;
}

export interface DecodedLine {
  readonly text: string;
  readonly words: readonly DecodedWord[];
  readonly confidence: number;
}

/** What the recogniser says: the likeliest character of each step, 0 for none, and how likely it is. */
export interface Steps {
  readonly characters: ArrayLike<number>;
  readonly probabilities: ArrayLike<number>;
}

/** Reads the recogniser's steps as text, with blanks where it saw them or the picture shows them. */
export function decodeLine(steps: Steps, dictionary: readonly string[], line: Raster, inputWidth: number): DecodedLine {
  const peaks = readPeaks(steps, dictionary, inputWidth / steps.characters.length);
  if (peaks.length === 0) return { text: "", words: [], confidence: 0 };
  const ink = findInk(line);
  const gaps = peaks.slice(1).map((peak, index) => widestBlank(ink.columns, peaks[index]!.at, peak.at));
  const sorted = gaps.map((gap) => gap.width / line.height).sort((left, right) => left - right);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  // Shares of the height of the letters, measured against text layers: so wide is a blank that the recogniser missed, and so wide at
  // least one that it saw, unless the paper is too dirty to tell.
  const scale = ink.height / line.height;
  const missed = Math.max(0.4 * scale, 2 * median + 0.15 * scale);
  const seen = median > 0 ? 0.15 * scale : 0;
  const words: DecodedWord[] = [];
  let text = "";
  let from = firstInk(ink.columns, peaks[0]!.at);
  const close = (to: number): void => {
    const trimmed = text.trim();
    if (trimmed) words.push({ text: trimmed, from: from / line.width, to: Math.min(1, to / line.width) });
    text = "";
  };
  peaks.forEach((peak, index) => {
    text += peak.character;
    const gap = gaps[index];
    const next = peaks[index + 1];
    if (!gap || !next) return;
    // Figures and their marks stand wide apart in many prints: "2905.42" is one number.
    const isInNumber =
      /[\d.,:/-]/.test(peak.character) &&
      /[\d.,:/-]/.test(next.character) &&
      /\d/.test(peak.character + next.character);
    const needed = next.isAfterSpace ? seen : isInNumber ? Math.max(missed, 0.52 * scale) : missed;
    if (gap.width / line.height < needed) return;
    close(gap.width > 0 ? gap.from : (peak.at + next.at) / 2);
    from = gap.width > 0 ? gap.to : (peak.at + next.at) / 2;
  });
  close(lastInk(ink.columns, peaks.at(-1)!.at));
  const confidence = peaks.reduce((sum, peak) => sum + peak.probability, 0) / peaks.length;
  return { text: words.map((word) => word.text).join(" "), words, confidence };
}

function readPeaks({ characters, probabilities }: Steps, dictionary: readonly string[], stepWidth: number): Peak[] {
  const peaks: Peak[] = [];
  let isAfterSpace = false;
  for (let step = 0, previous = 0; step < characters.length; step++) {
    const best = characters[step]!;
    if (best !== 0 && best !== previous) {
      const character = dictionary[best]!;
      if (character !== " ")
        peaks.push({ character, at: (step + 0.5) * stepWidth, probability: probabilities[step]!, isAfterSpace });
      isAfterSpace = character === " ";
    }
    previous = best;
  }
  return peaks;
}

/** For each column whether anything is written there, and how high the letters are. */
function findInk(line: Raster): { columns: Uint8Array; height: number } {
  const { width, height, data } = line;
  const gray = new Uint8Array(width * height);
  const histogram = new Uint32Array(256);
  for (let index = 0; index < gray.length; index++) {
    const value = (data[index * 3]! * 77 + data[index * 3 + 1]! * 150 + data[index * 3 + 2]! * 29) >> 8;
    gray[index] = value;
    histogram[value]!++;
  }
  const threshold = otsuThreshold(histogram, gray.length);
  let dark = 0;
  for (let value = 0; value <= threshold; value++) dark += histogram[value]!;
  // The rarer side is the writing: white on black happens on headings.
  const isInkDark = dark <= gray.length / 2;
  const columns = new Uint8Array(width);
  const rows = new Uint32Array(height);
  const top = Math.round(height * 0.08);
  for (let row = top; row < height - top; row++) {
    for (let column = 0; column < width; column++) {
      if (gray[row * width + column]! <= threshold !== isInkDark) continue;
      columns[column]!++;
      rows[row]!++;
    }
  }
  const written = rows.findIndex((count) => count > Math.max(...rows) * 0.15);
  const last = rows.findLastIndex((count) => count > Math.max(...rows) * 0.15);
  return { columns: columns.map((count) => (count > 1 ? 1 : 0)), height: Math.max(1, last - written + 1) };
}

function otsuThreshold(histogram: Uint32Array, total: number): number {
  let sum = 0;
  for (let value = 0; value < 256; value++) sum += value * histogram[value]!;
  let background = 0;
  let sumBackground = 0;
  let best = 0;
  let threshold = 127;
  for (let value = 0; value < 256; value++) {
    background += histogram[value]!;
    if (background === 0) continue;
    const foreground = total - background;
    if (foreground === 0) break;
    sumBackground += value * histogram[value]!;
    const difference = sumBackground / background - (sum - sumBackground) / foreground;
    const variance = background * foreground * difference * difference;
    if (variance > best) {
      best = variance;
      threshold = value;
    }
  }
  return threshold;
}

function widestBlank(ink: Uint8Array, from: number, to: number): { width: number; from: number; to: number } {
  let best = { width: 0, from: 0, to: 0 };
  let start = -1;
  const end = Math.min(ink.length, Math.ceil(to) + 1);
  for (let column = Math.max(0, Math.floor(from)); column <= end; column++) {
    const isBlank = column < end && ink[column] === 0;
    if (isBlank && start < 0) start = column;
    if (!isBlank && start >= 0) {
      if (column - start > best.width) best = { width: column - start, from: start, to: column };
      start = -1;
    }
  }
  return best;
}

function firstInk(ink: Uint8Array, before: number): number {
  const index = ink.indexOf(1);
  return index >= 0 && index < before ? index : Math.max(0, before - 8);
}

function lastInk(ink: Uint8Array, after: number): number {
  const index = ink.lastIndexOf(1);
  return index > after ? index + 1 : Math.min(ink.length, after + 8);
}
