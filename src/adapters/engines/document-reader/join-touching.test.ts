import { expect, it } from "vitest";
import { joinTouching } from "./join-touching.ts";

/** Pieces of large print, 20 points high, with so much room before each of them. */
function pieces(...given: readonly [text: string, before: number][]) {
  let x = 56;
  return given.map(([text, before]) => {
    const piece = { text, x: x + before, width: text.length * 9, height: 20 };
    x = piece.x + piece.width;
    return piece;
  });
}
const texts = (list: ReturnType<typeof pieces>): string[] => joinTouching(list).map(({ text }) => text);

it("letters without room for a blank between them are one word, and words with one stay apart", () => {
  expect(texts(pieces(["B", 0], ["an", 0.1], ["que", 0], ["d", 5], ["e", -0.2], ["A", 5], [".S.", 0]))).toEqual([
    "Banque",
    "de",
    "A.S.",
  ]);
});

it("amounts that touch are no one number", () => {
  expect(texts(pieces(["12,00", 0], ["34,00", 0]))).toEqual(["12,00", "34,00"]);
});
