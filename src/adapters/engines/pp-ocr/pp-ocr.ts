import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InferenceSession } from "onnxruntime-node";
import type { TextLine } from "../../../ports/document-reader.ts";
import { asLine } from "./as-line.ts";
import { computesInHalf } from "./computes-in-half.ts";
import { lightenGraph } from "./lighten-graph.ts";
import { median } from "./median.ts";
import { placeLine } from "./place-line.ts";
import type { Raster } from "./raster.ts";
import { type Recogniser, readLines } from "./read-lines.ts";
import { standUp } from "./stand-up.ts";

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
 * Pixels that the broad and the English recogniser want behind a line: 3934 of 4483 known words are read right on 35 pages, with 8 pixels
 * and 7 % of the line 3936, for a twentieth more of the work.
 */
const paddedRoom = 12;

/**
 * Reads text in pictures with PP-OCRv4: one detector, three recognisers.
 * The broad one has the fewest errors on English print but knows hardly any accents, so other Latin languages get the Latin one;
 * lines that leave doubt are read a second time, by the English one or the broad one.
 */
export async function createPpOcr(folder: string): Promise<PpOcr> {
  const inHalf = computesInHalf();
  const open = async (file: string, dictionary?: string[]): Promise<InferenceSession> =>
    InferenceSession.create(lightenGraph(await readFile(join(folder, file)), inHalf, dictionary), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // Measured: "all" takes half the time on x64, "extended" less in 16 bits.
      graphOptimizationLevel: inHalf ? "extended" : "all",
      enableCpuMemArena: true,
    });
  const detector = await open(ppOcrFiles.detector);
  const orientation = await open(ppOcrFiles.orientation);
  const recogniser = async (file: string, dictionaryFile: string, room: number): Promise<Recogniser> => {
    const dictionary = await readDictionary(join(folder, dictionaryFile));
    return { session: await open(file, dictionary), dictionary, room };
  };
  const broad = await recogniser(ppOcrFiles.broad, ppOcrFiles.broadDictionary, paddedRoom);
  // Many documents need only one of these two, so each is opened when it is first asked for.
  const english = once(() => recogniser(ppOcrFiles.english, ppOcrFiles.englishDictionary, paddedRoom));
  const latin = once(() => recogniser(ppOcrFiles.latin, ppOcrFiles.latinDictionary, 8));
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
