import { describe, expect, it } from "vitest";
import { cutMargins } from "./cut-margins.ts";
import { type DecodedLine, decodeLine, type Steps } from "./decode-line.ts";
import { findBoxes } from "./find-boxes.ts";
import { cropTilted, type Raster, rotateQuarters } from "./raster.ts";
import { repairLetters } from "./repair-letters.ts";

const line = (text: string, confidence = 0.9): DecodedLine => ({
  text,
  confidence,
  words: text.split(" ").map((word) => ({ text: word, from: 0, to: 1 })),
});

/** White paper with black bars from and to these columns. */
function barcode(width: number, bars: readonly (readonly [from: number, to: number])[]): Raster {
  const data = new Uint8Array(width * 48 * 3).fill(255);
  for (const [from, to] of bars)
    for (let row = 12; row < 36; row++) data.fill(0, (row * width + from) * 3, (row * width + to) * 3);
  return { width, height: 48, data };
}

/** One character at each of these steps and blank between them. */
function say(steps: number, at: Readonly<Record<number, number>>): Steps {
  const characters = Array.from({ length: steps }, (_, step) => at[step] ?? 0);
  return { characters, probabilities: characters.map(() => 0.99) };
}

describe("paper around the print", () => {
  it("is cut off in whole steps of the detector, and all of the print is left", () => {
    const page = barcode(640, [
      [300, 304],
      [330, 340],
    ]);
    const cut = cutMargins(page);
    expect({ left: cut.left, top: cut.top, width: cut.width, height: cut.height }).toEqual({
      left: 256,
      top: 0,
      width: 109,
      height: 48,
    });
    const ink = (raster: Raster): number => raster.data.filter((value) => value === 0).length;
    expect(ink(cut)).toBe(ink(page));
  });

  it("is told from pale print, too", () => {
    const page = barcode(640, [
      [40, 60],
      [560, 580],
    ]);
    const pale = { ...page, data: page.data.map((value) => (value === 0 ? 225 : value)) };
    expect(cutMargins(pale)).toMatchObject({ left: 0, width: 605 });
  });

  it("is all that a blank page has, so it stays", () => {
    expect(cutMargins(barcode(640, []))).toMatchObject({ left: 0, top: 0, width: 640, height: 48 });
  });
});

describe("boxes around text", () => {
  it("follow the tilt of a long line and are grown to its full height", () => {
    const map = new Float32Array(320 * 160);
    for (let x = 40; x < 280; x++)
      for (let y = -4; y <= 4; y++) map[Math.round(80 + (x - 160) * 0.05 + y) * 320 + x] = 0.9;
    const [box] = findBoxes(map, 320, 160, 320, 160);
    expect(box!.angle).toBeCloseTo(0.05, 1);
    expect(box!.width).toBeGreaterThan(240);
    expect(box!.height).toBeGreaterThan(12);
  });

  it("hold all that touches, also where two strokes meet only further down or at a corner", () => {
    const map = new Float32Array(128 * 64);
    const mark = (row: number, from: number, to: number): void => {
      map.fill(0.9, row * 128 + from, row * 128 + to);
    };
    for (let row = 10; row < 16; row++) {
      mark(row, 10, 30);
      mark(row, 60, 90);
    }
    mark(16, 30, 60);
    for (let row = 40; row < 48; row++) mark(row, 100, 128);
    const boxes = findBoxes(map, 128, 64, 120, 64);
    expect(boxes.length).toBe(2);
    expect(boxes[0]!.centerX).toBeCloseTo(50, 0);
    expect(boxes[1]!.centerX).toBeCloseTo(110, 0);
  });

  it("leave out what is hardly there", () => {
    const map = new Float32Array(64 * 64);
    map[100] = 0.9;
    expect(findBoxes(map, 64, 64, 64, 64)).toEqual([]);
  });
});

describe("a line", () => {
  const dictionary = ["", "a", "b", "1", "."];

  it("has a blank where the paper shows one, though the recogniser says none", () => {
    const picture = barcode(96, [
      [8, 20],
      [24, 36],
      [64, 76],
    ]);
    const decoded = decodeLine(say(12, { 1: 1, 3: 2, 8: 1 }), dictionary, picture, 96);
    expect(decoded.text).toBe("ab a");
    expect(decoded.words[1]!.from).toBeGreaterThan(decoded.words[0]!.to);
  });

  it("has a blank that the recogniser saw, but not between letters that touch", () => {
    const spaced = ["", "a", "b", " "];
    const picture = barcode(96, [
      [8, 20],
      [24, 36],
      [44, 56],
      [58, 70],
    ]);
    expect(decodeLine(say(12, { 1: 1, 3: 2, 4: 3, 6: 1, 7: 3, 8: 2 }), spaced, picture, 96).text).toBe("ab ab");
  });

  it("keeps a number together although its figures stand wide apart", () => {
    const picture = barcode(96, [
      [8, 16],
      [26, 30],
      [40, 48],
    ]);
    expect(decodeLine(say(12, { 1: 3, 3: 4, 5: 3 }), dictionary, picture, 96).text).toBe("1.1");
  });

  it("says a character once for each time that it begins, as sure as it was then", () => {
    const steps = { characters: [1, 1, 0, 1, 2, 2], probabilities: [0.8, 0.1, 0.9, 0.6, 0.7, 0.1] };
    const decoded = decodeLine(steps, dictionary, barcode(48, [[0, 48]]), 48);
    expect(decoded.text).toBe("aab");
    expect(decoded.confidence).toBeCloseTo(0.7);
  });

  it("with nothing on it is empty", () => {
    expect(decodeLine(say(4, {}), dictionary, barcode(32, []), 32)).toMatchObject({ text: "", confidence: 0 });
  });
});

describe("what was read", () => {
  it("has letters where digits make no word", () => {
    expect(repairLetters(line("F00DICI0US L0T 10 A1B2")).text).toBe("FOODICIOUS LOT 10 A1B2");
  });

  it("has digits where a letter makes no number", () => {
    expect(repairLetters(line("4560O 4D170 12,5O A4O 2100D")).text).toBe("45600 40170 12,50 A4O 2100D");
  });
});

it("a picture turned four times is itself", () => {
  const picture: Raster = { width: 3, height: 2, data: Uint8Array.from({ length: 18 }, (_, index) => index) };
  expect(rotateQuarters(rotateQuarters(picture, 1), 3)).toEqual(picture);
  expect(rotateQuarters(picture, 1)).toMatchObject({ width: 2, height: 3 });
});

it("a cut-out has the wanted height and the proportions of its box", () => {
  const cut = cropTilted(
    barcode(200, [[0, 200]]),
    { centerX: 100, centerY: 24, width: 100, height: 24, angle: 0 },
    48,
    1600,
  );
  expect([cut.width, cut.height]).toEqual([200, 48]);
});
