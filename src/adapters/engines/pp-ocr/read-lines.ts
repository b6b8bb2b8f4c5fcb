import { type InferenceSession, Tensor } from "onnxruntime-node";
import { type DecodedLine, decodeLine, type Steps } from "./decode-line.ts";
import { cropTilted, type Raster, type TiltedBox, toPlanes } from "./raster.ts";
import { repairLetters } from "./repair-letters.ts";

const lineHeight = 48;
const maxLineWidth = 1600;
/** Pixels that the recogniser wants behind a line, a guess: it reads the last letter better so. Widths are multiples of eight. */
const roomBehind = 12;
const narrowest = 48;

export interface Recogniser {
  readonly session: InferenceSession;
  /** What stands for each number that it says; the first is no character at all. */
  readonly dictionary: readonly string[];
}

/** One line at a time: the runtime works through a batch line by line anyway. */
export async function readLines(
  raster: Raster,
  lines: readonly TiltedBox[],
  recogniser: Recogniser,
): Promise<DecodedLine[]> {
  const read: DecodedLine[] = [];
  for (const line of lines) read.push(await readLine(cropTilted(raster, line, lineHeight, maxLineWidth), recogniser));
  return read;
}

async function readLine(line: Raster, { session, dictionary }: Recogniser): Promise<DecodedLine> {
  const width = Math.ceil(Math.max(narrowest, line.width + roomBehind) / 8) * 8;
  const planes = new Float32Array(3 * lineHeight * width);
  toPlanes(line, [0.5, 0.5, 0.5], [0.5, 0.5, 0.5], planes, 0, width);
  const output = await session.run({
    [session.inputNames[0]!]: new Tensor("float32", planes, [1, 3, lineHeight, width]),
  });
  const scores = output[session.outputNames[0]!]!.data as Float32Array;
  return repairLetters(decodeLine(likeliest(scores, dictionary.length), dictionary, line, width));
}

/** The likeliest character of each step and how likely it is. */
function likeliest(scores: Float32Array, characters: number): Steps {
  const steps = scores.length / characters;
  const best = { characters: new Int32Array(steps), probabilities: new Float32Array(steps) };
  for (let step = 0; step < steps; step++)
    for (let character = 0; character < characters; character++) {
      const probability = scores[step * characters + character]!;
      if (probability <= best.probabilities[step]!) continue;
      best.characters[step] = character;
      best.probabilities[step] = probability;
    }
  return best;
}
