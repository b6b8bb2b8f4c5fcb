import { describe, expect, it } from "vitest";
import { fitWords } from "./fit-words.ts";

const frames = (text: string) => [...text].map((one) => one === "x");

describe("words that a recogniser timed", () => {
  // Frames of 32 ms: silence to 96 ms, speech to 192, a pause to 288, speech to 384.
  const cut = { startMs: 1000, endMs: 1400, isSpeech: frames("...xxx...xxx") };

  it("lose the silence before the first, after the last, and around a pause", () => {
    const words = fitWords(
      [
        { word: "Good", startMs: 0, endMs: 240 },
        { word: "morning", startMs: 240, endMs: 400 },
      ],
      cut,
    );
    expect(words).toEqual([
      { word: "Good", startMs: 1096, endMs: 1192 },
      { word: "morning", startMs: 1288, endMs: 1384 },
    ]);
  });

  it("stay in order and within the recording where no speech is certain", () => {
    const words = fitWords(
      [
        { word: "a", startMs: 200, endMs: 260 },
        { word: "b", startMs: 260, endMs: 900 },
      ],
      { ...cut, isSpeech: frames("............") },
    );
    expect(words).toEqual([
      { word: "a", startMs: 1200, endMs: 1260 },
      { word: "b", startMs: 1260, endMs: 1400 },
    ]);
  });
});
