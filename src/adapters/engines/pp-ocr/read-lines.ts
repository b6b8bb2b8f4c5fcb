import { type InferenceSession, Tensor } from "onnxruntime-node";
import { chooseText, isMostlyEnglish, repairLetters, weighLanguages } from "./choose-text.ts";
import { type DecodedLine, decodeLine } from "./decode-line.ts";
import { median } from "./median.ts";
import { picked } from "./pick-characters.ts";
import { cropTilted, type Raster, resizeRaster, type TiltedBox, toPlanes } from "./raster.ts";

const lineHeight = 48;
const maxLineWidth = 1600;
/**
 * How wide a letter must be shown, with 48 rows: on 38 pages with known words 19 reads 91.8 %, 17 91.7 % and the print as it is 91.5 %;
 * at 17 a date on a slip was lost.
 */
const letterWidth = 19;
/** How much higher than its box a line is shown to the Latin recogniser: measured against text layers, it reads one word in a hundred more so. */
const latinHeadroom = 1.12;
/** So much more for another language than for English leaves no doubt, and the broad recogniser need not read on for nothing. */
const clearLead = 3;
/**
 * Below this a line is read again by the other recogniser. The Latin one is less sure of itself in general. 0.04 less saves one reading
 * in twenty and loses letters of receipts.
 */
const doubtBelow = { english: 0.92, other: 0.84 };

export interface Recogniser {
  readonly session: InferenceSession;
  readonly dictionary: readonly string[];
  /** How many pixels its input is wider than the line, at least: those that were trained on padded lines read the ends better so. */
  readonly room: number;
}

type Opener = () => Promise<Recogniser>;

export async function readLines(
  raster: Raster,
  lines: readonly TiltedBox[],
  { broad, english, latin }: { broad: Recogniser; english: Opener; latin: Opener },
): Promise<DecodedLine[]> {
  const results: (DecodedLine | undefined)[] = lines.map(() => undefined);
  const widths = lines.map(({ width, height }) => Math.min(maxLineWidth, (width / Math.max(1, height)) * lineHeight));
  const tight = (index: number): Raster => cropTilted(raster, lines[index]!, lineHeight, maxLineWidth);
  const roomy = (index: number): Raster => {
    const line = lines[index]!;
    return cropTilted(raster, { ...line, height: line.height * latinHeadroom }, lineHeight, maxLineWidth);
  };
  // A few lines that hold some words, and a few that may hold amounts, tell the language, which decides who reads the rest.
  const nearest = (width: number, from: number, to: number, count: number): number[] =>
    lines
      .map((_, index) => index)
      .filter((index) => widths[index]! > from && widths[index]! <= to)
      .sort((left, right) => Math.abs(widths[left]! - width) - Math.abs(widths[right]! - width))
      .slice(0, count);
  const wide = nearest(450, 150, maxLineWidth, 9);
  const sample = nearest(110, 60, 150, 4);
  const readSample = (): string => sample.map((index) => results[index]!.text).join("\n");
  await recognise(sample, tight, broad, results);
  for (const index of wide) {
    await recognise([index], tight, broad, results);
    sample.push(index);
    const { english, other } = weighLanguages(readSample());
    if (other > english + clearLead) break;
  }
  const isEnglish = isMostlyEnglish(readSample());
  const again = results.slice();
  const headroom = isEnglish ? 1 : latinHeadroom;
  const pitches = sample
    .filter((index) => wide.includes(index))
    .map((index) => widths[index]! / headroom / Math.max(1, results[index]!.text.length));
  const narrow = narrowing(pitches);
  if (isEnglish) {
    const rest = lines.map((_, index) => index).filter((index) => !results[index]);
    await recognise(rest, tight, broad, results, narrow);
    again.fill(undefined);
  } else {
    const all = lines.map((_, index) => index);
    await recognise(all, roomy, await latin(), results, narrow);
  }
  const doubtful = results
    .map((line, index) => ({ line: line!, index }))
    .filter(
      ({ line, index }) => line.confidence < (isEnglish ? doubtBelow.english : doubtBelow.other) && widths[index]! > 20,
    )
    .map(({ index }) => index);
  const unread = doubtful.filter((index) => !again[index]);
  if (unread.length > 0) await recognise(unread, tight, isEnglish ? await english() : broad, again);
  for (const index of doubtful) results[index] = chooseText(results[index]!, again[index], isEnglish);
  return results.map((line) => repairLetters(line!));
}

/** How much narrower lines may be shown to the recogniser, by how wide a sample is printed: wide letters take longer, not better. */
function narrowing(pitches: number[]): number {
  return Math.max(0.7, Math.min(1, letterWidth / Math.max(1, median(pitches))));
}

/** One line at a time: the runtime works through a batch line by line anyway. */
async function recognise(
  indexes: readonly number[],
  cut: (index: number) => Raster,
  { session, dictionary, room }: Recogniser,
  results: (DecodedLine | undefined)[],
  narrow = 1,
): Promise<void> {
  for (const index of indexes) {
    const crop = cut(index);
    const input = narrow < 1 ? resizeRaster(crop, Math.max(8, Math.round(crop.width * narrow)), lineHeight) : crop;
    const width = Math.ceil(Math.max(48, input.width + room) / 8) * 8;
    const planes = new Float32Array(3 * lineHeight * width);
    toPlanes(input, [0.5, 0.5, 0.5], [0.5, 0.5, 0.5], planes, 0, width);
    const output = await session.run({
      [session.inputNames[0]!]: new Tensor("float32", planes, [1, 3, lineHeight, width]),
    });
    const steps = {
      characters: output[picked.characters]!.data as Int32Array,
      probabilities: output[picked.probabilities]!.data as Float32Array,
    };
    const shown = (width * crop.width) / input.width;
    results[index] = decodeLine(steps, dictionary, crop, shown);
  }
}
