import { describe, expect, it } from "vitest";
import { FRAME_SAMPLES, Playout } from "./playout.ts";

function create() {
  const told: [number, number, boolean][] = [];
  const playout = new Playout((...played) => told.push(played));
  const tone = (frames: number, level = 1000) => new Int16Array(frames * FRAME_SAMPLES).fill(level);
  /** The loudest sample of each of the next frames; 0 is silence. */
  const hear = (frames: number) => Array.from({ length: frames }, () => Math.max(0, ...(playout.frame() ?? [])));
  return { playout, told, tone, hear };
}

describe("what is played to a caller", () => {
  it("comes in frames of 20 ms, clip after clip, with silence where nothing is there", () => {
    const { playout, tone, hear, told } = create();
    playout.play(1, tone(2, 100));
    playout.endClip(1);
    playout.play(2, tone(1, 200));
    expect(hear(5)).toEqual([100, 100, 200, 0, 0]);
    playout.play(2, tone(1, 300));
    playout.endClip(2);
    expect(hear(2)).toEqual([300, 0]);
    expect(told).toEqual([
      [1, 20, false],
      [1, 40, true],
      [2, 20, false],
      [2, 40, true],
    ]);
  });

  it("is told five times a clip of half a second", () => {
    const { playout, tone, hear, told } = create();
    playout.play(1, tone(25));
    playout.endClip(1);
    hear(26);
    expect(told.map(([, ms]) => ms)).toEqual([20, 120, 220, 320, 420, 500]);
  });

  it("joins pieces that are no whole frames", () => {
    const { playout, hear } = create();
    playout.play(1, new Int16Array(300).fill(1));
    playout.play(1, new Int16Array(300).fill(2));
    playout.endClip(1);
    expect(Array.from(playout.frame()!.subarray(298, 302))).toEqual([1, 1, 2, 2]);
    const rest = playout.frame()!;
    expect([rest.length, rest[119], rest[120]]).toEqual([FRAME_SAMPLES, 2, 0]);
    expect(hear(1)).toEqual([0]);
  });

  it("fades when it is held, and goes on where it was", () => {
    const { playout, tone, hear, told } = create();
    playout.play(1, tone(4));
    playout.endClip(1);
    hear(1);
    playout.hold();
    const fading = playout.frame()!;
    expect(fading[0]).toBe(1000);
    expect(fading.at(-1)).toBeLessThan(10);
    expect(hear(3)).toEqual([0, 0, 0]);
    playout.resume();
    const rising = playout.frame()!;
    expect(rising[0]).toBe(0);
    expect(rising.at(-1)).toBeGreaterThan(990);
    hear(3);
    expect(told.at(-1)).toEqual([1, 80, true]);
  });

  it("ends at once when it is dropped, and tells where", () => {
    const { playout, tone, hear, told } = create();
    playout.play(1, tone(10));
    playout.play(2, tone(10));
    hear(3);
    playout.drop([1, 2]);
    expect(hear(3)[1]).toBe(0);
    expect(told.at(-1)).toEqual([1, 60, true]);
  });

  it("keeps the clips that are not dropped", () => {
    const { playout, tone, hear } = create();
    playout.play(1, tone(10, 100));
    playout.play(2, tone(1, 200));
    playout.drop([1]);
    expect(hear(2)).toEqual([200, 0]);
  });
});
