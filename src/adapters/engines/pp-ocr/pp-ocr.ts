import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { Box, TextLine, Word } from "../../../ports/document-reader.ts";
import { chooseText, isMostlyEnglish, repairLetters, weighLanguages } from "./choose-text.ts";
import { computesInHalf } from "./computes-in-half.ts";
import { type DecodedLine, decodeLine } from "./decode-line.ts";
import { type FoundBox, findBoxes } from "./find-boxes.ts";
import { lightenGraph } from "./lighten-graph.ts";
import { cropTilted, type Raster, resizeRaster, rotateQuarters, type TiltedBox, toPlanes } from "./raster.ts";

const detectorSide = 1600;
const lineHeight = 48;
const maxLineWidth = 1600;
/** A page whose lines are longer than this in all takes more than four CPU seconds. */
const denseWidth = 22_000;
/** How wide a letter must be shown, with 48 rows: measured against text layers, more reads no more words right, less than 15 fewer. */
const letterWidth = 17;
/** How much higher than its box a line is shown to the Latin recogniser: measured against text layers, it reads one word in a hundred more so. */
const latinHeadroom = 1.12;
/** So much more for another language than for English leaves no doubt, and the broad recogniser need not read on for nothing. */
const clearLead = 3;
/** Below this a line is read again by the other recogniser. The Latin one is less sure of itself in general. */
const doubtBelow = { english: 0.92, other: 0.84 };

interface Recogniser {
  readonly session: InferenceSession;
  readonly dictionary: readonly string[];
  /** How much wider than the line its input is: those that were trained on padded lines read the ends better so. */
  readonly room: number;
}

type Opener = () => Promise<Recogniser>;

export interface OcrResult {
  readonly lines: readonly TextLine[];
  /** Size of the upright page, which is turned when the picture lay on its side. */
  readonly width: number;
  readonly height: number;
}

export interface PpOcr {
  read(picture: Raster): Promise<OcrResult>;
  close(): Promise<void>;
}

/** The files that PP-OCR needs, by the names they have in the models folder. */
export const ppOcrFiles = {
  detector: "ch_PP-OCRv4_det_infer.onnx",
  broad: "ch_PP-OCRv4_rec_infer.onnx",
  broadDictionary: "ch_dict.txt",
  english: "en_PP-OCRv4_rec_infer.onnx",
  englishDictionary: "en_dict.txt",
  latin: "latin_PP-OCRv3_rec_infer.onnx",
  latinDictionary: "latin_dict.txt",
  orientation: "ch_ppocr_mobile_v2.0_cls_infer.onnx",
} as const;

/**
 * Reads text in pictures with PP-OCRv4: one detector, three recognisers.
 * The broad one has the fewest errors on English print but knows hardly any accents, so other Latin languages get the Latin one;
 * lines that leave doubt are read a second time, by the English one or the broad one.
 */
export async function createPpOcr(folder: string): Promise<PpOcr> {
  const inHalf = computesInHalf();
  const open = async (file: string, level: "all" | "extended"): Promise<InferenceSession> =>
    InferenceSession.create(lightenGraph(await readFile(join(folder, file)), inHalf), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // Measured on x64: "extended" makes the English and Latin models faster and the others slower. In 16 bits it is always faster.
      graphOptimizationLevel: inHalf ? "extended" : level,
      enableCpuMemArena: true,
    });
  const detector = await open(ppOcrFiles.detector, "all");
  const orientation = await open(ppOcrFiles.orientation, "all");
  const recogniser = async (
    file: string,
    dictionary: string,
    level: "all" | "extended",
    room: number,
  ): Promise<Recogniser> => ({
    session: await open(file, level),
    dictionary: await readDictionary(join(folder, dictionary)),
    room,
  });
  const broad = await recogniser(ppOcrFiles.broad, ppOcrFiles.broadDictionary, "all", 1.07);
  // Many documents need only one of these two, so each is opened when it is first asked for.
  const english = once(() => recogniser(ppOcrFiles.english, ppOcrFiles.englishDictionary, "extended", 1.07));
  const latin = once(() => recogniser(ppOcrFiles.latin, ppOcrFiles.latinDictionary, "extended", 1));
  return {
    read: async (picture) => {
      const upright = await standUp(picture, detector, orientation);
      const { raster, boxes } = upright;
      const texts = await readLines(raster, boxes.map(asLine), { broad, english: english.get, latin: latin.get });
      const angle = median(boxes.filter((box) => box.width > box.height * 4).map((box) => box.angle));
      const lines: TextLine[] = [];
      boxes.forEach((box, index) => {
        const decoded = texts[index]!;
        if (decoded.text.length > 0 && decoded.confidence > 0.5) lines.push(placeLine(box, decoded, raster, angle));
      });
      return { lines, width: raster.width, height: raster.height };
    },
    close: async () => {
      const opened = await Promise.all([english, latin].map((one) => one.opened()));
      const sessions = [detector, orientation, broad.session, ...opened.flatMap((one) => (one ? [one.session] : []))];
      await Promise.all(sessions.map((session) => session.release()));
    },
  };
}

