import { describe, expect, it } from "vitest";
import type { SpeechCut } from "./cut-speech.ts";
import { spreadWords } from "./spread-words.ts";
import type { TranscriptSegment } from "./transcribe.ts";
import { writeSrt, writeVtt } from "./write-subtitles.ts";

function cutOf(startMs: number, activity: string): SpeechCut {
  const isSpeech = [...activity].map((mark) => mark === "x");
  const samples = new Float32Array(isSpeech.length * 512);
  return { startMs, endMs: startMs + isSpeech.length * 32, samples, isSpeech, speechMs: 0 };
}

function segmentOf(text: string, cut: SpeechCut): TranscriptSegment {
  const { startMs, endMs } = cut;
  return { text, language: "en-us", startMs, endMs, confidence: 1, words: spreadWords(text, cut) };
}

describe("times of words", () => {
  it("follow the speech and skip its pauses", () => {
    const words = spreadWords("one two", cutOf(1000, "..xxxx......xxxx.."));
    expect(words).toEqual([
      { word: "one", startMs: 1064, endMs: 1192 },
      { word: "two", startMs: 1384, endMs: 1512 },
    ]);
  });

  it("never leave their stretch and never run backwards", () => {
    const cut = cutOf(0, "x".repeat(40));
    const words = spreadWords("a longer sentence with many words of different lengths", cut);
    let last = 0;
    for (const { startMs, endMs } of words) {
      expect(startMs).toBeGreaterThanOrEqual(last - 32);
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      last = endMs;
    }
    expect(last).toBeLessThanOrEqual(cut.endMs);
  });
});

describe("subtitles", () => {
  const short = segmentOf("He could wait no longer.", cutOf(3_723_004, "x".repeat(20)));

  it("are numbered in SRT and timed to the millisecond", () => {
    expect(writeSrt([short])).toBe("1\n01:02:03,004 --> 01:02:03,644\nHe could wait no longer.\n");
  });

  it("are escaped in WebVTT", () => {
    const tagged = { ...short, text: "a <b> & c" };
    expect(writeVtt([tagged])).toBe("WEBVTT\n\n01:02:03.004 --> 01:02:03.644\na &lt;b&gt; &amp; c\n");
  });

  it("of a long stretch are cut into readable pieces that hold every word", () => {
    const text =
      "This is a sentence of some length. And here is another one that goes on for quite a while without an end";
    const srt = writeSrt([segmentOf(text, cutOf(0, "x".repeat(300)))]);
    const lines = srt.split("\n\n").map((cue) => cue.split("\n")[2]!);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join(" ").replaceAll("\n", "")).toBe(text);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(84);
  });

  it("of silence are empty but valid", () => {
    expect(writeSrt([])).toBe("");
    expect(writeVtt([])).toBe("WEBVTT\n\n");
  });
});
