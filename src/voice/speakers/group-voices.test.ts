import { describe, expect, it } from "vitest";
import { groupVoices } from "./group-voices.ts";

let made = 0;

/** A print that is `likeness` alike to the pure sound of a speaker; the rest of it is like no other print. */
function stretch(speaker: number, seconds = 4, likeness = 0.8, medianHz: number | undefined = undefined) {
  const print = new Float32Array(128);
  print[speaker] = likeness;
  print[64 + (made++ % 64)] = Math.sqrt(1 - likeness ** 2);
  return { print, seconds, medianHz };
}

describe("telling speakers apart", () => {
  it("one person is one, however often they speak", () => {
    expect(groupVoices([stretch(3), stretch(3), stretch(3, 2)])).toEqual([0, 0, 0]);
    expect(groupVoices([stretch(3)])).toEqual([0]);
    expect(groupVoices([])).toEqual([]);
  });

  it("people are numbered in the order in which they first speak", () => {
    expect(groupVoices([stretch(5), stretch(1), stretch(5), stretch(1), stretch(2)])).toEqual([0, 1, 0, 1, 2]);
  });

  it("a word or two do not make a person", () => {
    expect(groupVoices([stretch(5, 6), stretch(1, 1.4), stretch(5, 6)])).toEqual([0, 0, 0]);
  });

  it("voices that sound alike but lie far apart in pitch are two people", () => {
    const low = { ...stretch(5, 4, 0.8), medianHz: 110 };
    const high = { ...stretch(5, 4, 0.8), medianHz: 230 };
    expect(groupVoices([low, high, low])).toEqual([0, 1, 0]);
  });

  it("never finds more people than it may", () => {
    const crowd = Array.from({ length: 9 }, (_, index) => stretch(index));
    expect(Math.max(...groupVoices(crowd))).toBe(3);
  });
});
