import type { Box, TextLine, Word } from "../../../ports/document-reader.ts";
import { asLine } from "./as-line.ts";
import type { DecodedLine } from "./decode-line.ts";
import type { FoundBox } from "./find-boxes.ts";
import type { Raster } from "./raster.ts";

/** Puts a line on the straightened page, so that rows of a tilted scan are level. */
export function placeLine(box: FoundBox, decoded: DecodedLine, raster: Raster, pageAngle: number): TextLine {
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
