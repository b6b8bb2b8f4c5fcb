import { expect, it } from "vitest";
import type { TranscriptSegment } from "../transcription/transcribe.ts";
import { splitLines } from "./split-lines.ts";

/** Words of 300 ms each, with a pause where a word begins with a bar. */
function segment(text: string, startMs = 0, language = "en-us"): TranscriptSegment {
  let at = startMs;
  const words = text.split(" ").map((word) => {
    if (word.startsWith("|")) at += 500;
    const timed = { word: word.replace("|", ""), startMs: at, endMs: at + 300 };
    at += 300;
    return timed;
  });
  return { text: text.replaceAll("|", ""), language, startMs, endMs: at, confidence: 1, words };
}

it("sentences with a pause between them are lines of their own, with the times of their words", () => {
  const { lines, isTruncated } = splitLines([segment("Good morning everybody. |Let us begin.", 1000)]);
  expect(lines).toEqual([
    { text: "Good morning everybody.", language: "en-us", startMs: 1000, endMs: 1900 },
    { text: "Let us begin.", language: "en-us", startMs: 2400, endMs: 3300 },
  ]);
  expect(isTruncated).toBe(false);
});

it("sentences without a pause stay together, unless the language changes", () => {
  expect(splitLines([segment("Yes. No. Maybe.")]).lines).toHaveLength(1);
  expect(splitLines([segment("Yes."), segment("Sí.", 300, "es")]).lines).toHaveLength(2);
});

it("nothing becomes longer than fifteen seconds for want of a pause", () => {
  const { lines } = splitLines([segment(Array.from({ length: 40 }, () => "One two three.").join(" "))]);
  for (const { startMs, endMs } of lines) expect(endMs - startMs).toBeLessThanOrEqual(15_000);
  expect(
    lines
      .map(({ text }) => text)
      .join(" ")
      .split(" "),
  ).toHaveLength(120);
});

it("exactly 3000 characters are taken whole, and one more loses the last sentence", () => {
  const sentence = `${"x".repeat(98)}.`;
  // Thirty sentences of 99 characters and 29 blanks.
  const whole = Array.from({ length: 30 }, () => sentence).join(" ");
  expect(whole).toHaveLength(2999);
  const fits = splitLines([segment(`${whole.slice(0, -1)}y.`)]);
  expect(fits.isTruncated).toBe(false);
  expect(fits.lines.map(({ text }) => text).join(" ")).toHaveLength(3000);
  const over = splitLines([segment(`${whole.slice(0, -1)}yy.`)]);
  expect(over.isTruncated).toBe(true);
  expect(over.lines.map(({ text }) => text).join(" ")).toHaveLength(2899);
});

it("a sentence that is too long by itself is cut between words", () => {
  const { lines, isTruncated } = splitLines([segment("word ".repeat(700).trim())]);
  expect(isTruncated).toBe(true);
  expect(lines[0]!.text.length).toBeLessThanOrEqual(3000);
  expect(lines[0]!.text.length).toBeGreaterThan(2900);
  expect(lines[0]!.endMs).toBeLessThan(700 * 300);
});
