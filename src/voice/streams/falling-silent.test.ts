import { describe, expect, it } from "vitest";
import { FallingSilent } from "./falling-silent.ts";

function follow(...probabilities: number[]): boolean[] {
  const silence = new FallingSilent();
  return probabilities.map((probability) => silence.update(probability));
}

describe("noticing that a speaker falls silent", () => {
  it("begins while the voice fades", () => {
    expect(follow(0.9, 0.9, 0.6, 0.4, 0.1, 0.1)).toEqual([false, false, true, true, true, true]);
  });

  it("is over when the voice rises again", () => {
    expect(follow(0.9, 0.6, 0.65, 0.9)).toEqual([false, true, false, false]);
    expect(follow(0.9, 0.1, 0.4, 0.9)).toEqual([false, true, false, false]);
  });

  it("does not believe in a voice that fades for long, until it is silent", () => {
    expect(follow(0.9, 0.69, 0.6, 0.5, 0.4, 0.3)).toEqual([false, true, true, false, false, true]);
  });

  it("takes an unsure voice for speech", () => {
    expect(follow(0.6, 0.5, 0.6, 0.4, 0.5)).toEqual([false, false, false, false, false]);
  });
});
