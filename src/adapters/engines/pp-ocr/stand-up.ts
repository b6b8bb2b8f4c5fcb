import { type InferenceSession, Tensor } from "onnxruntime-node";
import { asLine } from "./as-line.ts";
import { cutMargins, detectorStride } from "./cut-margins.ts";
import { type FoundBox, findBoxes } from "./find-boxes.ts";
import { cropTilted, type Raster, resizeRaster, rotateQuarters, toPlanes } from "./raster.ts";

const detectorSide = 1600;

/** Finds the lines and turns the page so that they read from left to right. */
export async function standUp(
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

async function detect(raster: Raster, detector: InferenceSession): Promise<FoundBox[]> {
  const longest = Math.max(raster.width, raster.height);
  // Small scans are enlarged: the detector misses print under about ten pixels.
  const scale = longest > detectorSide ? detectorSide / longest : Math.min(1.4, detectorSide / longest);
  const whole = resizeRaster(
    raster,
    Math.max(16, Math.round(raster.width * scale)),
    Math.max(16, Math.round(raster.height * scale)),
  );
  const { left, top, ...used } = cutMargins(whole);
  const width = Math.ceil(used.width / detectorStride) * detectorStride;
  const height = Math.ceil(used.height / detectorStride) * detectorStride;
  const input = new Float32Array(3 * width * height);
  toPlanes(used, [0.485, 0.456, 0.406], [0.229, 0.224, 0.225], input, 0, width, height);
  const output = await detector.run({ [detector.inputNames[0]!]: new Tensor("float32", input, [1, 3, height, width]) });
  const map = output[detector.outputNames[0]!]!.data as Float32Array;
  const ratio = raster.width / whole.width;
  return findBoxes(map, width, height, used.width, used.height).map((box) => ({
    ...box,
    centerX: (box.centerX + left) * ratio,
    centerY: (box.centerY + top) * ratio,
    width: box.width * ratio,
    height: box.height * ratio,
  }));
}