/** Opens something at its first use. */
function once<Value>(open: () => Promise<Value>): { get(): Promise<Value>; opened(): Promise<Value | undefined> } {
  let value: Promise<Value> | undefined;
  return {
    get: () => {
      value ??= open();
      return value;
    },
    opened: async () => value,
  };
}

async function readDictionary(file: string): Promise<string[]> {
  const lines = (await readFile(file, "utf8")).replace(/\r/g, "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return ["", ...lines, " "];
}

async function detect(raster: Raster, detector: InferenceSession): Promise<FoundBox[]> {
  const longest = Math.max(raster.width, raster.height);
  // Small scans are enlarged: the detector misses print under about ten pixels.
  const scale = longest > detectorSide ? detectorSide / longest : Math.min(1.4, detectorSide / longest);
  const usedWidth = Math.max(16, Math.round(raster.width * scale));
  const usedHeight = Math.max(16, Math.round(raster.height * scale));
  const width = Math.ceil(usedWidth / 32) * 32;
  const height = Math.ceil(usedHeight / 32) * 32;
  const input = new Float32Array(3 * width * height);
  const small = resizeRaster(raster, usedWidth, usedHeight);
  const padded: Raster = { width: usedWidth, height: usedHeight, data: small.data };
  const planes = new Float32Array(3 * width * usedHeight);
  toPlanes(padded, [0.485, 0.456, 0.406], [0.229, 0.224, 0.225], planes, 0, width);
  for (let channel = 0; channel < 3; channel++) {
    input.set(
      planes.subarray(channel * width * usedHeight, (channel + 1) * width * usedHeight),
      channel * width * height,
    );
  }
  const output = await detector.run({ [detector.inputNames[0]!]: new Tensor("float32", input, [1, 3, height, width]) });
  const map = output[detector.outputNames[0]!]!.data as Float32Array;
  const ratioX = raster.width / usedWidth;
  return findBoxes(map, width, height, usedWidth, usedHeight).map((box) => ({
    ...box,
    centerX: box.centerX * ratioX,
    centerY: box.centerY * ratioX,
    width: box.width * ratioX,
    height: box.height * ratioX,
  }));
}

/** Finds the lines and turns the page so that they read from left to right. */
async function standUp(
  picture: Raster,
  detector: InferenceSession,
  orientation: InferenceSession,
): Promise<{ raster: Raster; boxes: FoundBox[] }> {
  let raster = picture;
  let boxes = await detect(raster, detector);
  const area = (chosen: FoundBox[]): number => chosen.reduce((sum, box) => sum + box.width * box.height, 0);
  const isTall = (box: FoundBox): boolean => box.height > box.width * 1.8;
  if (boxes.length >= 4 && area(boxes.filter(isTall)) > 0.6 * area(boxes)) {
    raster = rotateQuarters(raster, 1);
    boxes = await detect(raster, detector);
  }
  if (await isUpsideDown(raster, boxes, orientation)) {
    raster = rotateQuarters(raster, 2);
    boxes = await detect(raster, detector);
  }
  return { raster, boxes };
}

async function isUpsideDown(
  raster: Raster,
  boxes: readonly FoundBox[],
  orientation: InferenceSession,
): Promise<boolean> {
  const sample = boxes
    .filter((box) => box.width > box.height * 3)
    .sort((left, right) => right.width * right.height - left.width * left.height)
    .slice(0, 9);
  if (sample.length < 3) return false;
  const input = new Float32Array(sample.length * 3 * 48 * 192);
  sample.forEach((box, index) => {
    const crop = cropTilted(raster, asLine(box), 48, 192);
    toPlanes(crop, [0.5, 0.5, 0.5], [0.5, 0.5, 0.5], input, index * 3 * 48 * 192, 192);
  });
  const output = await orientation.run({
    [orientation.inputNames[0]!]: new Tensor("float32", input, [sample.length, 3, 48, 192]),
  });
  const scores = output[orientation.outputNames[0]!]!.data as Float32Array;
  const turned = sample.filter((_, index) => scores[index * 2 + 1]! > 0.85).length;
  return turned > sample.length * 0.6;
}

/** A box that is far taller than wide holds text that runs upwards; read it along its long side. */
function asLine(box: TiltedBox): TiltedBox {
  if (box.height <= box.width * 2.2) return box;
  return { ...box, width: box.height, height: box.width, angle: box.angle - Math.PI / 2 };
}

async function readLines(
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
  if (isEnglish) {
    const rest = lines.map((_, index) => index).filter((index) => !results[index]);
    await recognise(rest, tight, broad, results);
    again.fill(undefined);
  } else {
    const pitches = sample
      .filter((index) => wide.includes(index))
      .map((index) => widths[index]! / latinHeadroom / Math.max(1, results[index]!.text.length));
    const isDense = widths.reduce((sum, width) => sum + width, 0) > denseWidth;
    const all = lines.map((_, index) => index);
    await recognise(all, roomy, await latin(), results, isDense ? narrowing(pitches) : 1);
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
    const width = Math.ceil(Math.max(48, input.width * room) / 8) * 8 + 8;
    const planes = new Float32Array(3 * lineHeight * width);
    toPlanes(input, [0.5, 0.5, 0.5], [0.5, 0.5, 0.5], planes, 0, width);
    const output = await session.run({
      [session.inputNames[0]!]: new Tensor("float32", planes, [1, 3, lineHeight, width]),
    });
    const tensor = output[session.outputNames[0]!]!;
    const shown = (width * crop.width) / input.width;
    results[index] = decodeLine(tensor.data as Float32Array, 0, tensor.dims[1]!, dictionary, crop, shown);
  }
}

/** Puts a line on the straightened page, so that rows of a tilted scan are level. */
function placeLine(box: FoundBox, decoded: DecodedLine, raster: Raster, pageAngle: number): TextLine {
  const line = asLine(box);
  const cos = Math.cos(-pageAngle);
  const sin = Math.sin(-pageAngle);
  const middleX = raster.width / 2;
  const middleY = raster.height / 2;
  const along = (share: number): { x: number; y: number } => {
    const offset = (share - 0.5) * line.width;
    const x = line.centerX + offset * Math.cos(line.angle) - middleX;
    const y = line.centerY + offset * Math.sin(line.angle) - middleY;
    return { x: x * cos - y * sin + middleX, y: x * sin + y * cos + middleY };
  };
  const isVertical = line !== box;
  const boxBetween = (from: number, to: number): Box => {
    const start = along(from);
    const end = along(to);
    const padX = isVertical ? line.height / 2 : 0;
    const padY = isVertical ? 0 : line.height * 0.36;
    return [
      fraction(Math.min(start.x, end.x) - padX, raster.width),
      fraction(Math.min(start.y, end.y) - padY, raster.height),
      fraction(Math.max(start.x, end.x) + padX, raster.width),
      fraction(Math.max(start.y, end.y) + padY, raster.height),
    ];
  };
  const words: Word[] = decoded.words.map((word) => ({ text: word.text, box: boxBetween(word.from, word.to) }));
  const from = decoded.words[0]?.from ?? 0;
  const to = decoded.words.at(-1)?.to ?? 1;
  return { text: decoded.text, box: boxBetween(from, to), words, confidence: decoded.confidence, source: "ocr" };
}

function fraction(value: number, whole: number): number {
  return Math.round(Math.min(1, Math.max(0, value / whole)) * 10000) / 10000;
}

function median(values: number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}
