import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InferenceSession } from "onnxruntime-node";
import { computesInHalf } from "../../../platform/processor.ts";
import type { TextLine } from "../../../ports/document-reader.ts";
import { asLine } from "./as-line.ts";
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
  orientation: "ch_ppocr_mobile_v2.0_cls_infer.onnx",
  recogniser: "recogniser.onnx",
  dictionary: "dictionary.txt",
} as const;

/** Reads text in pictures with PP-OCRv4: its detector, and its recogniser taught again by us to read print in Latin letters. */
export async function createPpOcr(folder: string): Promise<PpOcr> {
  const inHalf = computesInHalf();
  const open = async (file: string): Promise<InferenceSession> =>
    InferenceSession.create(lightenGraph(await readFile(join(folder, file)), inHalf), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // Measured: "all" takes half the time on x64, "extended" less in 16 bits.
      graphOptimizationLevel: inHalf ? "extended" : "all",
      enableCpuMemArena: true,
    });
  const detector = await open(ppOcrFiles.detector);
  const orientation = await open(ppOcrFiles.orientation);
  const recogniser: Recogniser = {
    session: await open(ppOcrFiles.recogniser),
    dictionary: await readDictionary(join(folder, ppOcrFiles.dictionary)),
  };
  return {
    read: async (picture) => {
      const upright = await standUp(picture, detector, orientation);
      const { raster, boxes } = upright;
      const texts = await readLines(raster, boxes.map(asLine), recogniser);
      const angle = median(boxes.filter((box) => box.width > box.height * 4).map((box) => box.angle));
      const lines: TextLine[] = [];
      boxes.forEach((box, index) => {
        const decoded = texts[index]!;
        if (decoded.text.length > 0 && decoded.confidence > 0.5) lines.push(placeLine(box, decoded, raster, angle));
      });
      return { lines, width: raster.width, height: raster.height };
    },
    close: async () => {
      await Promise.all([detector, orientation, recogniser.session].map((session) => session.release()));
    },
  };
}

async function readDictionary(file: string): Promise<string[]> {
  return ["", ...(await readFile(file, "utf8")).trimEnd().split("\n"), " "];
}
